// REJECTED: an order that atomic functions do not take (6.15.1)
// FAULT: memory_order_seq_cst
#include <metal_stdlib>
using namespace metal;
void f(device atomic_int* p) { atomic_store_explicit(p, 1, memory_order_seq_cst); }
