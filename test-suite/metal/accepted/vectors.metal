#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float3 v = float3(c, 1, 2); v.zx = v.xy + 1; float4 w = float4(v, 1); out[i] = dot(w.wzyx, w);
}
