// REJECTED: a call of a kernel (5.1)
// FAULT: a kernel that is called
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]]) { p[0] = 1; }
kernel void l(device float* p [[buffer(0)]]) { k(p); }
