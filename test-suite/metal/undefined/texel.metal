// UNDEFINED: a texel that a texture does not have
// TEXTURE(0): 2x2x1 1 1 float 0*16
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::write> t [[texture(0)]]) { t.write(float4(1), uint2(2, 0)); }
