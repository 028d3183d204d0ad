// REJECTED: position as float3 (5.2.3.6)
// FAULT: thread_position_in_grid with the type float3
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]], float3 i [[thread_position_in_grid]]) { p[0] = i.x; }
