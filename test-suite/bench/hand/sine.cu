// The loop with one tangent carried forward: nothing is stored.
#include "hand.cuh"

#ifdef TERMS
#define COUNT TERMS
#else
#define COUNT terms
#endif

extern "C" __global__ void __launch_bounds__(256) primal(Buffer<const float> x, Buffer<float> result, int terms)
{
    size_t id = blockIdx.x * 256 + threadIdx.x;
    float v = x.data[id], sum = 0, term = v, negated = -v * v;
    for (int i = 1; i <= COUNT; i++)
    {
        sum += term;
        term *= negated / float((2 * i) * (2 * i + 1));
    }
    result.data[id] = sum;
}

extern "C" __global__ void __launch_bounds__(256) reverse(Buffer<const float> x, Buffer<float> result, int terms)
{
    size_t id = blockIdx.x * 256 + threadIdx.x;
    float v = x.data[id], sum = 0, term = v, derivative = 1, negated = -v * v, twice = -2 * v;
    for (int i = 1; i <= COUNT; i++)
    {
        sum += derivative;
        float inverse = 1.0f / float((2 * i) * (2 * i + 1));
        derivative = (derivative * negated + term * twice) * inverse;
        term *= negated * inverse;
    }
    result.data[id] = sum;
}
