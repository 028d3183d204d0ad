// REJECTED: a word of another language (1.5)
// FAULT: `__global` is not in the language
#include <metal_stdlib>
using namespace metal;
float f(__global float* p) { return p[0]; }
