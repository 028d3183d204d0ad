// REJECTED: a copy of a struct with an atomic (2.6)
// FAULT: deleted
#include <metal_stdlib>
using namespace metal;
struct S {
    atomic_int n;
    float x;
};
float f(device S* p) {
    S s = p[0];
    return s.x;
}
