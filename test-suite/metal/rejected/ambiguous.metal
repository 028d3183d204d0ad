// REJECTED: a maximum of two types (6.5)
// FAULT: call to 'max' is ambiguous
#include <metal_stdlib>
using namespace metal;
float f(float x, int n) { return max(x, n); }
