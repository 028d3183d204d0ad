// Structs with packed vectors in device memory, and as constants: `S` has 16 bytes.
// BUFFER(0): float 1 2 3 4 5 6 7 8
// BUFFER(1): float 10 20 30 40
// THREADS: 2
// EXPECT(0): float 30 4 6 8 30 12 14 16
#include <metal_stdlib>
using namespace metal;

struct S {
    float a;
    packed_float3 n;
};
static_assert(sizeof(S) == 16, "C's layout");
float sum(S s) { return s.a + s.n.x; }

kernel void k(device S* p [[buffer(0)]], constant S& q [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    S s = p[i];
    s.n = float3(s.n) * 2.0f;
    p[i] = s;
    p[i].a = sum(q);
}
