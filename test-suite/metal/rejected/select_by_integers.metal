// REJECTED: a choice by integers (6.6)
// FAULT: no matching function for call to 'select'
#include <metal_stdlib>
using namespace metal;
float3 f(float3 a, int3 b) { return select(a, a, b); }
