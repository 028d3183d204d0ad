// REJECTED: more buffers than there are (5.2.1)
// FAULT: no buffer has the index 31
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(31)]]) { p[0] = 1; }
