// Exchanges within a simdgroup of 32 lanes, each row one of them.
// THREADS: 32
// BUFFER(0): int 0*384
// BUFFER(1): int 0*12
// EXPECT(0): int -1 3 2 6 4 -3 7 0 0 4 3 7 5 -2 -3 1 1 5 4 -3 6 -1 -2 2 2 6 5 -2 7 0 -1 3
// EXPECT(0): int -3 4 -3 4 0 7 3 -1 6 2 -2 5 1 -3 4 0 7 3 -1 6 2 -2 5 1 -3 4 0 7 3 -1 6 2
// EXPECT(0): int 7 3 -1 6 2 -2 5 1 -3 4 0 7 3 -1 6 2 -2 5 1 -3 4 0 7 3 -1 6 2 -2 5 2 -2 5
// EXPECT(0): int 5 -3 4 0 7 3 -1 6 2 -2 5 1 -3 4 0 7 3 -1 6 2 -2 5 1 -3 4 0 7 3 -1 6 2 -2
// EXPECT(0): int 4 0 7 3 -1 6 2 -2 5 1 -3 4 0 7 3 -1 6 2 -2 5 1 -3 4 0 7 3 -1 6 2 -2 5 -3
// EXPECT(0): int -3 1 1 8 11 10 16 18 16 21 22 19 23 23 30 33 32 38 40 38 43 44 41 45 45 52 55 54 60 62 60 65
// EXPECT(0): int 0 -3 1 1 8 11 10 16 18 16 21 22 19 23 23 30 33 32 38 40 38 43 44 41 45 45 52 55 54 60 62 60
// EXPECT(0): int 4 0 7 -3 -1 6 2 3 5 1 -3 -2 0 7 3 4 6 2 -2 -1 1 -3 4 5 7 3 -1 0 2 -2 5 6
// EXPECT(0): int 8 8 8 8 10 10 10 10 1 1 1 1 14 14 14 14 5 5 5 5 7 7 7 7 9 9 9 9 11 11 11 11
// EXPECT(0): int 7 7 7 7 6 6 6 6 5 5 5 5 7 7 7 7 6 6 6 6 5 5 5 5 7 7 7 7 6 6 6 6
// EXPECT(0): int 4 4 4 4 -1 -1 -1 -1 5 5 5 5 0 0 0 0 6 6 6 6 1 1 1 1 7 7 7 7 2 2 2 2
// EXPECT(0): int 0 7 -3 4 6 2 3 -1 1 -3 -2 5 7 3 4 0 2 -2 -1 6 -3 4 5 1 3 -1 0 7 -2 5 6 2
// EXPECT(1): int -1229531430 1 0 1 0 -1 -3 -3 40310784 2 3 496
#include <metal_stdlib>
using namespace metal;

void moves(int v, ushort lane, device int* out) {
    out[lane] = simd_shuffle_xor(v, 5);
    out[32 + lane] = simd_shuffle_up(v, 2);
    out[64 + lane] = simd_shuffle_down(v, 3);
    out[96 + lane] = simd_shuffle_rotate_up(v, 1);
    out[128 + lane] = simd_shuffle_rotate_down(v, 1);
    out[160 + lane] = simd_prefix_inclusive_sum(v);
    out[192 + lane] = simd_prefix_exclusive_sum(v);
}

void quads(int v, ushort lane, device int* out) {
    out[lane] = quad_shuffle(v, (lane + 1) % 4);
    out[32 + lane] = quad_sum(v);
    out[64 + lane] = quad_max(v);
    out[96 + lane] = quad_broadcast(v, 1);
    out[128 + lane] = quad_shuffle_xor(v, 2);
}

kernel void k(device int* out [[buffer(0)]], device int* all [[buffer(1)]], ushort lane [[thread_index_in_simdgroup]]) {
    const int v = 7 * lane % 11 - 3;
    moves(v, lane, out);
    quads(v, lane, out + 224);
    const simd_vote vote = simd_ballot(v > 0);
    const int4 folded = int4(simd_and(v), simd_or(v), simd_xor(v), simd_min(v));
    const int product = simd_product(abs(v) % 3 + 1);
    const int chosen = simd_broadcast(v, 7);
    const half2 sum = simd_sum(half2(half(lane), 1));
    const int yes = simd_all(v > -9), no = simd_all(v > 0), some = simd_any(v > 6);
    int first = 0;
    if (lane > 3) first = simd_broadcast_first(v);
    const int later = simd_shuffle(first, 9);
    simdgroup_barrier(mem_flags::mem_none);
    if (!simd_is_first()) return;
    all[0] = int(uint(static_cast<simd_vote::vote_t>(vote)));
    all[1] = yes;
    all[2] = no;
    all[3] = some;
    all[4] = folded.x;
    all[5] = folded.y;
    all[6] = folded.z;
    all[7] = folded.w;
    all[8] = product;
    all[9] = chosen;
    all[10] = later;
    all[11] = int(sum.x) + int(sum.y) - 32;
}
