// REJECTED: an array whose length is no constant (1.5.4)
// FAULT: array size is not a constant expression
#include <metal_stdlib>
using namespace metal;
float f(int n) {
    float a[n];
    a[0] = 1;
    return a[0];
}
