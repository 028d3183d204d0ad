// Exchanges between the lanes of a simdgroup, and of those that come to a branch.
// THREADS: 40
// BUFFER(0): int 0*40
// BUFFER(1): int 0*40
// BUFFER(2): int 0*40
// EXPECT(0): int 496*32 284*8
// EXPECT(1): int 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 33 35 37 39 41 43 45 47 49 51 53 55 57 59 61 63 64 73 73 73 73 73 73 73 73
// EXPECT(2): int 160 131 360 331 560 531 760 731 960 931 1160 1131 1360 1331 1560 1531 1760 1731 1960 1931 2160 2131 2360 2331 2560 2531 2760 2731 2960 2931 3160 3131 40 139 240 339 440 539 640 739
#include <metal_stdlib>
using namespace metal;

kernel void k(device int* sums [[buffer(0)]], device int* moved [[buffer(1)]], device int* parts [[buffer(2)]],
              uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
    sums[i] = simd_sum(int(i));
    const int next = i < 32 ? simd_shuffle_down(int(i), 1) : simd_shuffle(int(i), ushort(7 - lane));
    moved[i] = next + simd_broadcast(int(i), 2) + int(lane);
    if (i % 2 == 0) {
        parts[i] = simd_sum(1) * 10;
    } else {
        parts[i] = simd_max(int(i));
    }
    parts[i] += simd_prefix_exclusive_sum(1) * 100;
}
