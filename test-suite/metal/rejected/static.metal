// REJECTED: static not constant (4.3)
#include <metal_stdlib>
using namespace metal;
int f() { static int n = 0; return n; }
