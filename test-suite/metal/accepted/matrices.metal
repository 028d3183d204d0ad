#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float3x3 m = float3x3(c); m[1] = float3(1, 2, 3); out[i] = (transpose(m) * m * float3(1))[0];
}
