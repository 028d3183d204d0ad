// REJECTED: a choice between pointers to two address spaces (4)
// FAULT: incompatible operand types
#include <metal_stdlib>
using namespace metal;
float f(bool c, device float* a, thread float* b) { return *(c ? a : b); }
