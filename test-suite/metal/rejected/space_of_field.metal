// REJECTED: a field that is a pointer without an address space (4)
// FAULT: without an address space
#include <metal_stdlib>
using namespace metal;
struct S {
    float* p;
};
