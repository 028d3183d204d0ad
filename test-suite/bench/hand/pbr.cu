#include "hand.cuh"

__device__ inline float3 direction(float x, float y)
{
    float s = rsqrtf(x * x + y * y + 1);
    return make_float3(x * s, y * s, s);
}

template <bool DERIVE>
__device__ inline void both(const float* in, float* out, uint id, uint count)
{
    const float PI = 3.14159265f, luma[3] = {0.2126f, 0.7152f, 0.0722f};
    float base[3] = {in[id], in[id + count], in[id + 2 * count]};
    float r = in[id + 3 * count], metal = in[id + 4 * count];
    float3 n = direction(in[id + 5 * count], in[id + 6 * count]), v = direction(in[id + 7 * count], 0.1f);
    float3 l = direction(0.3f, -0.2f), h = v + l;
    h = h * rsqrtf(dot(h, h));
    float nl = fmaxf(dot(n, l), 1e-4f), nv = fmaxf(dot(n, v), 1e-4f), nh = fmaxf(dot(n, h), 0.0f), vh = fmaxf(dot(v, h), 0.0f);
    float a = r * r, a2 = a * a, d = nh * nh * (a2 - 1) + 1, inverse = 1 / (PI * d * d), D = a2 * inverse;
    float k = (r + 1) * (r + 1) / 8, gl = 1 / (nl * (1 - k) + k), gv = 1 / (nv * (1 - k) + k), G = nl * nv * gl * gv;
    float m = 1 - vh, m5 = m * m * (m * m) * m, quarter = 1 / (4 * nl * nv), scale = D * G * quarter;
    float sum = 0, dscale = 0, dmetal = 0, rest = (1 - metal) / PI;
    for (int c = 0; c < 3; c++)
    {
        float f0 = 0.04f * (1 - metal) + base[c] * metal, F = f0 + (1 - f0) * m5;
        sum += luma[c] * (F * scale + (1 - F) * base[c] * rest) * nl;
        if (DERIVE)
        {
            float g = luma[c] * nl, df0 = g * (scale - base[c] * rest) * (1 - m5);
            dscale += g * F;
            out[id + c * count] = g * (1 - F) * rest + df0 * metal;
            dmetal += df0 * (base[c] - 0.04f) - g * (1 - F) * base[c] / PI;
        }
    }
    if (!DERIVE)
    {
        out[id] = sum;
        return;
    }
    float common = dscale * quarter, dD = common * G, dG = common * D;
    float da2 = dD * inverse * (1 - 2 * a2 * nh * nh / d);
    float dk = -dG * G * ((1 - nl) * gl + (1 - nv) * gv);
    out[id + 3 * count] = da2 * 4 * a * r + dk * (r + 1) / 4;
    out[id + 4 * count] = dmetal;
}

extern "C" __global__ void __launch_bounds__(256) primal(Buffer<const float> planes, Buffer<float> result, uint count)
{
    both<false>(planes.data, result.data, blockIdx.x * 256 + threadIdx.x, count);
}

extern "C" __global__ void __launch_bounds__(256) reverse(Buffer<const float> planes, Buffer<float> result, uint count)
{
    both<true>(planes.data, result.data, blockIdx.x * 256 + threadIdx.x, count);
}
