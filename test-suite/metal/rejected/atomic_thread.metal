// REJECTED: an atomic update of a variable (6.15)
// FAULT: no matching function for call to 'atomic_fetch_add_explicit'
#include <metal_stdlib>
using namespace metal;
void f() {
    atomic_int n;
    atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
}
