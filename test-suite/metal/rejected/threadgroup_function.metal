// REJECTED: threadgroup outside of a kernel (4.4)
// FAULT: non-kernel function variable cannot be declared in local
#include <metal_stdlib>
using namespace metal;
void f() { threadgroup float x[4]; x[0] = 1; }
