// REJECTED: a sample of a texture that is read (6.12.3)
// FAULT: no matching member function for call to 'sample'
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::read> t [[texture(0)]], sampler s [[sampler(0)]], device float4* p [[buffer(0)]]) {
    p[0] = t.sample(s, float2(0));
}
