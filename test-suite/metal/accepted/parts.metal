// Functions with two results, and those that take floats apart. Numbers of Python's `math`.
// BUFFER(0): float 10.75 -0.1 0.3
// BUFFER(1): float 0*17
// BUFFER(2): half 0*5
// EXPECT(1): float 0.75 10 0.671875 4 43 ~1 0.29552020666133955 0.955336489125606 ~0 -0 3 10.75 ~1 -0.5877852522924731 0.5877852522924731 ~0 10 -0.1 0.3 0.75 1
// EXPECT(2): half 0.75 10 ~1 0.29552020666133955 ~0 5.375 -0.099976
#include <metal_stdlib>
using namespace metal;

void halves(float3 p, device half* out) {
    half whole, cosine;
    out[0] = modf(half(p.x), whole);
    out[1] = whole;
    out[2] = sincos(half(p.z), cosine);
    out[3] = ldexp(half(p.x), -1);
    out[4] = fmax(half(p.y), -1.0h);
}

kernel void k(constant packed_float3& p [[buffer(0)]], device float* out [[buffer(1)]], device half* h [[buffer(2)]]) {
    float whole, cosine;
    out[0] = modf(p[0], whole);
    out[1] = whole;
    int exponent;
    out[2] = frexp(p[0], exponent);
    out[3] = float(exponent);
    out[4] = ldexp(p[0], 2);
    out[5] = sincos(p[2], cosine);
    out[6] = cosine;
    float3 wholes;
    const float3 rest = modf(float3(p) * 0.0f, wholes);
    out[7] = rest.y;
    out[8] = float(ilogb(p.x));
    out[9] = copysign(p.x, 1.0f);
    out[10] = sinpi(p.y * 2.0f);
    out[11] = cospi(0.3f);
    const float3 v = select(p, float3(wholes.x + 10, 1, 2), bool3(true, false, false));
    out[12] = v.x;
    out[13] = v.y;
    out[14] = v.z;
    out[15] = fdim(p.x, 10);
    out[16] = float(isinf(numeric_limits<float>::infinity()) && !isnormal(0x1p-127f) && signbit(p.y));
    halves(p, h);
}
