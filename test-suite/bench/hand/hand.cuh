// What the derivatives by hand share: how buffers come (as slangc's CUDA text takes them), vectors of three, and sums over waves and groups.
#pragma once
#include <cstddef>

template <class T>
struct Buffer
{
    T* data;
    size_t count;
};

typedef unsigned int uint;

__device__ inline float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ inline float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// The sum over the lanes of a wave, in the first of them.
__device__ inline float waveSum(float value)
{
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(~0u, value, d);
    return value;
}

// Adds one number of each thread of a group to a place.
__device__ inline void groupAdd(float* to, float value)
{
    __shared__ float waves[32];
    uint wave = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = waveSum(value);
    __syncthreads();
    if (lane == 0)
        waves[wave] = sum;
    __syncthreads();
    if (wave == 0)
    {
        sum = waveSum(lane < blockDim.x / 32 ? waves[lane] : 0.0f);
        if (lane == 0)
            atomicAdd(to, sum);
    }
}

// As many sums over the lanes of a wave at once as a power of two says: in each round half of the numbers go to the lane across, and twice as many
// lanes' sums come together. Lane k below `N` has the sum of number `whichOf<N>(k)`, and so have those that differ in higher bits only.
template <int N>
__device__ inline float waveSums(float (&part)[N])
{
    uint lane = threadIdx.x + blockDim.x * threadIdx.y;
    int bit = 1;
#pragma unroll
    for (int half = N / 2; half > 0; half /= 2, bit *= 2)
    {
        bool odd = lane & bit;
#pragma unroll
        for (int i = 0; i < N / 2; i++)
        {
            if (i >= half)
                break;
            float give = odd ? part[i] : part[i + half], keep = odd ? part[i + half] : part[i];
            part[i] = keep + __shfl_xor_sync(~0u, give, bit);
        }
    }
    float sum = part[0];
#pragma unroll
    for (bit = N; bit < 32; bit *= 2)
        sum += __shfl_xor_sync(~0u, sum, bit);
    return sum;
}

// The bits of a lane's number below `N`, the other way round.
template <int N>
__device__ inline uint whichOf(uint lane)
{
    uint which = 0;
#pragma unroll
    for (int bit = 1; bit < N; bit *= 2)
        which = which * 2 + ((lane & bit) != 0);
    return which;
}
