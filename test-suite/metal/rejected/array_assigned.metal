// REJECTED: an assignment of arrays (C++)
// FAULT: array type
#include <metal_stdlib>
using namespace metal;
void f(thread float (&a)[3], thread float (&b)[3]) { a = b; }
