#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    out[i] = sin(c) + max(c, 0.0f) + precise::exp(c) + as_type<float>(clz(3u)) + select(1.0f, 2.0f, isnan(c));
}
