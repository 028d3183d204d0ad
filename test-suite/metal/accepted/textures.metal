// Reads, writes and samples: of a 2x2 texture with two levels, one with layers, and a 3D one.
// THREADS: 2 2
// TEXTURE(0): 2x2x1 1 2 float 1 0 0 1  2 0 0 1  3 0 0 1  4 0 0 1  10 0 0 1
// TEXTURE(1): 2x2x1 1 1 float 0*16
// TEXTURE(2): 1x1x2 1 1 uint 5 6 7 8  9 10 11 12
// TEXTURE(3): 1x1x1 2 1 int 1 2 3 4  -5 6 7 8
// SAMPLER(0): linear repeat
// BUFFER(0): float 0*11
// TEXELS(1): float 2 0 0 2  4 0 0 2  6 0 0 2  8 0 0 2
// EXPECT(0): float 2 2 10 14 -5 2.5 4 1 0.5 10 9
#include <metal_stdlib>
using namespace metal;

constexpr constant sampler fixed(coord::pixel, filter::nearest, address::clamp_to_edge);

struct Handed {
    texture2d<float> from;
    device float* out;
};
float corner(Handed h, sampler s) { return h.from.sample(s, float2(0.5f)).x; }

kernel void k(texture2d<float> from [[texture(0)]], texture2d<float, access::write> to [[texture(1)]],
              texture3d<uint, access::read_write> deep [[texture(2)]],
              texture2d_array<int, access::read> layers [[texture(3)]], sampler s [[sampler(0)]],
              device float* out [[buffer(0)]], uint2 i [[thread_position_in_grid]]) {
    const float4 texel = from.read(i);
    to.write(texel * 2.0f, i);
    if (i.x + i.y != 0) return;
    constexpr sampler zero(address::clamp_to_zero, filter::linear);
    out[0] = float(from.get_width());
    out[1] = float(from.get_num_mip_levels());
    out[2] = from.read(uint2(0), 1).x;
    deep.write(uint4(deep.read(uint3(0, 0, 1)).x + 5), uint3(0));
    out[3] = float(deep.read(ushort3(0)).w);
    out[4] = float(layers.read(uint2(0), 1).x);
    out[5] = corner(Handed{from, out}, s);
    out[6] = from.sample(fixed, float2(1.5f, 9.0f)).x;
    out[7] = from.sample(fixed, float2(-3, 0.5f)).x;
    out[8] = from.sample(zero, float2(0.25f, 0), level(0)).x;
    out[9] = from.sample(s, float2(0.7f), level(1.0f)).x;
    out[10] = float(deep.get_depth() + layers.get_array_size() + deep.read(uint3(0, 0, 1)).x - 4);
}
