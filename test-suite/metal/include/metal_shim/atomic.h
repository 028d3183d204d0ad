// Atomics (MSL 6.15) and barriers (6.9): the threads of a group run in turns on one thread.
#pragma once
#pragma clang system_header
#include "pack.h"

extern "C" void metal_shim_barrier() __attribute__((convergent));
extern "C" void metal_shim_simd_barrier() __attribute__((convergent));
// Says that somebody else may know the memory of a group, see `tokens.for_clang`.
extern "C" void metal_shim_shared(ulong address);
namespace metal {
enum memory_order { memory_order_relaxed };
enum class mem_flags {
    mem_none = 0,
    mem_device = 1,
    mem_threadgroup = 2,
    mem_texture = 4,
    mem_threadgroup_imageblock = 8,
    mem_object_data = 16
};
constexpr mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(int(a) | int(b)); }
constexpr mem_flags operator&(mem_flags a, mem_flags b) { return mem_flags(int(a) & int(b)); }
inline void threadgroup_barrier(mem_flags) { metal_shim_barrier(); }
inline void simdgroup_barrier(mem_flags) { metal_shim_simd_barrier(); }
template <class T> struct atomic {
    T value_;
    atomic() = default;
    atomic(const __generic atomic&) = delete;
    void operator=(T) = delete;
    void operator=(const __generic atomic&) = delete;
};
using atomic_bool = atomic<bool>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<uint>;
using atomic_ulong = atomic<ulong>;
using atomic_float = atomic<float>;
#define METAL_SHIM_UPDATE(SPACE, T, name, value)                                         \
    inline T atomic_##name##_explicit(volatile SPACE atomic<T>* at, T b, memory_order) { \
        const T a = at->value_;                                                          \
        at->value_ = value;                                                              \
        return a;                                                                        \
    }
#define METAL_SHIM_ATOMIC(SPACE, T)                                                      \
    METAL_SHIM_UPDATE(SPACE, T, exchange, b)                                             \
    inline T atomic_load_explicit(const volatile SPACE atomic<T>* at, memory_order) { return at->value_; } \
    inline void atomic_store_explicit(volatile SPACE atomic<T>* at, T b, memory_order) { at->value_ = b; } \
    inline bool atomic_compare_exchange_weak_explicit(volatile SPACE atomic<T>* at, thread T* expected, T b, \
                                                      memory_order, memory_order) {      \
        const T a = at->value_;                                                          \
        const bool same = __builtin_memcmp(&a, (const void*)expected, sizeof(T)) == 0;   \
        if (same) at->value_ = b;                                                        \
        *expected = a;                                                                   \
        return same;                                                                     \
    }
#define METAL_SHIM_ATOMIC_INTEGER(SPACE, T)                                              \
    METAL_SHIM_ATOMIC(SPACE, T)                                                          \
    METAL_SHIM_UPDATE(SPACE, T, fetch_add, T(uint(a) + uint(b)))                         \
    METAL_SHIM_UPDATE(SPACE, T, fetch_sub, T(uint(a) - uint(b)))                         \
    METAL_SHIM_UPDATE(SPACE, T, fetch_min, b < a ? b : a)                                \
    METAL_SHIM_UPDATE(SPACE, T, fetch_max, a < b ? b : a)                                \
    METAL_SHIM_UPDATE(SPACE, T, fetch_and, a & b)                                        \
    METAL_SHIM_UPDATE(SPACE, T, fetch_or, a | b)                                         \
    METAL_SHIM_UPDATE(SPACE, T, fetch_xor, a ^ b)
METAL_SHIM_ATOMIC_INTEGER(device, int)
METAL_SHIM_ATOMIC_INTEGER(device, uint)
METAL_SHIM_ATOMIC_INTEGER(threadgroup, int)
METAL_SHIM_ATOMIC_INTEGER(threadgroup, uint)
METAL_SHIM_ATOMIC(device, bool)
METAL_SHIM_ATOMIC(threadgroup, bool)
METAL_SHIM_ATOMIC(device, float)
METAL_SHIM_ATOMIC(threadgroup, float)
METAL_SHIM_UPDATE(device, float, fetch_add, a + b)
METAL_SHIM_UPDATE(device, float, fetch_sub, a - b)
// Of 64 bits there is no more, and no result.
inline void atomic_min_explicit(volatile device atomic<ulong>* at, ulong b, memory_order) {
    if (b < at->value_) at->value_ = b;
}
inline void atomic_max_explicit(volatile device atomic<ulong>* at, ulong b, memory_order) {
    if (at->value_ < b) at->value_ = b;
}
}  // namespace metal
