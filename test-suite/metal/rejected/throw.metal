// REJECTED: exceptions (1.5.4)
#include <metal_stdlib>
using namespace metal;
void f() { throw 1; }
