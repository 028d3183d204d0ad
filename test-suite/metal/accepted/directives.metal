// Constants behind directives, and macros.
// BUFFER(0): float 0
// EXPECT(0): float 5
#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)
#define TWO(x) (2 * (x))
constant float table[2] = {1, 2};
constant bool more = true;
float f(constant float* p) { return p[1]; }
kernel void k(device float* p [[buffer(0)]]) { p[0] = TWO(f(table)) + float(more); }
