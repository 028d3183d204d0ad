// REJECTED: a function constant with an index beyond the last (5.8.1)
// FAULT: no function constant has the index 65536
#include <metal_stdlib>
using namespace metal;
constant int a [[function_constant(65536)]];
kernel void k(device int* p [[buffer(0)]]) { p[0] = a; }
