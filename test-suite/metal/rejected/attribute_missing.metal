// REJECTED: parameter without attribute (5.2)
// FAULT: a kernel parameter without an attribute
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p) { p[0] = 1; }
