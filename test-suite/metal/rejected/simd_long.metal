// REJECTED: a sum of numbers of 64 bits over lanes (6.9.2)
// FAULT: no matching function for call to 'simd_sum'
#include <metal_stdlib>
using namespace metal;
long f(long x) { return simd_sum(x); }
