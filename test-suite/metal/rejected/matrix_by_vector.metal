// REJECTED: a matrix times a vector of another size (2.3.2)
// FAULT: invalid operands to binary expression
#include <metal_stdlib>
using namespace metal;
float3 f(float3x3 m, float4 v) { return m * v; }
