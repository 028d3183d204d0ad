// REJECTED: a remainder of floats (3.1)
// FAULT: no such operator for these components
#include <metal_stdlib>
using namespace metal;
float3 f(float3 a) { return a % 2.0f; }
