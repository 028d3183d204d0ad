// REJECTED: a vector with too few parts (2.2)
// FAULT: no matching constructor
#include <metal_stdlib>
using namespace metal;
float4 f(float2 a) { return float4(a, 1); }
