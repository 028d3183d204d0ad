#include "hand.cuh"

#define D 10
#define K 25

// By the points; the terms are computed again for the derivative.
__device__ inline float term(const float x[D], const float* c)
{
    float s = 0;
#pragma unroll
    for (int i = 0; i < D; i++)
    {
        float y = (x[i] - c[1 + i]) * c[1 + D + i];
        s += y * y;
    }
    return c[0] - 0.5f * s;
}

// The largest term, and the sum of all terms' exponentials beside it.
__device__ inline void addUp(const float x[D], const float* components, float& most, float& sum)
{
    for (int k = 0; k < K; k++)
    {
        float t = term(x, components + k * 21), next = fmaxf(most, t);
        sum = sum * expf(most - next) + expf(t - next);
        most = next;
    }
}

extern "C" __global__ void __launch_bounds__(128) primal(
    Buffer<const float> points, Buffer<const float> components, Buffer<float> sums, Buffer<float> result, uint count)
{
    uint id = blockIdx.x * 128 + threadIdx.x;
    float x[D], most = -1e30f, sum = 0;
    for (int i = 0; i < D; i++)
        x[i] = points.data[id + i * count];
    addUp(x, components.data, most, sum);
    result.data[id] = logf(sum) + most;
}

extern "C" __global__ void __launch_bounds__(128) reverse(
    Buffer<const float> points, Buffer<const float> components, Buffer<float> sums, Buffer<float> result, uint count)
{
    uint id = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32;
    float x[D], most = -1e30f, sum = 0, dx[D] = {};
    for (int i = 0; i < D; i++)
        x[i] = points.data[id + i * count];
    addUp(x, components.data, most, sum);
    float inverse = 1 / sum;
#ifdef COMPONENTS
    __shared__ float total[K * 21];
    for (uint i = threadIdx.x; i < K * 21; i += 128)
        total[i] = 0;
    __syncthreads();
#endif
    for (int k = 0; k < K; k++)
    {
        const float* c = components.data + k * 21;
        float weight = expf(term(x, c) - most) * inverse;
#ifdef COMPONENTS
        float w = waveSum(weight);
        if (lane == 0)
            atomicAdd(total + k * 21, w);
#endif
#pragma unroll
        for (int i = 0; i < D; i++)
        {
            float d = x[i] - c[1 + i], s = c[1 + D + i], g = -weight * d * s * s;
            dx[i] += g;
#ifdef COMPONENTS
            float a = waveSum(-g), b = waveSum(-weight * d * d * s);
            if (lane == 0)
            {
                atomicAdd(total + k * 21 + 1 + i, a);
                atomicAdd(total + k * 21 + 1 + D + i, b);
            }
#endif
        }
    }
#ifdef COMPONENTS
    __syncthreads();
    for (uint i = threadIdx.x; i < K * 21; i += 128)
        atomicAdd(sums.data + i, total[i]);
#endif
    for (int i = 0; i < D; i++)
        result.data[id + i * count] = dx[i];
}
