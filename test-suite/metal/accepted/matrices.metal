// Columns first: m[1] is the second column. A product by a vector on the left is one by rows.
// BUFFER(0): float 1 2 3 4 5 6
// BUFFER(1): float 0*11
// EXPECT(1): float 9 12 15 6 15 4 1 4 -2 7 14
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float* p [[buffer(0)]], device float* out [[buffer(1)]]) {
    const float2x3 m = float2x3(float3(p[0], p[1], p[2]), float3(p[3], p[4], p[5]));
    const float3 a = m * float2(1, 2);
    out[0] = a.x;
    out[1] = a[1];
    out[2] = a.z;
    const float2 b = float3(1) * m;
    out[3] = b.x;
    out[4] = b.y;
    const float3x2 t = transpose(m);
    out[5] = t[0][1];
    out[6] = t[0].x;
    float2x2 s = float2x2(1, 2, 3, 4);
    out[7] = s[1].y;
    out[8] = determinant(s);
    s[0][1] = 5;
    out[9] = (s * s * float2(1, 0)).x - 9;
    out[10] = (t * m)[0].x;
}
