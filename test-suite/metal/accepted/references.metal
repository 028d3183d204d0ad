#include <metal_stdlib>
using namespace metal;
void f(thread float& x, thread array<float, 3>& a) { x = a[1]; }
kernel void k(device float* p [[buffer(0)]]) {
    float x = 0;
    array<float, 3> a = {1, 2, 3};
    f(x, a);
    f(a[0], a);
    p[0] = x + a[0];
}
