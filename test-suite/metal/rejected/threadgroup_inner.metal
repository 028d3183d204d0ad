// REJECTED: memory of a group in a block (4.4)
// FAULT: outermost scope
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]]) {
    if (p[0] > 0) {
        threadgroup float x;
        x = 1;
        p[0] = x;
    }
}
