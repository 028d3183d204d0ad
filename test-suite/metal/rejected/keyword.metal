// REJECTED: kernel as a name (1.5)
// FAULT: expected unqualified-id
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float kernel = c; out[i] = kernel;
}
