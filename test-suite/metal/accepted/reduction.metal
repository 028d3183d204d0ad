#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    threadgroup float s[64];
    s[i] = c;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i == 0) out[i] = s[0] + s[1];
}
