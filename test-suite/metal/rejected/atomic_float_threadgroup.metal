// REJECTED: sums of floats in threadgroup memory (6.15.4)
// FAULT: no matching function for call to 'atomic_fetch_add_explicit'
#include <metal_stdlib>
using namespace metal;
void f(threadgroup atomic_float* p) { atomic_fetch_add_explicit(p, 1.0f, memory_order_relaxed); }
