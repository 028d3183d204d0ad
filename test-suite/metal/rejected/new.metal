// REJECTED: new (1.5.4)
// FAULT: `new` is not
#include <metal_stdlib>
using namespace metal;
void f() { thread int* p = new int; *p = 1; }
