#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_uint* p [[buffer(0)]], device atomic_float* q [[buffer(1)]]) {
    atomic_fetch_add_explicit(p, 1u, memory_order_relaxed);
    atomic_fetch_add_explicit(q, 1.0f, memory_order_relaxed);
}
