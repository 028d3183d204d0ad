// REJECTED: names of positions and colors in one word (2.2.1)
// FAULT: no member named
#include <metal_stdlib>
using namespace metal;
float2 f(float3 a) { return a.xg; }
