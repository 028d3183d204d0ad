// REJECTED: recursion (1.5.4)
// FAULT: a function that calls itself
#include <metal_stdlib>
using namespace metal;
int f(int n) { return n < 1 ? 0 : f(n - 1); }
