// REJECTED: a function constant with a value (5.8.1)
// FAULT: a function constant with a value
#include <metal_stdlib>
using namespace metal;
constant int a [[function_constant(1)]] = 3;
kernel void k(device int* p [[buffer(0)]]) { p[0] = a; }
