// REJECTED: one index twice (5.2.1)
// FAULT: two parameters have buffer(0)
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]], device float* q [[buffer(0)]]) { p[0] = q[0]; }
