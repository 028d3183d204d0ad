// REJECTED: reference without address space (4)
// FAULT: without an address space
#include <metal_stdlib>
using namespace metal;
void f(float& x) { x = 1; }
