// Geometric functions, of packed vectors too; the angle of reflect and refract by hand.
// BUFFER(0): float 3 4 0 1 0 0
// BUFFER(1): float 0*14
// EXPECT(1): float 5 25 ~1 0.6 0.8 ~0 3 4 0 -3 -4 20 4.47213595499958 -3 4 1.5
#include <metal_stdlib>
using namespace metal;

struct In {
    packed_float3 v, x;
};

kernel void k(device const In* in [[buffer(0)]], device float* out [[buffer(1)]]) {
    const packed_float3 v = in->v;
    out[0] = length(v);
    out[1] = length_squared(in->v);
    const float3 n = normalize(v);
    out[2] = n.x;
    out[3] = n.y;
    out[4] = dot(v, in->x);
    const float3 c = cross(in->x, float3(v));
    out[5] = c.z;
    out[6] = c.y;
    const float3 away = faceforward(v, in->x, in->x);
    out[7] = away.x;
    out[8] = away.y;
    out[9] = distance_squared(v, in->x);
    out[10] = distance(float3(v), in->x);
    out[11] = reflect(v, in->x).x;
    const float2 straight = refract(float2(3, 4), float2(0, 0), 0.5f) * 1.0f;
    out[12] = reflect(v, in->x).y;
    out[13] = straight.x;
}
