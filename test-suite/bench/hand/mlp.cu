#include "hand.cuh"

#define N 32
#define OUT 3

// One unit of a layer, before tanh.
__device__ inline float unit(const float* w, const float in[N])
{
    float s = w[N];
#pragma unroll
    for (int j = 0; j < N; j++)
        s += w[j] * in[j];
    return s;
}

// What a layer's rows give, in registers throughout: the loops over units and inputs are unrolled by the compiler or by hand.
__device__ inline void layer(const float* w, const float in[N], float out[N])
{
#pragma unroll
    for (int i = 0; i < N; i++)
    {
        out[i] = tanhf(unit(w + i * (N + 1), in));
    }
}

extern "C" __global__ void __launch_bounds__(128)
    primal(Buffer<const float> inputs, Buffer<const float> weights, Buffer<float> sums, Buffer<float> result, uint count)
{
    uint id = blockIdx.x * 128 + threadIdx.x;
    float a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = inputs.data[id + i * count];
    layer(weights.data, a, b);
    layer(weights.data + N * (N + 1), b, a);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < OUT; i++)
    {
        const float* w = weights.data + (2 * N + i) * (N + 1);
        float s = unit(w, a);
        sum += s * s;
    }
    result.data[id] = sum;
}

// The derivative of a layer by its inputs, and by its weights where the group adds them up.
__device__ inline void back(const float* w, const float in[N], const float out[N], const float dout[N], float din[N], float* total)
{
    uint lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < N; j++)
        din[j] = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
    {
        float g = dout[i] * (1 - out[i] * out[i]);
#pragma unroll
        for (int j = 0; j < N; j++)
            din[j] += w[i * (N + 1) + j] * g;
#ifdef WEIGHTS
#pragma unroll
        for (int j = 0; j <= N; j++)
        {
            float s = waveSum(j < N ? g * in[j < N ? j : 0] : g);
            if (lane == 0)
                atomicAdd(total + i * (N + 1) + j, s);
        }
#endif
    }
}

extern "C" __global__ void __launch_bounds__(128)
    reverse(Buffer<const float> inputs, Buffer<const float> weights, Buffer<float> sums, Buffer<float> result, uint count)
{
    uint id = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32;
    float x[N], a[N], b[N], d[N], e[N];
    for (int i = 0; i < N; i++)
        x[i] = inputs.data[id + i * count];
    layer(weights.data, x, a);
    layer(weights.data + N * (N + 1), a, b);
    float* total = nullptr;
#ifdef WEIGHTS
    __shared__ float memory[(2 * N + OUT) * (N + 1)];
    total = memory;
    for (uint i = threadIdx.x; i < (2 * N + OUT) * (N + 1); i += 128)
        total[i] = 0;
    __syncthreads();
#endif
#pragma unroll
    for (int j = 0; j < N; j++)
        d[j] = 0;
#pragma unroll
    for (int i = 0; i < OUT; i++)
    {
        const float* w = weights.data + (2 * N + i) * (N + 1);
        float s = unit(w, b);
#pragma unroll
        for (int j = 0; j < N; j++)
            d[j] += w[j] * 2 * s;
#ifdef WEIGHTS
#pragma unroll
        for (int j = 0; j <= N; j++)
        {
            float g = waveSum(j < N ? 2 * s * b[j < N ? j : 0] : 2 * s);
            if (lane == 0)
                atomicAdd(total + (2 * N + i) * (N + 1) + j, g);
        }
#endif
    }
    back(weights.data + N * (N + 1), a, b, d, e, total + N * (N + 1));
    back(weights.data, x, a, e, d, total);
#ifdef WEIGHTS
    __syncthreads();
    for (uint i = threadIdx.x; i < (2 * N + OUT) * (N + 1); i += 128)
        atomicAdd(sums.data + i, total[i]);
#endif
    for (int i = 0; i < N; i++)
        result.data[id + i * count] = d[i];
}
