// Numbers of plain formulas: sin 0.5, exp 1, pow(2, 10), and exact ones.
// BUFFER(0): float 0.5 1 2 -3.75
// BUFFER(1): float 0*20
// EXPECT(1): float ~1 0.479425538604203 2.718281828459045 1024 ~0 -4 -3 -3 -4 -4 3.75 -0.75 0.25 ~1 1.0986122886681098 0.7071067811865476 ~0 1 -1 2 0.5 -1.5 1 4
#include <metal_stdlib>
using namespace metal;

kernel void k(device const float* p [[buffer(0)]], device float* out [[buffer(1)]]) {
    out[0] = sin(p[0]);
    out[1] = precise::exp(p[1]);
    out[2] = pow(p[2], 10.0f);
    out[3] = floor(p[3]);
    out[4] = ceil(p[3]);
    out[5] = trunc(p[3]);
    out[6] = rint(p[3]);
    out[7] = round(p[3]);
    out[8] = abs(p[3]);
    out[9] = fmod(p[3], 1.5f);
    out[10] = fract(p[3]);
    out[11] = log(3.0f);
    out[12] = rsqrt(p[2]);
    out[13] = float(isnan(p[0] / 0.0f - p[0] / 0.0f));
    out[14] = sign(p[3]);
    out[15] = fast::clamp(5.0f, p[0], p[2]);
    out[16] = saturate(p[0]);
    out[17] = mix(p[0], p[3] + p[0] + 0.75f, 0.666666687f) < -1.0f ? -1.5f : 0.0f;
    out[18] = fma(p[0], p[2], 0.0f);
    out[19] = max(p[3], 4.0f) * step(p[0], p[2]);
}
