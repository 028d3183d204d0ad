// Constants behind directives, and behind functions with operators and default values.
// BUFFER(0): float 0
// EXPECT(0): float 5
#include <metal_stdlib>
using namespace metal;

#pragma METAL fp contract(off)
#define TWO(x) (2 * (x))
constant float table[2] = {1, 2};
constant bool more = true;
struct S {
    int n;
};
bool operator==(S a, S b) { return a.n == b.n; }
constant S one = {1};
float with_default(float3 v = float3(1)) { return v.x - 1; }
constant uint none[1] = {0};
float f(constant float* p) { return p[1]; }
kernel void k(device float* p [[buffer(0)]]) { p[0] = TWO(f(table)) + float(more && one == one) + with_default() + none[0]; }
