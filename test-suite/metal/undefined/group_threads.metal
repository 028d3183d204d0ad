// UNDEFINED: a group has more than 1024 threads
// BUFFER(0): float 0
// THREADS: 33 32
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]]) { p[0] = 1; }
