// REJECTED: a component that is not there (2.2.1)
// FAULT: no member named
#include <metal_stdlib>
using namespace metal;
float f(float2 a) { return a.z; }
