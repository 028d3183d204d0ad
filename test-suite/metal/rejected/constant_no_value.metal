// REJECTED: constant without a value (4.3)
// FAULT: default initialization of an object of const type
#include <metal_stdlib>
using namespace metal;
constant float x;
