// Waves pass over shapes that give nothing to any of their pixels, groups add up in their own memory, and once for each group to the buffer.
#include "hand.cuh"

#ifndef SHAPES
#define SHAPES 64
#endif

// Coverage, and what it changes by when the centre and the size do.
struct Covered
{
    float value, dx, dy, dw, dh;
};

__device__ inline Covered covered(float px, float py, const float* s, bool ellipse)
{
    float x = px - s[0], y = py - s[1], w = s[2], h = s[3], distance, dx, dy, dw, dh;
    if (ellipse)
    {
        float iw = 1 / w, ih = 1 / h, ux = x * iw, uy = y * ih, length = sqrtf(ux * ux + uy * uy + 1e-6f), least = fminf(w, h);
        distance = (length - 1) * least;
        float k = least / length;
        dx = -ux * iw * k;
        dy = -uy * ih * k;
        dw = -ux * ux * iw * k + (w < h ? length - 1 : w == h ? 0.5f * (length - 1) : 0.0f);
        dh = -uy * uy * ih * k + (h < w ? length - 1 : w == h ? 0.5f * (length - 1) : 0.0f);
    }
    else
    {
        float ax = fabsf(x) - w, ay = fabsf(y) - h;
        bool across = ax > ay;
        distance = across ? ax : ay;
        dx = across ? (x > 0 ? -1.0f : x < 0 ? 1.0f : 0.0f) : 0.0f;
        dy = across ? 0.0f : (y > 0 ? -1.0f : y < 0 ? 1.0f : 0.0f);
        dw = across ? -1.0f : 0.0f;
        dh = across ? 0.0f : -1.0f;
    }
    if (distance >= 40)
        return {};
    float e = expf(2 * distance), c = 1 / (1 + e), slope = -2 * e * c * c;
    return {c, slope * dx, slope * dy, slope * dw, slope * dh};
}

extern "C" __global__ void __launch_bounds__(256)
    primal(Buffer<const float> values, Buffer<float> sums, Buffer<float> result, uint width, uint count)
{
    uint x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, id = y * width + x;
    float r = 0, g = 0, b = 0;
    for (int i = 0; i < SHAPES; i++)
    {
        const float* s = values.data + i * 7;
        float c = covered(x, y, s, i % 2 == 0).value;
        r += s[4] * c;
        g += s[5] * c;
        b += s[6] * c;
    }
    result.data[id] = r;
    result.data[id + count] = g;
    result.data[id + 2 * count] = b;
}

extern "C" __global__ void __launch_bounds__(256)
    reverse(Buffer<const float> values, Buffer<float> sums, Buffer<const float> cotangents, uint width)
{
    __shared__ float total[SHAPES * 7];
    uint thread = threadIdx.y * 16 + threadIdx.x, lane = thread % 32;
    for (uint i = thread; i < SHAPES * 7; i += 256)
        total[i] = 0;
    __syncthreads();
    uint x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, from = (y * width + x) & 0xffff;
    float r = cotangents.data[from], g = cotangents.data[from + 1], b = cotangents.data[from + 2];
    for (int i = 0; i < SHAPES; i++)
    {
        const float* s = values.data + i * 7;
        Covered c = covered(x, y, s, i % 2 == 0);
        float d = r * s[4] + g * s[5] + b * s[6];
        float part[8] = {d * c.dx, d * c.dy, d * c.dw, d * c.dh, r * c.value, g * c.value, b * c.value, 0};
        bool some = false;
        for (int k = 0; k < 7; k++)
            some |= part[k] != 0;
        if (!__any_sync(~0u, some))
            continue;
        float sum = waveSums(part);
        uint which = whichOf<8>(lane);
        if (lane < 8 && which < 7)
            atomicAdd(total + i * 7 + which, sum);
    }
    __syncthreads();
    for (uint i = thread; i < SHAPES * 7; i += 256)
        atomicAdd(sums.data + i, total[i]);
}
