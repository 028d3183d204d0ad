// REJECTED: an assignment to an atomic (2.6)
// FAULT: overload resolution selected deleted operator
#include <metal_stdlib>
using namespace metal;
void f(device atomic_int* p) { *p = 1; }
