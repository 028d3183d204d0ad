// The sums of the squares of each group's numbers.
// GROUPS: 2
// THREADS: 64
// BUFFER(0): float 1*64 2*64
// BUFFER(1): float 0*2
// BUFFER(2): float 3
// EXPECT(1): float 192 768
#include <metal_stdlib>
using namespace metal;

kernel void sums(device const float* in [[buffer(0)]], device float* out [[buffer(1)]],
                 constant float& scale [[buffer(2)]], uint i [[thread_index_in_threadgroup]],
                 uint global [[thread_position_in_grid]], uint group [[threadgroup_position_in_grid]]) {
    threadgroup float parts[64];
    parts[i] = in[global] * in[global];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint step = 32; step > 0; step /= 2) {
        if (i < step) parts[i] += parts[i + step];
        threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    if (i == 0) out[group] = parts[0] * scale;
}
