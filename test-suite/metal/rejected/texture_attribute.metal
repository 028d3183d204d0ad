// REJECTED: a pointer as a texture (5.2.1)
// FAULT: texture on what is no texture
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[texture(0)]]) { p[0] = 1; }
