// REJECTED: a choice by a vector (3.1)
// FAULT: 'vec<bool, size_>' is not contextually convertible to 'bool'
#include <metal_stdlib>
using namespace metal;
float3 f(float3 a, float3 b) { return a < b ? a : b; }
