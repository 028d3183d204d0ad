// REJECTED: bits of another size (2.17)
// FAULT: between types of different sizes
#include <metal_stdlib>
using namespace metal;
float f(half h) { return as_type<float>(h); }
