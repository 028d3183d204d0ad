#include "hand.cuh"

// The encoded channel, and its derivative by the linear one.
__device__ inline float2 encoded(float linear)
{
    float c = fmaxf(linear, 0.0f);
    if (c <= 0.0031308f)
        return make_float2(logf(1 + 12.92f * c), linear > 0 ? 12.92f / (1 + 12.92f * c) : 0.0f);
    float power = powf(c, 1 / 2.4f), srgb = 1.055f * power - 0.055f;
    return make_float2(logf(1 + srgb), 1.055f / 2.4f * power / (c * (1 + srgb)));
}

template <bool DERIVE>
__device__ inline float pixel(const float* image, const float* target, float exposure, float* out, uint id, uint count)
{
    float loss = 0, dexposure = 0;
    for (int i = 0; i < 3; i++)
    {
        float color = image[id + i * count];
        float2 e = encoded(color * exposure);
        float d = e.x - target[id + i * count], g = 2 * d * e.y;
        loss += d * d;
        if (DERIVE)
        {
            dexposure += g * color;
            out[id + i * count] = g * exposure;
        }
    }
    return DERIVE ? dexposure : loss;
}

extern "C" __global__ void __launch_bounds__(256) primal(
    Buffer<const float> image, Buffer<const float> target, Buffer<const float> exposure, Buffer<float> sums, uint count)
{
    uint id = blockIdx.x * 256 + threadIdx.x;
    groupAdd(sums.data, pixel<false>(image.data, target.data, exposure.data[0], nullptr, id, count));
}

extern "C" __global__ void __launch_bounds__(256) reverse(
    Buffer<const float> image, Buffer<const float> target, Buffer<const float> exposure, Buffer<float> sums, Buffer<float> result, uint count)
{
    uint id = blockIdx.x * 256 + threadIdx.x;
    groupAdd(sums.data, pixel<true>(image.data, target.data, exposure.data[0], result.data, id, count));
}
