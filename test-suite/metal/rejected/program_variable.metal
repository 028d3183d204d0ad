// REJECTED: program variable not constant (4.3)
// FAULT: a variable of the program that is not constant
#include <metal_stdlib>
using namespace metal;
float x = 1;
