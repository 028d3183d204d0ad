// REJECTED: a cast from device to thread (4)
// FAULT: address space
#include <metal_stdlib>
using namespace metal;
float f(device float* p) { return *(thread float*)p; }
