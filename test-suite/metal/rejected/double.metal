// REJECTED: double (2.1)
// FAULT: `double` is not in the language
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* out [[buffer(0)]], constant float& c [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    double x = c; out[i] = float(x);
}
