// REJECTED: coordinates with two and with three components (5.2.3.6)
// FAULT: coordinates of different sizes
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint* p [[buffer(0)]], uint2 i [[thread_position_in_grid]],
              uint3 g [[threadgroup_position_in_grid]]) {
    p[0] = i.x + g.x;
}
