// UNDEFINED: a quotient of integers overflows, or is by zero
// BUFFER(0): int 5 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device int2* p [[buffer(0)]]) { p[0].x %= p[0].y; }
