// REJECTED: an exchange of truth values (6.9.2)
// FAULT: no matching function for call to 'simd_shuffle'
#include <metal_stdlib>
using namespace metal;
bool f(bool x) { return simd_shuffle(x, 1); }
