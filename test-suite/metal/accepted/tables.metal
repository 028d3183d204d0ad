// Constants of the program, and functions that are handed them.
// BUFFER(0): float 0*3
// THREADS: 3
// EXPECT(0): float 22 7 12
#include <metal_stdlib>
using namespace metal;

constant float table[3] = {1, 2, 3};
constant constexpr uint next[] = {1, 2, 0};
constant float3 offset = float3(20, 4, 11);

float entry(constant float* p, uint i) { return p[next[i]]; }

kernel void k(device float* p [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    const float all[3] = {offset.x, offset.y, offset.z};
    p[i] = entry(table, i) + all[i];
}
