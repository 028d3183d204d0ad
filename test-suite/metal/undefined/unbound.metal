// UNDEFINED: memory is touched that is in no buffer
// BUFFER(0): float 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]], constant float& x [[buffer(3)]]) { p[0] = x; }
