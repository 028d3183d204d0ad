// REJECTED: int3 is no float3 (2.12)
// FAULT: no viable conversion
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float3 v = int3(1); out[i] = v.x * c;
}
