// REJECTED: threadgroup at program scope (4.4)
#include <metal_stdlib>
using namespace metal;
threadgroup float x[4];
