// REJECTED: a pointer to constants for one into device memory (4)
// FAULT: from constant to device
#include <metal_stdlib>
using namespace metal;
void f(constant float* p, thread float& x) {
    device const float* q = p;
    x = q[0];
}
