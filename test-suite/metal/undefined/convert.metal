// UNDEFINED: an integer cannot hold the float that becomes one
// BUFFER(0): float -1
// BUFFER(1): uint 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float* p [[buffer(0)]], device uint* q [[buffer(1)]]) { q[0] = uint(p[0]); }
