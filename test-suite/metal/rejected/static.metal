// REJECTED: static not constant (4.3)
// FAULT: a variable of the program that is not constant
#include <metal_stdlib>
using namespace metal;
int f() { static int n = 0; return n; }
