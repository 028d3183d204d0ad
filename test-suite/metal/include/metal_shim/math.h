// Math functions (MSL 6.5) and common ones (6.2). Those of `float` and `half` round what double
// precision gives, so that `precise` and `fast` are the same here.
#pragma once
#pragma clang system_header
#include "lift.h"

namespace metal_shim {
constexpr double asinh(double x) {
    const double a = __builtin_fabs(x);
    return __builtin_copysign(a > 1e150 ? __builtin_log(a) + 0.6931471805599453
                                        : __builtin_log1p(a + a * a / (1.0 + __builtin_sqrt(1.0 + a * a))), x);
}
constexpr double acosh(double x) {
    const double t = x - 1.0;
    if (x < 1.0) return double(NAN);
    return x > 1e150 ? __builtin_log(x) + 0.6931471805599453 : __builtin_log1p(t + __builtin_sqrt(t * (x + 1.0)));
}
constexpr double atanh(double x) {
    const double a = __builtin_fabs(x);
    return __builtin_copysign(0.5 * __builtin_log1p(2.0 * a / (1.0 - a)), x);
}
inline bool is_infinite(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
// Of `f(pi x)`: turns are taken off where that is exact.
inline double turns(double x) { return (x - 2 * __builtin_rint(x / 2)) * 3.14159265358979323846; }
}  // namespace metal_shim

#define METAL_SHIM_REAL1(f, value)                                                       \
    inline float f(float a) { const double x = a; return float(value); }                 \
    inline half f(half a) { const double x = float(a); return half(value); }             \
    METAL_SHIM_LIFT1(f, float, float)                                                    \
    METAL_SHIM_LIFT1(f, half, half)
#define METAL_SHIM_REAL2(f, value)                                                       \
    inline float f(float a, float b) { const double x = a, y = b; return float(value); } \
    inline half f(half a, half b) { const double x = float(a), y = float(b); return half(value); } \
    METAL_SHIM_LIFT2(f, float, float)                                                    \
    METAL_SHIM_LIFT2(f, half, half)
#define METAL_SHIM_REAL3(f, value)                                                       \
    inline float f(float a, float b, float c) { return value; }                          \
    inline half f(half a, half b, half c) { return value; }                              \
    METAL_SHIM_LIFT3(f, float, float)                                                    \
    METAL_SHIM_LIFT3(f, half, half)
// A result and a second one, through a reference.
#define METAL_SHIM_SECOND(f, T, U) METAL_SHIM_SIZES(METAL_SHIM_SIZED_SECOND, f, T, U)
#define METAL_SHIM_SIZED_SECOND(N, f, T, U)                                              \
    inline vec<T, N> f(vec<T, N> x, thread vec<U, N>& second) {                          \
        vec<T, N> r;                                                                     \
        for (int i = 0; i < N; i++) {                                                    \
            U one;                                                                       \
            r.data_[i] = f(x.data_[i], one);                                             \
            second.data_[i] = one;                                                       \
        }                                                                                \
        return r;                                                                        \
    }
#define METAL_SHIM_LDEXP(N, T)                                                           \
    inline vec<T, N> ldexp(vec<T, N> x, vec<int, N> k) {                                 \
        for (int i = 0; i < N; i++) x.data_[i] = ldexp(x.data_[i], k.data_[i]);          \
        return x;                                                                        \
    }
#define METAL_SHIM_SECONDS(T)                                                            \
    inline T modf(T x, thread T& whole) {                                                \
        whole = trunc(x);                                                                \
        return copysign(metal_shim::is_infinite(x) ? T(0) : T(x - whole), x);                             \
    }                                                                                    \
    METAL_SHIM_SECOND(modf, T, T)                                                        \
    inline T sincos(T x, thread T& cosine) {                                             \
        cosine = cos(x);                                                                 \
        return sin(x);                                                                   \
    }                                                                                    \
    METAL_SHIM_SECOND(sincos, T, T)                                                      \
    inline T frexp(T x, thread int& exponent) {                                          \
        return T(__builtin_frexp(double(x), (int*)&exponent));                           \
    }                                                                                    \
    METAL_SHIM_SECOND(frexp, T, int)                                                     \
    inline T ldexp(T x, int k) { return T(__builtin_ldexp(double(x), k)); }              \
    METAL_SHIM_SIZES(METAL_SHIM_LDEXP, T)                                                \
    inline int ilogb(T x) { return __builtin_ilogb(double(x)); }                         \
    METAL_SHIM_LIFT1(ilogb, T, int)
#define METAL_SHIM_REALS                                                                 \
    METAL_SHIM_REAL1(sin, __builtin_sin(x)) METAL_SHIM_REAL1(cos, __builtin_cos(x))      \
    METAL_SHIM_REAL1(tan, __builtin_tan(x)) METAL_SHIM_REAL1(asin, __builtin_asin(x))    \
    METAL_SHIM_REAL1(acos, __builtin_acos(x)) METAL_SHIM_REAL1(atan, __builtin_atan(x))  \
    METAL_SHIM_REAL1(sinh, __builtin_sinh(x)) METAL_SHIM_REAL1(cosh, __builtin_cosh(x))  \
    METAL_SHIM_REAL1(tanh, __builtin_tanh(x)) METAL_SHIM_REAL1(asinh, metal_shim::asinh(x)) \
    METAL_SHIM_REAL1(acosh, metal_shim::acosh(x)) METAL_SHIM_REAL1(atanh, metal_shim::atanh(x)) \
    METAL_SHIM_REAL1(sinpi, __builtin_sin(metal_shim::turns(x)))                         \
    METAL_SHIM_REAL1(cospi, __builtin_cos(metal_shim::turns(x)))                         \
    METAL_SHIM_REAL1(tanpi, __builtin_tan(metal_shim::turns(x)))                         \
    METAL_SHIM_REAL1(exp, __builtin_exp(x)) METAL_SHIM_REAL1(exp2, __builtin_exp2(x))    \
    METAL_SHIM_REAL1(exp10, __builtin_pow(double(10), x)) METAL_SHIM_REAL1(log, __builtin_log(x)) \
    METAL_SHIM_REAL1(log2, __builtin_log2(x)) METAL_SHIM_REAL1(log10, __builtin_log10(x)) \
    METAL_SHIM_REAL1(sqrt, __builtin_sqrt(x)) \
    METAL_SHIM_REAL1(rsqrt, 1 / double(float(decltype(a)(__builtin_sqrt(x)))))           \
    METAL_SHIM_REAL1(floor, __builtin_floor(x)) METAL_SHIM_REAL1(ceil, __builtin_ceil(x)) \
    METAL_SHIM_REAL1(trunc, __builtin_trunc(x)) METAL_SHIM_REAL1(round, __builtin_round(x)) \
    METAL_SHIM_REAL1(rint, __builtin_rint(x)) METAL_SHIM_REAL1(fabs, __builtin_fabs(x))  \
    METAL_SHIM_REAL2(atan2, __builtin_atan2(x, y)) METAL_SHIM_REAL2(pow, __builtin_pow(x, y)) \
    METAL_SHIM_REAL2(powr, x < 0 ? double(NAN) : __builtin_pow(x, y))                    \
    METAL_SHIM_REAL2(fmod, __builtin_fmod(x, y)) METAL_SHIM_REAL2(divide, x / y)         \
    METAL_SHIM_REAL2(fmin, __builtin_fmin(x, y)) METAL_SHIM_REAL2(fmax, __builtin_fmax(x, y)) \
    METAL_SHIM_REAL2(copysign, __builtin_copysign(x, y)) METAL_SHIM_REAL2(fdim, __builtin_fdim(x, y)) \
    METAL_SHIM_REAL3(fmin3, fmin(fmin(a, b), c)) METAL_SHIM_REAL3(fmax3, fmax(fmax(a, b), c)) \
    METAL_SHIM_REAL3(fmedian3, fmax(fmin(a, b), fmin(fmax(a, b), c)))                    \
    METAL_SHIM_SECONDS(float) METAL_SHIM_SECONDS(half)

namespace metal {
METAL_SHIM_REALS
namespace precise {
METAL_SHIM_REALS
}
namespace fast {
METAL_SHIM_REALS
}
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline half fma(half a, half b, half c) { return half(__builtin_fma(double(a), double(b), double(c))); }
METAL_SHIM_LIFT3(fma, float, float) METAL_SHIM_LIFT3(fma, half, half)
inline float nextafter(float a, float b) { return __builtin_nextafterf(a, b); }
METAL_SHIM_LIFT2(nextafter, float, float)

#define METAL_SHIM_COMMON(T)                                                             \
    inline T min(T a, T b) { return fmin(a, b); }                                        \
    inline T max(T a, T b) { return fmax(a, b); }                                        \
    inline T min3(T a, T b, T c) { return fmin3(a, b, c); }                              \
    inline T max3(T a, T b, T c) { return fmax3(a, b, c); }                              \
    inline T median3(T a, T b, T c) { return fmedian3(a, b, c); }                        \
    inline T abs(T a) { return fabs(a); }                                                \
    inline T clamp(T a, T low, T high) { return fmin(fmax(a, low), high); }              \
    inline T mix(T a, T b, T t) { return a + (b - a) * t; }                              \
    inline T saturate(T a) { return clamp(a, T(0), T(1)); }                              \
    inline T step(T edge, T x) { return x < edge ? T(0) : T(1); }                        \
    inline T sign(T x) { return x > 0 ? T(1) : x < 0 ? T(-1) : x == 0 ? x : T(0); }      \
    inline T smoothstep(T low, T high, T x) {                                            \
        const T t = clamp((x - low) / (high - low), T(0), T(1));                         \
        return t * t * (T(3) - T(2) * t);                                                \
    } \
    METAL_SHIM_LIFT2(min, T, T) METAL_SHIM_LIFT2(max, T, T) METAL_SHIM_LIFT3(min3, T, T) \
    METAL_SHIM_LIFT3(max3, T, T) METAL_SHIM_LIFT3(median3, T, T) METAL_SHIM_LIFT1(abs, T, T) \
    METAL_SHIM_LIFT3(clamp, T, T) METAL_SHIM_LIFT3(mix, T, T) METAL_SHIM_LIFT1(saturate, T, T) \
    METAL_SHIM_LIFT2(step, T, T) METAL_SHIM_LIFT1(sign, T, T) METAL_SHIM_LIFT3(smoothstep, T, T)
METAL_SHIM_COMMON(float)
METAL_SHIM_COMMON(half)
inline float fract(float x) { return fmin(x - floor(x), 0x1.fffffep-1f); }
inline half fract(half x) { return fmin(x - floor(x), 0x1.ffcp-1h); }
METAL_SHIM_LIFT1(fract, float, float) METAL_SHIM_LIFT1(fract, half, half)
}  // namespace metal
