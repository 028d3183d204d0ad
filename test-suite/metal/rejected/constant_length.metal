// REJECTED: an array as long as a function constant says (5.8.1)
// FAULT: array size is not a constant expression
#include <metal_stdlib>
using namespace metal;
constant int n [[function_constant(1)]];
kernel void k(device int* p [[buffer(0)]]) {
    int a[n];
    a[0] = 1;
    p[0] = a[0];
}
