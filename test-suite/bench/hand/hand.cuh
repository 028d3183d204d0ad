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
