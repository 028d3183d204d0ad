// REJECTED: two function constants with one index (5.8.1)
// FAULT: two function constants have the index 1
#include <metal_stdlib>
using namespace metal;
constant int a [[function_constant(1)]];
constant int b [[function_constant(1)]];
kernel void k(device int* p [[buffer(0)]]) { p[0] = a + b; }
