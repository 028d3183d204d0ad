// A path is kept as the weights of its bounces; the derivative by each is the product of all others and of the sky, from the last bounce to the first.
#include "hand.cuh"

__device__ inline float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
__device__ inline float3 unit(float3 a) { return a * (1 / sqrtf(dot(a, a))); }

__device__ inline float next(uint& state)
{
    state = state * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return float(((word >> 22) ^ word) >> 8) / 16777216.0f;
}

__device__ inline int closest(float3 origin, float3 direction, float3& position, float3& normal)
{
    const float4 spheres[3] = {{0, -100.5f, 0, 100}, {-0.55f, 0, 0, 0.5f}, {0.55f, 0, 0, 0.5f}};
    float nearest = 1e9f;
    int found = -1;
#pragma unroll
    for (int i = 0; i < 3; i++)
    {
        float4 s = spheres[i];
        float3 center = make_float3(s.x, s.y, s.z), away = origin - center;
        float b = dot(away, direction), inside = b * b - dot(away, away) + s.w * s.w;
        float t = -b - sqrtf(fmaxf(inside, 0));
        if (inside > 0 && t > 1e-3f && t < nearest)
        {
            nearest = t;
            found = i;
            position = origin + direction * t;
            normal = (position - center) * (1 / s.w);
        }
    }
    return found;
}

__device__ inline float3 sky(float3 direction)
{
    float up = 0.5f * direction.y + 0.5f;
    float s = fmaxf(dot(direction, unit(make_float3(0.5f, 0.8f, 0.3f))), 0.0f);
    s *= s;
    s *= s;
    s *= s;
    float3 low = make_float3(0.9f, 0.8f, 0.7f), high = make_float3(0.4f, 0.6f, 1.0f);
    return low + (high - low) * up + make_float3(3, 3, 3) * s;
}

struct Bounce
{
    int sphere;
    // What came before it, and what it does.
    float3 before, weight;
    float lobeByRoughness;
};

// What a path lets through, by channel, and the light at its end: none if it is given up.
template <bool DERIVE>
__device__ inline float3 follow(const float* values, uint seed, float3 direction, Bounce (&bounces)[5], float3& light)
{
    uint state = seed;
    float3 origin = make_float3(0, 0.2f, 2.5f), throughput = make_float3(1, 1, 1);
    bool alive = true;
    light = make_float3(0, 0, 0);
#pragma unroll
    for (int k = 0; k < 5; k++)
    {
        if (DERIVE)
            bounces[k].sphere = -1;
        if (!alive)
            continue;
        float3 position = origin, n = direction;
        int sphere = closest(origin, direction, position, n);
        if (sphere < 0)
        {
            light = sky(direction);
            alive = false;
            continue;
        }
        float angle = 2 * 3.14159265f * next(state), height = 2 * next(state) - 1;
        float ring = sqrtf(fmaxf(1 - height * height, 0)), sine, cosine;
        sincosf(angle, &sine, &cosine);
        float3 l = unit(n + make_float3(ring * cosine, height, ring * sine) * 0.999f);
        float3 weight = make_float3(values[sphere * 3], values[sphere * 3 + 1], values[sphere * 3 + 2]);
        if (sphere == 2)
        {
            float r = values[9], exponent = 2 / (r * r) - 2;
            float3 v = direction * -1;
            float c = fmaxf(dot(n * (2 * dot(n, v)) - v, l), 1e-3f), power = powf(c, exponent);
            float lobe = 0.3f * (exponent + 2) / 2 * power;
            weight = weight * 0.7f + make_float3(lobe, lobe, lobe);
            if (DERIVE)
                bounces[k].lobeByRoughness = 0.3f * power * (0.5f + (exponent + 2) / 2 * logf(c)) * -4 / (r * r * r);
        }
        bool go = k < 2 || next(state) <= 0.75f;
        if (DERIVE)
        {
            bounces[k].sphere = sphere;
            bounces[k].before = throughput * (k > 1 ? 1 / 0.75f : 1.0f);
            bounces[k].weight = weight * (k > 1 ? 1 / 0.75f : 1.0f);
        }
        throughput = throughput * weight * (k > 1 ? 1 / 0.75f : 1.0f);
        alive = go;
        origin = position;
        direction = l;
    }
    return throughput;
}

__device__ inline float3 towards(uint i, uint width)
{
    float x = (i % width + 0.5f) / width, y = (i / width % width + 0.5f) / width;
    return unit(make_float3(2 * x - 1, 1 - 2 * y, -2));
}

extern "C" __global__ void __launch_bounds__(128)
    primal(Buffer<const float> values, Buffer<float> sums, Buffer<float> result, uint width)
{
    uint id = blockIdx.x * 128 + threadIdx.x;
    Bounce unused[5];
    float3 light;
    float3 through = follow<false>(values.data, id * 104729u, towards(id, width), unused, light);
    result.data[id] = dot(through, light) / 3;
}

extern "C" __global__ void __launch_bounds__(128) reverse(Buffer<const float> values, Buffer<float> sums, uint width)
{
    __shared__ float total[10];
    uint id = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32;
    if (threadIdx.x < 10)
        total[threadIdx.x] = 0;
    __syncthreads();
    Bounce bounces[5];
    float3 light;
    follow<true>(values.data, id * 104729u, towards(id, width), bounces, light);
    float part[16] = {};
    if (light.x > 0)
    {
        float3 after = light * (1.0f / 3);
#pragma unroll
        for (int k = 4; k >= 0; k--)
        {
            if (bounces[k].sphere < 0)
                continue;
            float3 by = bounces[k].before * after;
            bool shiny = bounces[k].sphere == 2;
            float scale = shiny ? 0.7f : 1.0f;
#pragma unroll
            for (int s = 0; s < 3; s++)
            {
                bool here = bounces[k].sphere == s;
                part[s * 3] += here ? by.x * scale : 0;
                part[s * 3 + 1] += here ? by.y * scale : 0;
                part[s * 3 + 2] += here ? by.z * scale : 0;
            }
            part[9] += shiny ? (by.x + by.y + by.z) * bounces[k].lobeByRoughness : 0;
            after = after * bounces[k].weight;
        }
    }
    float sum = waveSums(part);
    uint which = whichOf<16>(lane);
    if (lane < 16 && which < 10)
        atomicAdd(&total[which], sum);
    __syncthreads();
    if (threadIdx.x < 10)
        atomicAdd(&sums.data[threadIdx.x], total[threadIdx.x]);
}
