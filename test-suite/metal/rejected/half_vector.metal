// REJECTED: a half3 for a float3 (2.12)
// FAULT: no viable conversion
#include <metal_stdlib>
using namespace metal;
float3 f(half3 h) { return h; }
