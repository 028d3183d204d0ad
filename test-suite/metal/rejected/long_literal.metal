// REJECTED: a literal of more precision than float (2.1)
// FAULT: a literal of a type
#include <metal_stdlib>
using namespace metal;
float f() { return float(1.0L); }
