// What each atomic function gives back, and those of other types than int and uint.
// BUFFER(0): uint 6 9 1
// BUFFER(1): float 2 3
// BUFFER(2): uchar 0 1
// BUFFER(3): ulong 5 5
// BUFFER(4): int 0*9
// EXPECT(0): uint 5 4 1
// EXPECT(1): float 0.5 8
// EXPECT(2): uchar 1 1
// EXPECT(3): ulong 7 3
// EXPECT(4): int 6 9 2 3 0 9 1 0 4
#include <metal_stdlib>
using namespace metal;

kernel void k(device atomic_uint* n [[buffer(0)]], device atomic_float* x [[buffer(1)]],
              device atomic_bool* b [[buffer(2)]], device atomic_ulong* wide [[buffer(3)]],
              device int* out [[buffer(4)]]) {
    out[0] = int(atomic_fetch_xor_explicit(&n[0], 3u, memory_order_relaxed));
    uint expected = 8;
    out[4] = atomic_compare_exchange_weak_explicit(&n[1], &expected, 1u, memory_order_relaxed, memory_order_relaxed);
    out[5] = int(expected);
    out[6] = atomic_compare_exchange_weak_explicit(&n[1], &expected, 4u, memory_order_relaxed, memory_order_relaxed);
    out[1] = int(expected);
    out[2] = int(atomic_fetch_sub_explicit(&x[0], 1.5f, memory_order_relaxed));
    out[3] = int(atomic_exchange_explicit(&x[1], 8.0f, memory_order_relaxed));
    out[7] = atomic_exchange_explicit(&b[0], true, memory_order_relaxed);
    atomic_max_explicit(&wide[0], 7ul, memory_order_relaxed);
    atomic_min_explicit(&wide[1], 3ul, memory_order_relaxed);
    threadgroup atomic_float shared;
    atomic_store_explicit(&shared, 4.0f, memory_order_relaxed);
    out[8] = int(atomic_load_explicit(&shared, memory_order_relaxed));
}
