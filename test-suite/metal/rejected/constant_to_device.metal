// REJECTED: a constant for a reference into device memory (4)
// FAULT: from constant to device
#include <metal_stdlib>
using namespace metal;
float f(device const float& x) { return x; }
float g(constant float& x) { return f(x); }
