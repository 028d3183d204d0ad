#include "hand.cuh"

// Both rows of the Jacobian at once, from the chain of 2 by 3 and 3 by 3 matrices.
template <bool DERIVE>
__device__ inline void both(const float* in, float* out, uint id, uint count)
{
    auto at = [&](int i) { return in[id + i * count]; };
    float3 r = make_float3(at(0), at(1), at(2)), center = make_float3(at(3), at(4), at(5));
    float3 x = make_float3(at(11), at(12), at(13) + 4.0f) - center;
    float focal = at(6), k1 = at(9), k2 = at(10), weight = at(14);
    float angle2 = dot(r, r), inverse = rsqrtf(angle2), angle = angle2 * inverse, s, c;
    sincosf(angle, &s, &c);
    float3 axis = r * inverse, turned = cross(axis, x);
    float along = dot(axis, x);
    float3 p = x * c + turned * s + axis * (along * (1 - c));
    float iz = 1 / p.z, u = p.x * iz, v = p.y * iz, r2 = u * u + v * v, distortion = 1 + k1 * r2 + k2 * r2 * r2;
    float scale = distortion * focal, ex = u * scale + at(7) - at(15), ey = v * scale + at(8) - at(16);
    if (!DERIVE)
    {
        out[id] = ex * weight;
        out[id + count] = ey * weight;
        return;
    }
    float slope = 2 * (k1 + 2 * k2 * r2) * focal;
    float uu = scale + slope * u * u, uv = slope * u * v, vv = scale + slope * v * v;
    for (int row = 0; row < 2; row++)
    {
        float du = (row ? uv : uu) * weight, dv = (row ? vv : uv) * weight, e = row ? v : u;
        float3 d = make_float3(du * iz, dv * iz, -(du * u + dv * v) * iz);
        // By the point before it is turned: the turn's transpose.
        float3 dx = d * c + cross(d, axis) * s + axis * (dot(axis, d) * (1 - c));
        float dangle = -s * dot(d, x) + c * dot(d, turned) + s * along * dot(d, axis);
        float3 daxis = cross(x, d) * s + d * (along * (1 - c)) + x * (dot(d, axis) * (1 - c));
        float3 dr = axis * dangle + (daxis - axis * dot(axis, daxis)) * inverse;
        float* to = out + id + row * 15 * count;
        float values[15] = {dr.x, dr.y, dr.z, -dx.x, -dx.y, -dx.z, e * distortion * weight, row ? 0 : weight, row ? weight : 0,
                            e * r2 * focal * weight, e * r2 * r2 * focal * weight, dx.x, dx.y, dx.z, row ? ey : ex};
        for (int i = 0; i < 15; i++)
            to[i * count] = values[i];
    }
}

extern "C" __global__ void __launch_bounds__(128) primal(Buffer<const float> planes, Buffer<float> result, uint count)
{
    both<false>(planes.data, result.data, blockIdx.x * 128 + threadIdx.x, count);
}

extern "C" __global__ void __launch_bounds__(128) reverse(Buffer<const float> planes, Buffer<float> result, uint count)
{
    both<true>(planes.data, result.data, blockIdx.x * 128 + threadIdx.x, count);
}
