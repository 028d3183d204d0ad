// REJECTED: parameter without attribute (5.2)
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p) { p[0] = 1; }
