// REJECTED: a sum of a matrix and a number (2.3.2)
// FAULT: invalid operands to binary expression
#include <metal_stdlib>
using namespace metal;
float3x3 f(float3x3 a) { return a + 1.0f; }
