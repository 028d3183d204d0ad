// Lanes that leave a loop one after the other: sums are of those that are left, and behind it of
// all. Calls from two places are two.
// THREADS: 32
// BUFFER(0): int 0*64
// EXPECT(0): int 32 63 93 122 150 177 203 228 252 275 297 318 338 357 375 392 408 423 437 450 462 473
// EXPECT(0): int 483 492 500 507 513 518 522 525 527 528 32*8 132*24
#include <metal_stdlib>
using namespace metal;

int count(int x) { return simd_sum(x); }

kernel void k(device int* out [[buffer(0)]], ushort lane [[thread_index_in_simdgroup]]) {
    int sum = 0;
    for (int i = 0;; i++) {
        sum += count(1);
        if (i == lane) break;
    }
    out[lane] = sum;
    int more = lane < 8 ? 0 : 100;
    if (lane >= 8) more += count(1) - 24;
    out[32 + lane] = count(1) + more;
}
