// REJECTED: a vector with too many parts (2.2)
// FAULT: no matching constructor
#include <metal_stdlib>
using namespace metal;
float3 f(float2 a) { return float3(a, a); }
