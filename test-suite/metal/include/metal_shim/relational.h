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
    METAL_SHIM_LIFT1(f)
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
METAL_SHIM_LIFT1(isnormal) METAL_SHIM_LIFT2(isordered) METAL_SHIM_LIFT2(isunordered)
inline bool all(bool x) { return x; }
inline bool any(bool x) { return x; }
template <int N> bool all(vec<bool, N> v) {
    for (int i = 0; i < N; i++)
        if (!v.data_[i]) return false;
    return true;
}
template <int N> bool any(vec<bool, N> v) { return !all(!v); }
// The second where the third holds.
template <class T, enable_if_t<metal_shim::scalar<T>::is, int> = 0> T select(T a, T b, bool c) { return c ? b : a; }
template <class A, class B, class C, class V = metal_shim::vec_of<A, B>,
          enable_if_t<metal_shim::fits<vec<bool, V::size_>, C>(), int> = 0>
V select(A a, B b, C c) {
    V x = a;
    const V y = b;
    const vec<bool, V::size_> z = c;
    for (int i = 0; i < V::size_; i++) x.data_[i] = z.data_[i] ? y.data_[i] : x.data_[i];
    return x;
}

#define METAL_SHIM_OF_TWO(f, value)                                                      \
    template <class A, class B, class V = metal_shim::real_of<metal_shim::vec_of<A, B>>> auto f(A a, B b) { \
        const V x = a, y = b;                                                            \
        return value;                                                                    \
    }
#define METAL_SHIM_OF_ONE(f, value)                                                      \
    template <class A, class V = metal_shim::real_of<metal_shim::vec_of<A>>> auto f(A a) { \
        const V x = a;                                                                   \
        return value;                                                                    \
    }
template <class T, int N> T dot_(vec<T, N> a, vec<T, N> b) {
    T sum = a.data_[0] * b.data_[0];
    for (int i = 1; i < N; i++) sum = sum + a.data_[i] * b.data_[i];
    return sum;
}
template <class T> vec<T, 3> cross_(vec<T, 3> a, vec<T, 3> b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
METAL_SHIM_OF_TWO(dot, dot_(x, y))
METAL_SHIM_OF_TWO(cross, cross_(x, y))
METAL_SHIM_OF_ONE(length_squared, dot_(x, x))
METAL_SHIM_OF_ONE(length, sqrt(dot_(x, x)))
METAL_SHIM_OF_ONE(normalize, x * rsqrt(dot_(x, x)))
METAL_SHIM_OF_TWO(distance_squared, dot_(x - y, x - y))
METAL_SHIM_OF_TWO(distance, sqrt(dot_(x - y, x - y)))
METAL_SHIM_OF_TWO(reflect, x - (dot_(y, x) + dot_(y, x)) * y)
template <class A, class B, class C, class V = metal_shim::real_of<metal_shim::vec_of<A, B, C>>>
V faceforward(A n, B i, C other) {
    return dot_(V(i), V(other)) < 0 ? V(n) : -V(n);
}
template <class T, int N, enable_if_t<metal_shim::scalar<T>::real, int> = 0>
vec<T, N> refract(vec<T, N> i, vec<T, N> n, T eta) {
    const T cosine = dot_(n, i), k = T(1) - eta * eta * (T(1) - cosine * cosine);
    return k < T(0) ? vec<T, N>(T(0)) : eta * i - (eta * cosine + sqrt(k)) * n;
}

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
    enum : bool { is_specialized = true, is_signed = metal_shim::scalar<T>::sign, is_integer = !metal_shim::scalar<T>::real };
    enum : int {
        digits = metal_shim::scalar<T>::real ? (sizeof(T) == 4 ? 24 : 11) : int(sizeof(T) * 8) - metal_shim::scalar<T>::sign
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
template <class T, class S> T as_type_(S s) {
    static_assert(sizeof(T) == sizeof(S), "as_type between types of different sizes");
    return __builtin_bit_cast(T, s);
}
}  // namespace metal
template <class T, class S> T as_type(S s) { return metal::as_type_<T>(s); }
