// REJECTED: a reference that changes a constant element (4)
// FAULT: no matching function for call to 'f'
#include <metal_stdlib>
using namespace metal;
void f(device float& x) { x = 1; }
void g(device const float* p) { f(p[0]); }
