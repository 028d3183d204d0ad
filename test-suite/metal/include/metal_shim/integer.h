// Integer functions (MSL 6.4), and those that integers share with floats.
#pragma once
#pragma clang system_header
#include "math.h"

namespace metal_shim {
// What holds all products and sums of two.
template <class T>
using wider_of = conditional_t<sizeof(T) == 8, conditional_t<scalar<T>::sign, __int128, unsigned __int128>,
                               conditional_t<scalar<T>::sign, long, ulong>>;
template <class T> constexpr T least() {
    return scalar<T>::sign ? T(unsigned_of<T>(1) << (sizeof(T) * 8 - 1)) : T(0);
}
template <class T> constexpr T greatest() { return T(~least<T>()); }
template <class T> constexpr T saturated(wider_of<T> a) {
    return a < wider_of<T>(least<T>()) ? least<T>() : a > wider_of<T>(greatest<T>()) ? greatest<T>() : T(a);
}
// The lowest bits; all if there are as many.
template <class T> constexpr unsigned_of<T> low_bits(uint count) {
    using U = unsigned_of<T>;
    return count >= sizeof(T) * 8 ? U(~U(0)) : U((1UL << count) - 1);
}
template <class T> constexpr T reversed(T a) {
    unsigned_of<T> from = unsigned_of<T>(a), to = 0;
    for (uint i = 0; i < sizeof(T) * 8; i++) {
        to = unsigned_of<T>(to | ((ulong(from) >> i & 1) << (sizeof(T) * 8 - 1 - i)));
    }
    return T(to);
}
}  // namespace metal_shim

namespace metal {
#define METAL_SHIM_INTEGER(T, ...)                                                          \
    inline T min(T a, T b) { return b < a ? b : a; }                                     \
    inline T max(T a, T b) { return a < b ? b : a; }                                     \
    inline T min3(T a, T b, T c) { return min(min(a, b), c); }                           \
    inline T max3(T a, T b, T c) { return max(max(a, b), c); }                           \
    inline T median3(T a, T b, T c) { return max(min(a, b), min(max(a, b), c)); }        \
    inline T clamp(T a, T low, T high) { return min(max(a, low), high); }                \
    inline T abs(T a) { return a < T(1) ? T(0 - metal_shim::unsigned_of<T>(a)) : a; }    \
    inline T absdiff(T a, T b) {                                                         \
        using U = metal_shim::unsigned_of<T>;                                            \
        return a < b ? T(U(b) - U(a)) : T(U(a) - U(b));                                  \
    }                                                                                    \
    inline T addsat(T a, T b) { return metal_shim::saturated<T>(metal_shim::wider_of<T>(a) + b); } \
    inline T subsat(T a, T b) {                                                          \
        if (b > a && !metal_shim::scalar<T>::sign) return 0;                             \
        return metal_shim::saturated<T>(metal_shim::wider_of<T>(a) - b);                 \
    }                                                                                    \
    inline T hadd(T a, T b) { return T((metal_shim::wider_of<T>(a) + b) >> 1); }         \
    inline T rhadd(T a, T b) { return T((metal_shim::wider_of<T>(a) + b + 1) >> 1); }    \
    inline T mulhi(T a, T b) { return T((metal_shim::wider_of<T>(a) * b) >> (sizeof(T) * 8)); } \
    inline T madhi(T a, T b, T c) {                                                      \
        using U = metal_shim::unsigned_of<T>;                                            \
        return T(U(mulhi(a, b)) + U(c));                                                 \
    }                                                                                    \
    inline T madsat(T a, T b, T c) { return metal_shim::saturated<T>(metal_shim::wider_of<T>(a) * b + c); } \
    inline T popcount(T a) { return T(__builtin_popcountl(metal_shim::unsigned_of<T>(a))); } \
    inline T clz(T a) {                                                                  \
        const ulong bits = metal_shim::unsigned_of<T>(a);                                \
        return bits == 0 ? T(sizeof(T) * 8) : T(__builtin_clzl(bits) - (64 - int(sizeof(T)) * 8)); \
    }                                                                                    \
    inline T ctz(T a) { return a == 0 ? T(sizeof(T) * 8) : T(__builtin_ctzl(metal_shim::unsigned_of<T>(a))); } \
    inline T reverse_bits(T a) { return metal_shim::reversed(a); }                       \
    inline T rotate(T a, T by) {                                                         \
        using U = metal_shim::unsigned_of<T>;                                            \
        const uint n = uint(by) % uint(sizeof(T) * 8);                                   \
        const ulong bits = U(a);                                                         \
        return T(U(bits << n | (n == 0 ? 0 : bits >> (sizeof(T) * 8 - n))));             \
    }                                                                                    \
    inline T extract_bits(T a, uint offset, uint bits) {                                 \
        using U = metal_shim::unsigned_of<T>;                                            \
        if (offset + bits > sizeof(T) * 8) metal_shim_fail("bits are taken that are not there"); \
        if (bits == 0) return 0;                                                         \
        const U taken = U(ulong(U(a)) >> offset & metal_shim::low_bits<T>(bits));        \
        const bool below = metal_shim::scalar<T>::sign && (ulong(taken) >> (bits - 1) & 1); \
        return T(below ? U(taken | U(~metal_shim::low_bits<T>(bits))) : taken);          \
    }                                                                                    \
    inline T insert_bits(T base, T insert, uint offset, uint bits) {                     \
        using U = metal_shim::unsigned_of<T>;                                            \
        if (offset + bits > sizeof(T) * 8) metal_shim_fail("bits are taken that are not there"); \
        if (bits == 0) return base;                                                      \
        const U mask = U(ulong(metal_shim::low_bits<T>(bits)) << offset);                \
        return T(U((U(base) & U(~mask)) | (U(ulong(U(insert)) << offset) & mask)));      \
    }                                                                                    \
    METAL_SHIM_SIZES(METAL_SHIM_BITS, T)                                                 \
    METAL_SHIM_LIFT2(min, T, T) METAL_SHIM_LIFT2(max, T, T) METAL_SHIM_LIFT3(min3, T, T) \
    METAL_SHIM_LIFT3(max3, T, T) METAL_SHIM_LIFT3(median3, T, T) METAL_SHIM_LIFT3(clamp, T, T) \
    METAL_SHIM_LIFT1(abs, T, T) METAL_SHIM_LIFT2(absdiff, T, T) METAL_SHIM_LIFT2(addsat, T, T) \
    METAL_SHIM_LIFT2(subsat, T, T) METAL_SHIM_LIFT2(hadd, T, T) METAL_SHIM_LIFT2(rhadd, T, T) \
    METAL_SHIM_LIFT2(mulhi, T, T) METAL_SHIM_LIFT3(madhi, T, T) METAL_SHIM_LIFT3(madsat, T, T) \
    METAL_SHIM_LIFT1(popcount, T, T) METAL_SHIM_LIFT1(clz, T, T) METAL_SHIM_LIFT1(ctz, T, T) \
    METAL_SHIM_LIFT1(reverse_bits, T, T) METAL_SHIM_LIFT2(rotate, T, T)
#define METAL_SHIM_BITS(N, T)                                                            \
    inline vec<T, N> extract_bits(vec<T, N> a, uint offset, uint bits) {                 \
        for (int i = 0; i < N; i++) a.data_[i] = extract_bits(a.data_[i], offset, bits); \
        return a;                                                                        \
    }                                                                                    \
    inline vec<T, N> insert_bits(vec<T, N> a, vec<T, N> b, uint offset, uint bits) {     \
        for (int i = 0; i < N; i++) a.data_[i] = insert_bits(a.data_[i], b.data_[i], offset, bits); \
        return a;                                                                        \
    }
METAL_SHIM_INTEGERS(METAL_SHIM_INTEGER, )
// Of the lower 24 bits.
inline int mul24(int a, int b) { return int(uint(a << 8 >> 8) * uint(b << 8 >> 8)); }
inline uint mul24(uint a, uint b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline int mad24(int a, int b, int c) { return int(uint(mul24(a, b)) + uint(c)); }
inline uint mad24(uint a, uint b, uint c) { return mul24(a, b) + c; }
METAL_SHIM_LIFT2(mul24, int, int) METAL_SHIM_LIFT2(mul24, uint, uint)
METAL_SHIM_LIFT3(mad24, int, int) METAL_SHIM_LIFT3(mad24, uint, uint)
}  // namespace metal
