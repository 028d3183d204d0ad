// REJECTED: a pointer to a function (1.5.4)
// FAULT: pointers to functions are not allowed
#include <metal_stdlib>
using namespace metal;
float f(float x) { return x; }
float g(float x) {
    float (*h)(float) = f;
    return h(x);
}
