// REJECTED: device reference for a constant one (4)
// FAULT: no matching function for call to 'f'
#include <metal_stdlib>
using namespace metal;
float f(constant float& x) { return x; }
float g(device float* p) { return f(p[0]); }
