// REJECTED: a function called main (5.1)
// FAULT: no function is called main
#include <metal_stdlib>
using namespace metal;
kernel void main(device float* p [[buffer(0)]]) { p[0] = 1; }
