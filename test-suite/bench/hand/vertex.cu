#include "hand.cuh"

extern "C" __global__ void __launch_bounds__(256)
    primal(Buffer<const float4> vertices, Buffer<const float> matrix, Buffer<float> sums, Buffer<float4> result)
{
    uint id = blockIdx.x * 256 + threadIdx.x;
    float4 v = vertices.data[id];
    float out[4];
    for (int r = 0; r < 4; r++)
    {
        const float* m = matrix.data + 4 * r;
        out[r] = m[0] * v.x + m[1] * v.y + m[2] * v.z + m[3] * v.w;
    }
    result.data[id] = make_float4(out[0], out[1], out[2], out[3]);
}

extern "C" __global__ void __launch_bounds__(256) reverse(
    Buffer<const float4> vertices, Buffer<const float4> cotangents, Buffer<const float> matrix, Buffer<float> sums, Buffer<float4> result)
{
    __shared__ float total[16];
    uint id = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x < 16)
        total[threadIdx.x] = 0;
    __syncthreads();
    float4 v = vertices.data[id], c = cotangents.data[id];
    const float* m = matrix.data;
    result.data[id] = make_float4(
        m[0] * c.x + m[4] * c.y + m[8] * c.z + m[12] * c.w,
        m[1] * c.x + m[5] * c.y + m[9] * c.z + m[13] * c.w,
        m[2] * c.x + m[6] * c.y + m[10] * c.z + m[14] * c.w,
        m[3] * c.x + m[7] * c.y + m[11] * c.z + m[15] * c.w);
    float rows[4] = {c.x, c.y, c.z, c.w}, columns[4] = {v.x, v.y, v.z, v.w};
    float part[16];
#pragma unroll
    for (int i = 0; i < 16; i++)
        part[i] = rows[i / 4] * columns[i % 4];
    float sum = waveSums(part);
    uint which = whichOf<16>(lane);
    if (lane < 16)
        atomicAdd(total + which, sum);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(sums.data + threadIdx.x, total[threadIdx.x]);
}
