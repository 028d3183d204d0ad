#include <metal_stdlib>
using namespace metal;
struct S {
    float a;
    packed_float3 n;
};
float f(S s) { return s.a + s.n.x; }
kernel void k(device S* p [[buffer(0)]], constant S& q [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    S s = p[i];
    s.n = float3(s.n) * 2.0f;
    p[i] = s;
    p[i].a = f(q);
}
