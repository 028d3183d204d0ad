// UNDEFINED: memory is touched that is in no buffer
// BUFFER(0): int 5 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device int* p [[buffer(0)]]) { p[2] = 1; }
