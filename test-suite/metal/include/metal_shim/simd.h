// Exchanges between the lanes of a simdgroup and of a quad (MSL 6.9.2, 6.9.3). A simdgroup has 32
// lanes; those take part that wait at the same call. What Metal leaves undefined ends the program.
#pragma once
#pragma clang system_header
#include "relational.h"

extern "C" const __generic ulong* metal_shim_exchange(ulong value, __private uint* active) __attribute__((convergent));
extern "C" uint metal_shim_lane();

namespace metal_shim {
// Scalars of at most 32 bits, but no truth values, and vectors of these.
template <class T> constexpr bool exchanged() {
    return scalar<T>::is && !scalar<T>::truth && sizeof(T) <= 4;
}
template <class T> using exchanged_t = enable_if_t<exchanged<T>(), int>;

// What each lane brought, and which lanes take part.
template <class T> struct brought {
    T of[32];
    uint active;
    uint own;
    bool has(uint lane) const { return lane < 32 && (active >> lane & 1) != 0; }
    T from(uint lane) const {
        if (!has(lane)) metal_shim_fail("a lane reads from one that is not active");
        return of[lane & 31];
    }
};
template <class T> struct as_bits {
    using type = conditional_t<sizeof(T) == 1, uchar, conditional_t<sizeof(T) == 2, ushort, uint>>;
};
template <class T> brought<T> exchange(T value) {
    using bits = typename as_bits<T>::type;
    brought<T> all;
    const __generic ulong* found = metal_shim_exchange(__builtin_bit_cast(bits, value), &all.active);
    for (int i = 0; i < 32; i++) all.of[i] = __builtin_bit_cast(T, bits(found[i]));
    all.own = metal_shim_lane();
    return all;
}
template <class T> T sum(T a, T b) {
    if constexpr (is_integer<T>()) return T(unsigned_of<T>(uint(a) + uint(b)));
    else return a + b;
}
template <class T> T product(T a, T b) {
    if constexpr (is_integer<T>()) return T(unsigned_of<T>(uint(a) * uint(b)));
    else return a * b;
}
// The same for all lanes of `mask` that take part.
template <class T> T same(T lane, uint mask = ~0u) {
    const brought<T> all = exchange(lane);
    for (uint i = 0; i < 32; i++)
        if ((mask >> i & 1) && all.has(i) && all.of[i] != lane) metal_shim_fail("lanes want different lanes");
    return lane;
}
inline uint quad_mask() { return 15u << (metal_shim_lane() & ~3u); }
}  // namespace metal_shim

// For vectors, component by component.
#define METAL_SHIM_BY_COMPONENT(f, PARAMS, ...)                                          \
    template <class T, int N, metal_shim::exchanged_t<T> = 0> vec<T, N> f(vec<T, N> a PARAMS) { \
        vec<T, N> r;                                                                     \
        for (int i = 0; i < N; i++) r.data_[i] = f(a.data_[i] __VA_ARGS__);              \
        return r;                                                                        \
    }
#define METAL_SHIM_COMMA ,
#define METAL_SHIM_MOVE(f, param, value)                                                 \
    template <class T, metal_shim::exchanged_t<T> = 0> T f(T a, ushort param) {          \
        const metal_shim::brought<T> all = metal_shim::exchange(a);                      \
        return value;                                                                    \
    }                                                                                    \
    METAL_SHIM_BY_COMPONENT(f, METAL_SHIM_COMMA ushort param, METAL_SHIM_COMMA param)
#define METAL_SHIM_FOLD(f, COMBINED, MASK, allowed)                                      \
    template <class T, enable_if_t<metal_shim::exchanged<T>() && (allowed), int> = 0> T f(T own) { \
        const metal_shim::brought<T> all = metal_shim::exchange(own);                    \
        T a{};                                                                           \
        bool any = false;                                                                \
        for (uint i = 0; i < 32; i++) {                                                  \
            if (!all.has(i) || !((MASK) >> i & 1)) continue;                             \
            const T b = all.of[i];                                                       \
            a = any ? T(COMBINED) : b;                                                   \
            any = true;                                                                  \
        }                                                                                \
        return a;                                                                        \
    }                                                                                    \
    METAL_SHIM_BY_COMPONENT(f, , )
#define METAL_SHIM_PREFIX(f, COMBINED, START, END, FIRST)                                \
    template <class T, metal_shim::exchanged_t<T> = 0> T f(T own) {                      \
        const metal_shim::brought<T> all = metal_shim::exchange(own);                    \
        T a = T(START);                                                                  \
        for (uint i = FIRST; i < END; i++) {                                             \
            const T b = all.of[i];                                                       \
            if (all.has(i)) a = T(COMBINED);                                             \
        }                                                                                \
        return a;                                                                        \
    }                                                                                    \
    METAL_SHIM_BY_COMPONENT(f, , )

namespace metal {
// MSL 6.9.2: which lanes a vote or a mask has.
class simd_vote {
public:
    using vote_t = ulong;
    explicit constexpr simd_vote(vote_t v = 0) : value_(v) {}
    explicit constexpr operator vote_t() const { return value_; }
    constexpr bool all() const { return (value_ & 0xffffffffUL) == 0xffffffffUL; }
    constexpr bool any() const { return value_ != 0; }

private:
    vote_t value_;
};
inline simd_vote simd_ballot(bool holds) {
    const metal_shim::brought<uint> all = metal_shim::exchange(uint(holds));
    ulong found = 0;
    for (int i = 0; i < 32; i++)
        if (all.has(uint(i)) && all.of[i]) found |= 1UL << i;
    return simd_vote(found);
}
inline simd_vote simd_active_threads_mask() { return simd_ballot(true); }
inline bool simd_any(bool holds) { return simd_ballot(holds).any(); }
inline bool simd_all(bool holds) { return !simd_ballot(!holds).any(); }
inline bool simd_is_first() {
    const uint active = uint(ulong(simd_active_threads_mask()));
    return (active & (0u - active)) == 1u << metal_shim_lane();
}
inline bool simd_is_helper_thread() { return false; }

METAL_SHIM_MOVE(simd_shuffle, lane, all.from(lane))
METAL_SHIM_MOVE(simd_broadcast, lane, all.from(metal_shim::same(lane)))
METAL_SHIM_MOVE(simd_shuffle_xor, mask, all.from(all.own ^ metal_shim::same(mask)))
METAL_SHIM_MOVE(simd_shuffle_up, delta, metal_shim::same(delta) > all.own ? a : all.from(all.own - delta))
METAL_SHIM_MOVE(simd_shuffle_down, delta, all.own + metal_shim::same(delta) > 31 ? a : all.from(all.own + delta))
METAL_SHIM_MOVE(simd_shuffle_rotate_up, delta, all.from((all.own - metal_shim::same(delta)) & 31))
METAL_SHIM_MOVE(simd_shuffle_rotate_down, delta, all.from((all.own + metal_shim::same(delta)) & 31))
template <class T, metal_shim::exchanged_t<T> = 0> T simd_broadcast_first(T a) {
    const metal_shim::brought<T> all = metal_shim::exchange(a);
    for (uint i = 0; i < 32; i++)
        if (all.has(i)) return all.of[i];
    return a;
}
METAL_SHIM_BY_COMPONENT(simd_broadcast_first, , )
METAL_SHIM_FOLD(simd_sum, metal_shim::sum(a, b), ~0u, true)
METAL_SHIM_FOLD(simd_product, metal_shim::product(a, b), ~0u, true)
METAL_SHIM_FOLD(simd_min, min(a, b), ~0u, true)
METAL_SHIM_FOLD(simd_max, max(a, b), ~0u, true)
METAL_SHIM_FOLD(simd_and, a & b, ~0u, metal_shim::is_integer<T>())
METAL_SHIM_FOLD(simd_or, a | b, ~0u, metal_shim::is_integer<T>())
METAL_SHIM_FOLD(simd_xor, a ^ b, ~0u, metal_shim::is_integer<T>())
METAL_SHIM_PREFIX(simd_prefix_exclusive_sum, metal_shim::sum(a, b), 0, all.own, 0)
METAL_SHIM_PREFIX(simd_prefix_inclusive_sum, metal_shim::sum(a, b), 0, all.own + 1, 0)
METAL_SHIM_PREFIX(simd_prefix_exclusive_product, metal_shim::product(a, b), 1, all.own, 0)
METAL_SHIM_PREFIX(simd_prefix_inclusive_product, metal_shim::product(a, b), 1, all.own + 1, 0)

METAL_SHIM_MOVE(quad_shuffle, lane, all.from((all.own & ~3u) + lane))
METAL_SHIM_MOVE(quad_broadcast, lane, all.from((all.own & ~3u) + metal_shim::same(lane, metal_shim::quad_mask())))
METAL_SHIM_MOVE(quad_shuffle_xor, mask, all.from((all.own & ~3u) + (all.own & 3 ^ mask)))
METAL_SHIM_MOVE(quad_shuffle_up, delta, (all.own & 3) < delta ? a : all.from(all.own - delta))
METAL_SHIM_MOVE(quad_shuffle_down, delta, (all.own & 3) + delta > 3 ? a : all.from(all.own + delta))
METAL_SHIM_FOLD(quad_sum, metal_shim::sum(a, b), metal_shim::quad_mask(), true)
METAL_SHIM_FOLD(quad_product, metal_shim::product(a, b), metal_shim::quad_mask(), true)
METAL_SHIM_FOLD(quad_min, min(a, b), metal_shim::quad_mask(), true)
METAL_SHIM_FOLD(quad_max, max(a, b), metal_shim::quad_mask(), true)
METAL_SHIM_FOLD(quad_and, a & b, metal_shim::quad_mask(), metal_shim::is_integer<T>())
METAL_SHIM_FOLD(quad_or, a | b, metal_shim::quad_mask(), metal_shim::is_integer<T>())
METAL_SHIM_FOLD(quad_xor, a ^ b, metal_shim::quad_mask(), metal_shim::is_integer<T>())
}  // namespace metal
