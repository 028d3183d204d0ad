// Atomic updates of each sort by all threads, in device and in threadgroup memory.
// GROUPS: 2
// THREADS: 32
// BUFFER(0): uint 0 100 0 0 255 0 7
// BUFFER(1): float 0.5
// BUFFER(2): int 0 0 0
// EXPECT(0): uint 64 36 31 0 0 63 1
// EXPECT(1): float 32.5
// EXPECT(2): int -31 32 64
#include <metal_stdlib>
using namespace metal;

kernel void k(device atomic_uint* p [[buffer(0)]], device atomic_float* q [[buffer(1)]],
              device atomic_int* r [[buffer(2)]], uint i [[thread_index_in_threadgroup]]) {
    threadgroup atomic_int count;
    if (i == 0) atomic_store_explicit(&count, 0, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    atomic_fetch_add_explicit(&p[0], 1u, memory_order_relaxed);
    atomic_fetch_sub_explicit(p + 1, 1u, memory_order_relaxed);
    atomic_fetch_max_explicit(&p[2], i, memory_order_relaxed);
    atomic_fetch_min_explicit(&p[3], i, memory_order_relaxed);
    atomic_fetch_and_explicit(&p[4], ~(1u << (i % 8)), memory_order_relaxed);
    atomic_fetch_or_explicit(&p[5], i | 32, memory_order_relaxed);
    uint expected = 7;
    atomic_compare_exchange_weak_explicit(&p[6], &expected, 1u, memory_order_relaxed, memory_order_relaxed);
    atomic_fetch_add_explicit(q, 0.5f, memory_order_relaxed);
    atomic_fetch_min_explicit(&r[0], -int(i), memory_order_relaxed);
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (i == 5) {
        const int all = atomic_load_explicit(&count, memory_order_relaxed);
        atomic_exchange_explicit(&r[1], all, memory_order_relaxed);
        atomic_fetch_add_explicit(&r[2], all, memory_order_relaxed);
    }
}
