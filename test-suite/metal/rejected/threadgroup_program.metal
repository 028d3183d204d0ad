// REJECTED: threadgroup at program scope (4.4)
// FAULT: program scope variable must reside
#include <metal_stdlib>
using namespace metal;
threadgroup float x[4];
