// Products of matrices that are not square, determinants, both products with a vector, sums.
// BUFFER(0): float 0*34
// BUFFER(1): half 0*6
// EXPECT(0): float 8 10 14 18 -2 0 9 14 43 15 4 3 -1 -4 7 -1 2 -1 4 1 3 0 0 2 5 2 3 -4 -3 3 4 8 -2 5
// EXPECT(1): half 7 10 15 22 1 1
#include <metal_stdlib>
using namespace metal;

void put(float3x3 m, device float* out) {
    for (uint c = 0; c < 3; c++)
        for (uint r = 0; r < 3; r++) out[3 * c + r] = m[c][r];
}

kernel void k(device float* out [[buffer(0)]], device half* halves [[buffer(1)]]) {
    const float3x2 a = float3x2(float2(1, 2), float2(3, 4), float2(5, 6));
    const float4x3 b = float4x3(1, -1, 2, 0, 3, 1, 2, 2, -2, 4, 0, 1);
    const float4x2 product = a * b;
    for (uint c = 0; c < 4; c++)
        for (uint r = 0; r < 2; r++) out[2 * c + r] = product[c][r];
    const float3x3 m = float3x3(float3(2, 1, 0), float3(-1, 3, 2), float3(4, 0, 5));
    out[8] = determinant(m);
    out[9] = determinant(float4x4(1, 2, 0, 1, 0, 3, 1, -1, 2, 0, 1, 4, 1, 1, -2, 3));
    const float3 v = float3(1, 2, -1), left = v * m, right = m * v;
    for (int i = 0; i < 3; i++) {
        out[10 + i] = left[i];
        out[13 + i] = right[i];
    }
    put(transpose(m), out + 16);
    float3x3 sum = m + m;
    sum -= transpose(m);
    put(sum, out + 25);
    const half2x2 h = half2x2(1, 2, 3, 4), square = h * h;
    for (uint c = 0; c < 2; c++)
        for (uint r = 0; r < 2; r++) halves[2 * c + r] = square[c][r];
    halves[4] = half(h == h);
    halves[5] = half(h != square);
}
