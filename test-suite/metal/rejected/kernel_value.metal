// REJECTED: kernel with a value (5.1)
// FAULT: a kernel gives no value
#include <metal_stdlib>
using namespace metal;
kernel int k(device int* p [[buffer(0)]]) { return p[0]; }
