// Functions of one float and of two, as Python's `math` has them; two units in the last place are
// what rounding a formula twice may cost. Then the same of halves, as vectors.
// BUFFER(0): float 0.4375 2.75
// BUFFER(1): float 0*42
// BUFFER(2): half 0*12
// EXPECT(1): float ~2 0.42367625720393803 0.9058136834259364 0.4677300254523918 0.4528165947449256 1.1179797320499711 0.4124104415973873 0.45159088610312054 1.0972394125310125 0.4115700556740224 0.424624113151299 0.46913481929646517 1.5488302986341331 1.3542555469368927 2.7384196342643614 -0.8266785731844679 -1.1926450779423958 -0.359021942641668 0.6614378277661477 1.5118578920369088 0.9807852804032304
// EXPECT(1): float ~2 0.19509032201612833 5.027339492125846 1.66991903058777 0.15776873759595397 1.5567112126386249 1.5567112126386249 0.125 0.1590909090909091 0.06787659654395191 1.015625 0.203125 0.25 2.784583676243183 0.3 -0.9539392014169457 1 0 2.75 0.4375 1 1.0000001192092896 0.9875803063351138
// EXPECT(2): half ~1 0.42367625720393803 15.642631884188171 -0.8266785731844679 1.0972394125310125
// EXPECT(2): half ~1 0.15776873759595397 1.4130275891989426 0.7853981633974483 0.7853981633974483
// EXPECT(2): half ~0 -0.00048828125 0.25 1 -0.25
#include <metal_stdlib>
using namespace metal;

void halves(half x, half y, device half4* out) {
    out[0] = half4(sin(half2(x)).x, exp(half2(x, y)).y, log(x), cosh(x));
    out[1] = atan2(half4(x, y, x, y), half4(y, x, x, y));
    // The product has more digits than a half.
    out[2].x = fma(1.00097656h, -1.00097656h, 1.00195312h + 0.0h) - 0.00048732757568359375h;
    out[2].y = fract(-2.75h);
    out[2].z = saturate(y);
    out[2].w = copysign(0.25h, -x);
}

kernel void k(device const float* in [[buffer(0)]], device float* out [[buffer(1)]], device half4* h [[buffer(2)]]) {
    const float x = in[0], y = in[1];
    out[0] = sin(x);
    out[1] = cos(x);
    out[2] = tan(x);
    out[3] = asin(x);
    out[4] = acos(x);
    out[5] = atan(x);
    out[6] = sinh(x);
    out[7] = cosh(x);
    out[8] = tanh(x);
    out[9] = asinh(x);
    out[10] = atanh(x);
    out[11] = exp(x);
    out[12] = exp2(x);
    out[13] = exp10(x);
    out[14] = log(x);
    out[15] = log2(x);
    out[16] = log10(x);
    out[17] = sqrt(x);
    out[18] = rsqrt(x);
    out[19] = sinpi(x);
    out[20] = cospi(x);
    out[21] = tanpi(x);
    out[22] = acosh(y);
    out[23] = atan2(x, y);
    out[24] = pow(y, x);
    out[25] = powr(y, x);
    out[26] = fmod(y, x);
    out[27] = divide(x, y);
    out[28] = smoothstep(0.0f, y, x);
    out[29] = mix(x, y, 0.25f);
    out[30] = fma(x, y, -1.0f);
    out[31] = fract(-y);
    out[32] = length(float2(x, y));
    out[33] = refract(normalize(float2(3, -4)), float2(0, 1), 0.5f).x;
    out[34] = refract(normalize(float2(3, -4)), float2(0, 1), 0.5f).y;
    out[35] = step(x, x);
    out[36] = step(y, x);
    out[37] = fmax3(x, y, 1.0f);
    out[38] = fmin3(x, y, 1.0f);
    out[39] = median3(x, y, 1.0f);
    out[40] = nextafter(1.0f, 2.0f);
    out[41] = normalize(float3(x, y, 0)).y;
    halves(half(x), half(y), h);
}
