// Exchanges between the lanes of a simdgroup, and of those that come to a branch.
// THREADS: 40
// BUFFER(0): int 0*40
// BUFFER(1): int 0*40
// BUFFER(2): int 0*40
#include <metal_stdlib>
using namespace metal;

kernel void k(device int* sums [[buffer(0)]], device int* moved [[buffer(1)]], device int* parts [[buffer(2)]],
              uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    sums[i] = simd_sum(int(i));
    moved[i] = simd_shuffle_down(int(i), 1) + simd_broadcast(int(i), 2) + int(lane);
    if (i % 2 == 0) {
        parts[i] = simd_sum(1) * 10;
    } else {
        parts[i] = simd_max(int(i));
    }
    parts[i] += simd_prefix_exclusive_sum(1) * 100;
}
