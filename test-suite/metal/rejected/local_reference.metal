// REJECTED: a variable that refers without an address space (4)
// FAULT: without an address space
#include <metal_stdlib>
using namespace metal;
float f(device float* p) {
    float& x = p[0];
    return x;
}
