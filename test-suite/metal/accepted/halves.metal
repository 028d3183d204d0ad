// Halves are rounded after each operation: 2048 + 1 stays 2048, and 65504 * 2 is infinite.
// BUFFER(0): half 2048 1 65504 0.1
// BUFFER(1): float 0*6
// EXPECT(1): float 2048 inf 0.0999755859375 2050 2048 1.099609375
#include <metal_stdlib>
using namespace metal;

kernel void k(device const half* p [[buffer(0)]], device float* out [[buffer(1)]]) {
    const half one = p[1];
    out[0] = float(p[0] + one);
    out[1] = float(p[2] * 2.0h);
    out[2] = p[3];
    out[3] = float((p[0] + one) + 2.0h);
    const half4 v = half4(p[0], half2(one), p[3]);
    out[4] = float(v.x + v.y + v.z);
    out[5] = float((v + half4(1)).w);
}
