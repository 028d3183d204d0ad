// REJECTED: a sum of a matrix and a vector (2.3.2)
// FAULT: invalid operands to binary expression
#include <metal_stdlib>
using namespace metal;
float3 f(float3x3 m, float3 v) { return m[0] + (m + v)[0]; }
