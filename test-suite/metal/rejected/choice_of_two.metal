// REJECTED: a choice between vectors of two types (3.1)
// FAULT: incompatible operand types
#include <metal_stdlib>
using namespace metal;
float3 f(bool c, float3 a, int3 b) { return c ? a : b; }
