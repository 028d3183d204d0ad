// UNDEFINED: a group has more than 32 KB of memory
// BUFFER(0): float 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]]) {
    threadgroup float a[8000];
    threadgroup float3 b[64];
    b[1] = 1;
    a[0] = b[1].x;
    p[0] = a[0];
}
