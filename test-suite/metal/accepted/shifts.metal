// Shifts of vectors count modulo the width of a component, also by integers of the other sign.
// BUFFER(0): int 0*8
// BUFFER(1): uchar 0*4
// EXPECT(0): int 2 -1 24 0 5 6 6 7
// EXPECT(1): uchar 2 128 1 64
#include <metal_stdlib>
using namespace metal;

kernel void k(device int* out [[buffer(0)]], device uchar4* small [[buffer(1)]]) {
    const int4 a = int4(1, -8, 3, 1) << int4(33, 0, 3, 0);
    out[0] = a.x;
    out[1] = (a >> uint4(5)).y;
    out[2] = a.z;
    uint2 b = uint2(1, 5) >> int2(1, 32);
    out[3] = int(b.x);
    out[4] = int(b.y++);
    out[5] = int(b.y);
    int2 v = int2(5, 8);
    ++v;
    v.y = v.y - 2;
    out[6] = v.x;
    const int2 before = v--;
    out[7] = before.y;
    small[0] = uchar4(1, 1, 1, 1) << uchar4(9, 15, 8, 6);
}
