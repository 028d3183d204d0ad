// REJECTED: device pointer for a thread one (4)
// FAULT: no matching function for call to 'f'
#include <metal_stdlib>
using namespace metal;
void f(thread float* x) { *x = 1; }
void g(device float* p) { f(p); }
