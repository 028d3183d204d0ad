// REJECTED: a product of vectors of integers (6.8)
// FAULT: no matching function for call to 'dot'
#include <metal_stdlib>
using namespace metal;
int f(int3 a) { return dot(a, a); }
