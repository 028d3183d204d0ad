// Swizzles that are read and assigned, constructors of parts, operators by component.
// BUFFER(0): float 4
// BUFFER(1): float 0*12
// BUFFER(2): int 0*4
// EXPECT(1): float 2 1 5 1 24 2 2 1 0 8 -4 -1
// EXPECT(2): int -2 3 16 0
#include <metal_stdlib>
using namespace metal;

kernel void k(constant float& c [[buffer(0)]], device float* out [[buffer(1)]], device int4* ints [[buffer(2)]]) {
    float3 v = float3(c, 1, 2);
    v.zx = v.xy + 1;
    const float4 w = float4(v, 1);
    out[0] = w.x;
    out[1] = w.y;
    out[2] = w.b;
    out[3] = w[3];
    out[4] = dot(w.xz, float2(2, 4));
    out[5] = w.wzyx.w;
    float2 two = v.xy;
    two *= two.yx;
    out[6] = two.x;
    out[7] = float(all(v > 0.0f)) * float(any(v == 5.0f));
    out[8] = float(all(v > 1.0f));
    const float3 q = select(float3(8), v, v < float3(3, 0, 9));
    out[9] = q.y;
    const float3 crossed = cross(float3(1, 2, 0), float3(0, 1, 3) - float3(0, 0, 1));
    out[10] = -crossed.x;
    out[11] = min(crossed.y, float2(-1).x) + 1;
    int4 i = int4(7, -7, 1, 12);
    i.xy /= int2(-3, -2);
    i.z <<= 4;
    i.w &= ~i.w;
    *ints = i;
}
