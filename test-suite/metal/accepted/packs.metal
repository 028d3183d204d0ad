// Numbers in words: 0x80 of 255, -127 of 127, and halves.
// BUFFER(0): uint 0xff008001 0x7fff8001
// BUFFER(1): float 0*8
// BUFFER(2): uint 0*4
// EXPECT(1): float ~1 0.00392156862745098 0.50196078431372549 0 1 -1 1 0 0.00787401574803149
// EXPECT(2): uint 0xff80007f 0x7fff8001 0xc0bf 0x81817f
#include <metal_stdlib>
using namespace metal;

kernel void k(device const uint* words [[buffer(0)]], device float4* out [[buffer(1)]], device uint* to [[buffer(2)]]) {
    out[0] = unpack_unorm4x8_to_float(words[0]);
    const half2 ends = unpack_snorm2x16_to_half(words[1]);
    out[1] = float4(float2(ends), unpack_snorm4x8_to_float(words[0]).zx);
    to[0] = pack_float_to_unorm4x8(float4(0.5f - 0x1p-12f, -1, 0.5f + 0x1p-9f, 2));
    to[1] = pack_float_to_snorm2x16(float2(-1, 1));
    to[2] = pack_half_to_unorm2x16(half2(0.75293h, 0));
    to[3] = pack_half_to_snorm4x8(half4(1, -1, -1.008h, 0));
}
