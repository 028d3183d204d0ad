#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    half3 h = half3(c); h = h * 2.0h; out[i] = float(h.x);
}
