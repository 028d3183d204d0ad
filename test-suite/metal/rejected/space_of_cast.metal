// REJECTED: a cast to a pointer without an address space (4)
// FAULT: without an address space
#include <metal_stdlib>
using namespace metal;
float f(thread int& x) { return *(float*)&x; }
