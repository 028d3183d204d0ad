// REJECTED: write to constant (4.3)
// FAULT: read-only variable is not assignable
#include <metal_stdlib>
using namespace metal;
void f(constant float* p) { p[0] = 1; }
