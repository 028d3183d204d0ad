// REJECTED: a parameter with two attributes (5.2)
// FAULT: a kernel parameter with two attributes
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]], uint i [[thread_position_in_grid]] [[thread_index_in_threadgroup]]) {
    p[0] = float(i);
}
