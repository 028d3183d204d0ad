// REJECTED: a result that is a reference without an address space (4)
// FAULT: without an address space
#include <metal_stdlib>
using namespace metal;
float& f(thread float& x) { return x; }
