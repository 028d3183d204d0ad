// REJECTED: write to constant (4.3)
#include <metal_stdlib>
using namespace metal;
void f(constant float* p) { p[0] = 1; }
