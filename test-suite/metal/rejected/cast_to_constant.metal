// REJECTED: a cast from device to constant (4)
// FAULT: from device to constant
#include <metal_stdlib>
using namespace metal;
float f(device float* p) { return *(constant float*)p; }
