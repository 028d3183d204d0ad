// REJECTED: a buffer that is a value (5.2.1)
// FAULT: buffer on what is in no such address space
#include <metal_stdlib>
using namespace metal;
kernel void k(float x [[buffer(0)]], device float* p [[buffer(1)]]) { p[0] = x; }
