// REJECTED: program variable not constant (4.3)
#include <metal_stdlib>
using namespace metal;
float x = 1;
