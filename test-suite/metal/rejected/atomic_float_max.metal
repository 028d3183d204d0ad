// REJECTED: the greatest of floats (6.15.4)
// FAULT: no matching function for call to 'atomic_fetch_max_explicit'
#include <metal_stdlib>
using namespace metal;
void f(device atomic_float* p) { atomic_fetch_max_explicit(p, 1.0f, memory_order_relaxed); }
