// UNDEFINED: a sum of signed integers overflows
// BUFFER(0): int 2147483647
#include <metal_stdlib>
using namespace metal;
kernel void k(device int* p [[buffer(0)]]) { p[0] = p[0] + 1; }
