// REJECTED: a method without an address space on an object in device memory (4)
// FAULT: a method of an object
#include <metal_stdlib>
using namespace metal;
struct S {
    float a;
    float get() const { return a; }
};
float f(device S* p) { return p->get(); }
