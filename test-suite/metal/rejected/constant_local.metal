// REJECTED: a constant in a function (4.3)
// FAULT: address space
#include <metal_stdlib>
using namespace metal;
float f(int i) {
    constant float a[2] = {1, 2};
    return a[i];
}
