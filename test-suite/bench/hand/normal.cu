#include "hand.cuh"

__device__ inline float3 at(const float* p, uint id, uint count) { return make_float3(p[id], p[id + count], p[id + 2 * count]); }
__device__ inline void put(float* p, uint id, uint count, float3 v)
{
    p[id] = v.x;
    p[id + count] = v.y;
    p[id + 2 * count] = v.z;
}

// The derivative of `a / |a|`, of which `unit` is the value and `inverse` 1 / |a|.
__device__ inline float3 back(float3 unit, float inverse, float3 d) { return (d - unit * dot(unit, d)) * inverse; }

template <bool DERIVE>
__device__ inline void both(const float* in, float* out, uint id, uint count)
{
    const float3 light = make_float3(0.36f, 0.48f, 0.8f);
    float3 map = at(in, id, count), normal = at(in + 3 * count, id, count), tangent = at(in + 6 * count, id, count);
    float in1 = rsqrtf(dot(normal, normal));
    float3 n = normal * in1;
    float along = dot(n, tangent);
    float3 u = tangent - n * along;
    float it = rsqrtf(dot(u, u));
    float3 t = u * it, b = cross(n, t), raw = map * 2.0f - make_float3(1, 1, 1);
    float im = rsqrtf(dot(raw, raw));
    float3 m = raw * im, sum = t * m.x + b * m.y + n * m.z;
    float iw = rsqrtf(dot(sum, sum));
    float3 world = sum * iw;
    if (!DERIVE)
    {
        out[id] = dot(world, light);
        return;
    }
    float3 dsum = back(world, iw, light);
    float3 dm = make_float3(dot(dsum, t), dot(dsum, b), dot(dsum, n));
    float3 dt = dsum * m.x, db = dsum * m.y, dn = dsum * m.z;
    // b = n x t
    dn = dn + cross(t, db);
    dt = dt + cross(db, n);
    float3 du = back(t, it, dt);
    float dalong = -dot(du, n);
    dn = dn - du * along + tangent * dalong;
    put(out, id, count, back(m, im, dm) * 2.0f);
    put(out + 3 * count, id, count, back(n, in1, dn));
    put(out + 6 * count, id, count, du + n * dalong);
}

extern "C" __global__ void __launch_bounds__(256) primal(Buffer<const float> planes, Buffer<float> result, uint count)
{
    both<false>(planes.data, result.data, blockIdx.x * 256 + threadIdx.x, count);
}

extern "C" __global__ void __launch_bounds__(256) reverse(Buffer<const float> planes, Buffer<float> result, uint count)
{
    both<true>(planes.data, result.data, blockIdx.x * 256 + threadIdx.x, count);
}
