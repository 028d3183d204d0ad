// Where texels of three dimensions lie, and what each address mode takes beside an edge.
// TEXTURE(0): 3x2x2 1 1 float 0*4 1*4 2*4 10*4 11*4 12*4 100*4 101*4 102*4 110*4 111*4 112*4
// BUFFER(0): float 0*10
// EXPECT(0): float 112 101 10 2 2 0 1 0 0 105.5
#include <metal_stdlib>
using namespace metal;

kernel void k(texture3d<float> t [[texture(0)]], device float* out [[buffer(0)]]) {
    out[0] = t.read(uint3(2, 1, 1)).x;
    out[1] = t.read(uint3(1, 0, 1)).y;
    out[2] = t.read(uint3(0, 1, 0)).w;
    constexpr sampler mirrored(coord::pixel, address::mirrored_repeat);
    out[3] = t.sample(mirrored, float3(3.5f, 0.5f, 0.5f)).x;
    out[4] = t.sample(mirrored, float3(-2.5f, 0.5f, 0.5f)).x;
    out[5] = t.sample(mirrored, float3(6.5f, -0.5f, 0.5f)).x;
    constexpr sampler repeated(coord::pixel, s_address::repeat, t_address::clamp_to_edge, r_address::clamp_to_zero);
    out[6] = t.sample(repeated, float3(4.5f, -3, 0.5f)).x;
    out[7] = t.sample(repeated, float3(4.5f, 0, 2.5f)).x;
    out[8] = t.sample(repeated, float3(-3, 0, 0)).x;
    constexpr sampler linear(filter::linear);
    out[9] = t.sample(linear, float3(0.33333334f, 0.5f, 0.75f)).x;
}
