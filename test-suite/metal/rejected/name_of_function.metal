// REJECTED: a function with the name and parameters of one of metal's (1.4)
// FAULT: call to 'cross' is ambiguous
#include <metal_stdlib>
using namespace metal;
float3 cross(float3 a, float3 b) { return a * b; }
float3 f(float3 a) { return cross(a, a); }
