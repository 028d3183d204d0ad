// Functions of numbers: common (MSL 6.3), integer (6.4), relational (6.6), math (6.5),
// geometric (6.9). Those of `float` round what double precision gives.
#pragma once
#pragma clang system_header
#include "vector.h"

namespace metal_shim {
template <class A> struct as_vec {
    using type = void;
    enum : int { n = 0 };
};
template <class T, int N> struct as_vec<vec<T, N>> {
    using type = vec<T, N>;
    using part = T;
    enum : int { n = N };
};
template <class T, int N> struct as_vec<packed_vec<T, N>> : as_vec<vec<T, N>> {};
template <class V, class A> constexpr bool fits() {
    if constexpr (as_vec<A>::n != 0) return __is_same(typename as_vec<A>::type, V);
    else return widens<A, typename as_vec<V>::part>();
}
// The one vector type among the arguments, if the others become it by themselves.
template <class A, class... R> struct first_vec {
    using type = typename first_vec<R...>::type;
};
template <class A> struct first_vec<A> {
    using type = typename as_vec<A>::type;
};
template <class A, class B, class... R> struct first_vec<A, B, R...> {
    using type = conditional_t<as_vec<A>::n != 0, typename as_vec<A>::type, typename first_vec<B, R...>::type>;
};
template <class V, class... A> struct common_vec : metal::enable_if<(fits<V, A>() && ...), V> {};
template <class... A> struct common_vec<void, A...> {};
template <class... A> using vec_of = typename common_vec<typename first_vec<A...>::type, A...>::type;
constexpr double asinh(double x) {
    const double a = __builtin_fabs(x);
    return __builtin_copysign(a > 1e150 ? __builtin_log(a) + 0.6931471805599453
                                        : __builtin_log1p(a + a * a / (1.0 + __builtin_sqrt(1.0 + a * a))), x);
}
constexpr double acosh(double x) {
    const double t = x - 1.0;
    return x < 1.0 ? double(NAN) : x > 1e150 ? __builtin_log(x) + 0.6931471805599453 : __builtin_log1p(t + __builtin_sqrt(t * (x + 1.0)));
}
constexpr double atanh(double x) {
    const double a = __builtin_fabs(x);
    return __builtin_copysign(0.5 * __builtin_log1p(2.0 * a / (1.0 - a)), x);
}
}  // namespace metal_shim

#define METAL_SHIM_LIFT1(f)                                                              \
    template <class A, class V = metal_shim::vec_of<A>> V f(A a) {                       \
        V x = a, r;                                                                      \
        for (int i = 0; i < V::size_; i++) r.data_[i] = f(x.data_[i]);                   \
        return r;                                                                        \
    }
#define METAL_SHIM_LIFT2(f)                                                              \
    template <class A, class B, class V = metal_shim::vec_of<A, B>> V f(A a, B b) {      \
        V x = a, y = b, r;                                                               \
        for (int i = 0; i < V::size_; i++) r.data_[i] = f(x.data_[i], y.data_[i]);       \
        return r;                                                                        \
    }
#define METAL_SHIM_LIFT3(f)                                                              \
    template <class A, class B, class C, class V = metal_shim::vec_of<A, B, C>> V f(A a, B b, C c) { \
        V x = a, y = b, z = c, r;                                                        \
        for (int i = 0; i < V::size_; i++) r.data_[i] = f(x.data_[i], y.data_[i], z.data_[i]); \
        return r;                                                                        \
    }
#define METAL_SHIM_REAL1(f, value)                                                       \
    inline float f(float a) { const double x = a; return float(value); }                 \
    inline half f(half a) { const double x = float(a); return half(float(value)); }      \
    METAL_SHIM_LIFT1(f)
#define METAL_SHIM_REAL2(f, value)                                                       \
    inline float f(float a, float b) { const double x = a, y = b; return float(value); } \
    inline half f(half a, half b) { const double x = float(a), y = float(b); return half(float(value)); } \
    METAL_SHIM_LIFT2(f)
#define METAL_SHIM_REALS                                                                 \
    METAL_SHIM_REAL1(sin, __builtin_sin(x)) METAL_SHIM_REAL1(cos, __builtin_cos(x))      \
    METAL_SHIM_REAL1(tan, __builtin_tan(x)) METAL_SHIM_REAL1(asin, __builtin_asin(x))    \
    METAL_SHIM_REAL1(acos, __builtin_acos(x)) METAL_SHIM_REAL1(atan, __builtin_atan(x))  \
    METAL_SHIM_REAL1(sinh, __builtin_sinh(x)) METAL_SHIM_REAL1(cosh, __builtin_cosh(x))  \
    METAL_SHIM_REAL1(tanh, __builtin_tanh(x)) METAL_SHIM_REAL1(asinh, metal_shim::asinh(x)) \
    METAL_SHIM_REAL1(acosh, metal_shim::acosh(x)) METAL_SHIM_REAL1(atanh, metal_shim::atanh(x)) \
    METAL_SHIM_REAL1(exp, __builtin_exp(x)) METAL_SHIM_REAL1(exp2, __builtin_exp2(x))    \
    METAL_SHIM_REAL1(exp10, __builtin_pow(double(10), x)) METAL_SHIM_REAL1(log, __builtin_log(x)) \
    METAL_SHIM_REAL1(log2, __builtin_log2(x)) METAL_SHIM_REAL1(log10, __builtin_log10(x)) \
    METAL_SHIM_REAL1(sqrt, __builtin_sqrt(x)) METAL_SHIM_REAL1(rsqrt, 1 / __builtin_sqrt(x)) \
    METAL_SHIM_REAL1(floor, __builtin_floor(x)) METAL_SHIM_REAL1(ceil, __builtin_ceil(x)) \
    METAL_SHIM_REAL1(trunc, __builtin_trunc(x)) METAL_SHIM_REAL1(round, __builtin_round(x)) \
    METAL_SHIM_REAL1(rint, __builtin_rint(x)) METAL_SHIM_REAL1(fabs, __builtin_fabs(x))  \
    METAL_SHIM_REAL2(atan2, __builtin_atan2(x, y)) METAL_SHIM_REAL2(pow, __builtin_pow(x, y)) \
    METAL_SHIM_REAL2(powr, __builtin_pow(x, y)) METAL_SHIM_REAL2(fmod, __builtin_fmod(x, y)) \
    METAL_SHIM_REAL2(fmin, __builtin_fmin(x, y)) METAL_SHIM_REAL2(fmax, __builtin_fmax(x, y)) \
    METAL_SHIM_REAL2(copysign, __builtin_copysign(x, y)) METAL_SHIM_REAL2(fdim, __builtin_fdim(x, y)) \
    METAL_SHIM_REAL2(divide, x / y)
namespace metal {
METAL_SHIM_REALS
namespace precise {
METAL_SHIM_REALS
}
namespace fast {
METAL_SHIM_REALS
}
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
METAL_SHIM_LIFT3(fma)
inline float min(float a, float b) { return fmin(a, b); }
inline float max(float a, float b) { return fmax(a, b); }
inline half min(half a, half b) { return fmin(a, b); }
inline half max(half a, half b) { return fmax(a, b); }
inline float abs(float a) { return fabs(a); }
inline half abs(half a) { return fabs(a); }
#define METAL_SHIM_INTEGER(T)                                                            \
    inline T min(T a, T b) { return b < a ? b : a; }                                     \
    inline T max(T a, T b) { return a < b ? b : a; }                                     \
    inline T clamp(T a, T low, T high) { return min(max(a, low), high); }                \
    inline T popcount(T a) { return T(__builtin_popcountl(metal_shim::unsigned_of<T>(a))); } \
    inline T clz(T a) { return a == 0 ? T(sizeof(T) * 8) : T(__builtin_clzl(metal_shim::unsigned_of<T>(a)) - (64 - int(sizeof(T)) * 8)); } \
    inline T ctz(T a) { return a == 0 ? T(sizeof(T) * 8) : T(__builtin_ctzl(metal_shim::unsigned_of<T>(a))); }
METAL_SHIM_INTEGER(char) METAL_SHIM_INTEGER(uchar) METAL_SHIM_INTEGER(short) METAL_SHIM_INTEGER(ushort)
METAL_SHIM_INTEGER(int) METAL_SHIM_INTEGER(uint) METAL_SHIM_INTEGER(long) METAL_SHIM_INTEGER(ulong)
inline int abs(int a) { return a < 0 ? int(-uint(a)) : a; }
inline long abs(long a) { return a < 0 ? long(-ulong(a)) : a; }
inline int mulhi(int a, int b) { return int((long(a) * b) >> 32); }
inline uint mulhi(uint a, uint b) { return uint((ulong(a) * b) >> 32); }
inline float clamp(float a, float low, float high) { return fmin(fmax(a, low), high); }
inline half clamp(half a, half low, half high) { return fmin(fmax(a, low), high); }
inline float mix(float a, float b, float t) { return a + (b - a) * t; }
inline float saturate(float a) { return clamp(a, 0.0f, 1.0f); }
inline float step(float edge, float x) { return x < edge ? 0.0f : 1.0f; }
inline float sign(float x) { return x > 0 ? 1.0f : x < 0 ? -1.0f : x == 0 ? x : 0.0f; }
inline float fract(float x) { return fmin(x - floor(x), 0x1.fffffep-1f); }
inline float smoothstep(float low, float high, float x) {
    const float t = clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}
METAL_SHIM_LIFT2(min) METAL_SHIM_LIFT2(max) METAL_SHIM_LIFT1(abs) METAL_SHIM_LIFT3(clamp)
METAL_SHIM_LIFT3(mix) METAL_SHIM_LIFT1(saturate) METAL_SHIM_LIFT2(step) METAL_SHIM_LIFT1(sign)
METAL_SHIM_LIFT1(fract) METAL_SHIM_LIFT3(smoothstep) METAL_SHIM_LIFT1(popcount) METAL_SHIM_LIFT1(clz)
METAL_SHIM_LIFT1(ctz) METAL_SHIM_LIFT2(mulhi)
inline bool isnan(float x) { return x != x; }
inline bool isinf(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
inline bool isfinite(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
template <int N> bool all(vec<bool, N> v) {
    for (int i = 0; i < N; i++)
        if (!v.data_[i]) return false;
    return true;
}
template <int N> bool any(vec<bool, N> v) { return !all(!v); }
template <class T, enable_if_t<metal_shim::scalar<T>::is, int> = 0> T select(T a, T b, bool c) { return c ? b : a; }
template <class T, int N> vec<T, N> select(vec<T, N> a, vec<T, N> b, vec<bool, N> c) {
    for (int i = 0; i < N; i++) a.data_[i] = c.data_[i] ? b.data_[i] : a.data_[i];
    return a;
}
template <class T, int N> T dot(vec<T, N> a, vec<T, N> b) {
    T sum = a.data_[0] * b.data_[0];
    for (int i = 1; i < N; i++) sum = sum + a.data_[i] * b.data_[i];
    return sum;
}
template <class T, int N> T length_squared(vec<T, N> a) { return dot(a, a); }
template <class T, int N> T length(vec<T, N> a) { return sqrt(dot(a, a)); }
template <class T, int N> T distance(vec<T, N> a, vec<T, N> b) { return length(a - b); }
template <class T, int N> vec<T, N> normalize(vec<T, N> a) { return a * rsqrt(dot(a, a)); }
template <class T, int N> vec<T, N> reflect(vec<T, N> i, vec<T, N> n) { return i - T(2) * dot(n, i) * n; }
template <class T> vec<T, 3> cross(vec<T, 3> a, vec<T, 3> b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
template <class T, class S> T as_type_(S s) {
    static_assert(sizeof(T) == sizeof(S), "as_type between types of different sizes");
    return __builtin_bit_cast(T, s);
}
}  // namespace metal
template <class T, class S> T as_type(S s) { return metal::as_type_<T>(s); }
