// REJECTED: exceptions (1.5.4)
// FAULT: `throw` is not
#include <metal_stdlib>
using namespace metal;
void f() { throw 1; }
