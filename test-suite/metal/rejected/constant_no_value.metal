// REJECTED: constant without a value (4.3)
#include <metal_stdlib>
using namespace metal;
constant float x;
