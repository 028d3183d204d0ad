#include "hand.cuh"

template <bool DERIVE>
__device__ inline void both(float2 place, const float4* texels, float* gradient, uint width, uint id, void* out)
{
    float x = place.x * width, y = place.y * width;
    int lowX = int(floorf(x)), lowY = int(floorf(y));
    float fx = x - lowX, fy = y - lowY;
    uint mask = width - 1, x0 = lowX & mask, y0 = lowY & mask, x1 = (x0 + 1) & mask, y1 = (y0 + 1) & mask;
    uint at[4] = {y0 * width + x0, y0 * width + x1, y1 * width + x0, y1 * width + x1};
    float4 t[4];
    for (int i = 0; i < 4; i++)
        t[i] = texels[at[i]];
    float w[4] = {(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy};
    if (!DERIVE)
    {
        float4 sum = make_float4(0, 0, 0, 0);
        for (int i = 0; i < 4; i++)
            sum = make_float4(sum.x + w[i] * t[i].x, sum.y + w[i] * t[i].y, sum.z + w[i] * t[i].z, sum.w + w[i] * t[i].w);
        ((float4*)out)[id] = sum;
        return;
    }
    const float g[4] = {1.0f, 0.5f, 0.25f, 0.125f};
    float s[4];
    for (int i = 0; i < 4; i++)
    {
        s[i] = g[0] * t[i].x + g[1] * t[i].y + g[2] * t[i].z + g[3] * t[i].w;
        for (int c = 0; c < 4; c++)
            atomicAdd(gradient + at[i] * 4 + c, w[i] * g[c]);
    }
    float dx = (s[1] - s[0]) * (1 - fy) + (s[3] - s[2]) * fy, dy = (s[2] - s[0]) * (1 - fx) + (s[3] - s[1]) * fx;
    ((float2*)out)[id] = make_float2(dx * width, dy * width);
}

extern "C" __global__ void __launch_bounds__(256)
    primal(Buffer<const float2> places, Buffer<const float4> texels, Buffer<float> sums, Buffer<float4> result, uint width)
{
    uint id = blockIdx.x * 256 + threadIdx.x;
    both<false>(places.data[id], texels.data, sums.data, width, id, result.data);
}

extern "C" __global__ void __launch_bounds__(256)
    reverse(Buffer<const float2> places, Buffer<const float4> texels, Buffer<float> sums, Buffer<float2> result, uint width)
{
    uint id = blockIdx.x * 256 + threadIdx.x;
    both<true>(places.data[id], texels.data, sums.data, width, id, result.data);
}
