// REJECTED: a vector is no condition (3)
// FAULT: not contextually convertible
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float3 v = c; if (v < 1.0f) out[i] = 1;
}
