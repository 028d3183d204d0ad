// REJECTED: a matrix of integers (2.3)
// FAULT: a matrix has components of half or float
#include <metal_stdlib>
using namespace metal;
int f(matrix<int, 2, 2> m) { return m[0].x; }
