#include <metal_stdlib>
using namespace metal;
constant float t[3] = {1, 2, 3};
float f(constant float* p) { return p[1]; }
kernel void k(device float* p [[buffer(0)]]) { p[0] = f(t); }
