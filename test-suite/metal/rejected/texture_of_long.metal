// REJECTED: a texture of long (2.8)
// FAULT: no texture has such texels
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<long, access::read> t [[texture(0)]], device long* p [[buffer(0)]]) { p[0] = t.read(uint2(0)).x; }
