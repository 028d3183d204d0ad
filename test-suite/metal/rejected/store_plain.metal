// REJECTED: atomic_store on uint (6.15)
// FAULT: no matching function for call to 'atomic_store_explicit'
#include <metal_stdlib>
using namespace metal;
void f(device uint* p) { atomic_store_explicit(p, 1u, memory_order_relaxed); }
