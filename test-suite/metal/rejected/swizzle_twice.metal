// REJECTED: a component assigned twice (2.2.1)
// FAULT: a component is assigned twice
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float3 v = c; v.xx = float2(1, 2); out[i] = v.x;
}
