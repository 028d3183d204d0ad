// REJECTED: a sum of vectors of two types (3.1)
// FAULT: invalid operands to binary expression
#include <metal_stdlib>
using namespace metal;
float3 f(float3 a, int3 b) { return a + b; }
