// REJECTED: barrier without flags (6.9)
// FAULT: no matching function for call to 'threadgroup_barrier'
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    threadgroup_barrier(); out[i] = c;
}
