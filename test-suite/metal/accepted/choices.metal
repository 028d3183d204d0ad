// THREADS: 4 1 1
// BUFFER(0): float 7*12
// EXPECT(0): float -1 -2 -3  1 2 3  1 2 3  4 5 6
#include <metal_stdlib>
using namespace metal;
// A condition chooses among vectors that are variables, literals and results (2.2).
float3 larger(float3 a, bool more) { return more ? a + 3.0f : a; }
kernel void k(device packed_float3* out [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    const float3 v = float3(1.0f, 2.0f, 3.0f);
    out[i] = i == 0u ? -v : i < 3u ? (i == 1u ? v : float3(1.0f, 2.0f, 3.0f)) : larger(v, i == 3u);
}
