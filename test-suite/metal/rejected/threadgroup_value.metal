// REJECTED: a value for a variable of a group (4.4)
// FAULT: cannot have an initializer
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* p [[buffer(0)]]) {
    threadgroup float x = 1;
    p[0] = x;
}
