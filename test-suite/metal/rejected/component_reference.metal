// REJECTED: reference to a component (2.2.1)
// FAULT: no matching function for call to 'f'
#include <metal_stdlib>
using namespace metal;
void f(thread float& x) { x = 1; }
void g(thread float3& v) { f(v.x); }
