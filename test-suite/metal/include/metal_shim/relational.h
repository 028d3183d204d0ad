// Relational functions (MSL 6.6), geometric ones (6.8), `as_type` (2.17) and limits (6.5, 6.6).
#pragma once
#pragma clang system_header
#include "integer.h"

#define METAL_SHIM_ASK1(f, value)              \
    inline bool f(float x) { return value; }   \
    inline bool f(half h) {                    \
        const float x = h;                     \
        return value;                          \
    }                                          \
    METAL_SHIM_LIFT1(f, float, bool)           \
    METAL_SHIM_LIFT1(f, half, bool)
namespace metal {
METAL_SHIM_ASK1(isnan, x != x)
METAL_SHIM_ASK1(isinf, __builtin_fabsf(x) == __builtin_inff())
METAL_SHIM_ASK1(isfinite, __builtin_fabsf(x) < __builtin_inff())
METAL_SHIM_ASK1(signbit, __builtin_signbitf(x) != 0)
inline bool isnormal(float x) { return isfinite(x) && __builtin_fabsf(x) >= 0x1p-126f; }
inline bool isnormal(half x) { return isfinite(x) && __builtin_fabsf(float(x)) >= 0x1p-14f; }
inline bool isordered(float x, float y) { return x == x && y == y; }
inline bool isordered(half x, half y) { return x == x && y == y; }
inline bool isunordered(float x, float y) { return !isordered(x, y); }
inline bool isunordered(half x, half y) { return !isordered(x, y); }
METAL_SHIM_LIFT1(isnormal, float, bool) METAL_SHIM_LIFT1(isnormal, half, bool)
METAL_SHIM_LIFT2(isordered, float, bool) METAL_SHIM_LIFT2(isordered, half, bool)
METAL_SHIM_LIFT2(isunordered, float, bool) METAL_SHIM_LIFT2(isunordered, half, bool)
inline bool all(bool x) { return x; }
inline bool any(bool x) { return x; }
#define METAL_SHIM_QUANTIFIED(N, _)          \
    inline bool all(vec<bool, N> v) {        \
        for (int i = 0; i < N; i++)          \
            if (!v.data_[i]) return false;   \
        return true;                         \
    }                                        \
    inline bool any(vec<bool, N> v) { return !all(!v); }
METAL_SHIM_SIZES(METAL_SHIM_QUANTIFIED, )
// The second where the third holds.
#define METAL_SHIM_SELECTED(N, T)                                                        \
    inline vec<T, N> select(vec<T, N> a, vec<T, N> b, vec<bool, N> c) {                  \
        for (int i = 0; i < N; i++) a.data_[i] = c.data_[i] ? b.data_[i] : a.data_[i];   \
        return a;                                                                        \
    }
#define METAL_SHIM_SELECT(T, ...)                                                        \
    inline T select(T a, T b, bool c) { return c ? b : a; }                              \
    METAL_SHIM_SIZES(METAL_SHIM_SELECTED, T)
METAL_SHIM_INTEGERS(METAL_SHIM_SELECT, )
METAL_SHIM_SELECT(bool)
METAL_SHIM_SELECT(half)
METAL_SHIM_SELECT(float)

#define METAL_SHIM_GEOMETRIC(N, T)                                                       \
    inline T dot(vec<T, N> a, vec<T, N> b) {                                             \
        T sum = a.data_[0] * b.data_[0];                                                 \
        for (int i = 1; i < N; i++) sum = sum + a.data_[i] * b.data_[i];                 \
        return sum;                                                                      \
    }                                                                                    \
    inline T length_squared(vec<T, N> a) { return dot(a, a); }                           \
    inline T length(vec<T, N> a) { return sqrt(dot(a, a)); }                             \
    inline T distance_squared(vec<T, N> a, vec<T, N> b) { return dot(a - b, a - b); }    \
    inline T distance(vec<T, N> a, vec<T, N> b) { return length(a - b); }                \
    inline vec<T, N> normalize(vec<T, N> a) { return a * rsqrt(dot(a, a)); }             \
    inline vec<T, N> faceforward(vec<T, N> n, vec<T, N> i, vec<T, N> other) {            \
        return dot(i, other) < T(0) ? metal_shim::value_of(n) : -n;                         \
    }                                                                                    \
    inline vec<T, N> reflect(vec<T, N> i, vec<T, N> n) { return i - T(2) * dot(n, i) * n; } \
    inline vec<T, N> refract(vec<T, N> i, vec<T, N> n, T eta) {                          \
        const T cosine = dot(n, i), k = T(1) - eta * eta * (T(1) - cosine * cosine);     \
        return k < T(0) ? vec<T, N>(T(0)) : eta * i - (eta * cosine + sqrt(k)) * n;      \
    }
METAL_SHIM_SIZES(METAL_SHIM_GEOMETRIC, float)
METAL_SHIM_SIZES(METAL_SHIM_GEOMETRIC, half)
inline float3 cross(float3 a, float3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
inline half3 cross(half3 a, half3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }

// The same in the name spaces that say how accurate a function is (MSL 6.2, 6.5, 6.8).
#define METAL_SHIM_TOO                                                                   \
    using metal::min;                                                                    \
    using metal::max;                                                                    \
    using metal::abs;                                                                    \
    using metal::clamp;                                                                  \
    using metal::mix;                                                                    \
    using metal::saturate;                                                               \
    using metal::sign;                                                                   \
    using metal::smoothstep;                                                             \
    using metal::step;                                                                   \
    using metal::fract;                                                                  \
    using metal::distance;                                                               \
    using metal::length;                                                                 \
    using metal::normalize;
namespace precise {
METAL_SHIM_TOO
}
namespace fast {
METAL_SHIM_TOO
}

template <class T> struct numeric_limits {
    static_assert(metal_shim::scalar<T>::is, "there are limits of numbers alone");
    enum : bool { is_specialized = true, is_signed = metal_shim::scalar<T>::sign };
    enum : bool { is_integer = !metal_shim::scalar<T>::real };
    enum : int {
        digits = metal_shim::scalar<T>::real ? (sizeof(T) == 4 ? 24 : 11)
                                             : int(sizeof(T) * 8) - metal_shim::scalar<T>::sign
    };
    static constexpr T max() {
        if constexpr (metal_shim::scalar<T>::real) return sizeof(T) == 4 ? T(FLT_MAX) : T(65504.0f);
        else return metal_shim::greatest<T>();
    }
    static constexpr T lowest() {
        if constexpr (metal_shim::scalar<T>::real) return T(-max());
        else return metal_shim::least<T>();
    }
    static constexpr T min() {
        if constexpr (metal_shim::scalar<T>::real) return sizeof(T) == 4 ? T(FLT_MIN) : T(0x1p-14f);
        else return metal_shim::least<T>();
    }
    static constexpr T epsilon() {
        if constexpr (metal_shim::scalar<T>::real) return sizeof(T) == 4 ? T(FLT_EPSILON) : T(0x1p-10f);
        else return T(0);
    }
    static constexpr T denorm_min() {
        if constexpr (metal_shim::scalar<T>::real) return sizeof(T) == 4 ? T(0x1p-149f) : T(0x1p-24f);
        else return T(0);
    }
    static constexpr T infinity() {
        if constexpr (metal_shim::scalar<T>::real) return T(__builtin_inff());
        else return T(0);
    }
    static constexpr T quiet_NaN() {
        if constexpr (metal_shim::scalar<T>::real) return T(__builtin_nanf(""));
        else return T(0);
    }
};
}  // namespace metal

template <class T, class S> T as_type(S s) {
    static_assert(sizeof(T) == sizeof(S), "as_type between types of different sizes");
    return __builtin_bit_cast(T, s);
}
