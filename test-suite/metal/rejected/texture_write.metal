// REJECTED: a write to a texture that is read (6.12.3)
// FAULT: no matching member function for call to 'write'
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::read> t [[texture(0)]]) { t.write(float4(1), uint2(0)); }
