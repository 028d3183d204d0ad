// How functions of numbers become functions of vectors, component by component. They are plain
// functions for each type and size and no templates, so that arguments become vectors, names
// clash, and calls are ambiguous as they are in Metal.
#pragma once
#pragma clang system_header
#include "vector.h"

#define METAL_SHIM_SIZES(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__)
#define METAL_SHIM_INTEGERS(M, ...)                                                      \
    M(char, __VA_ARGS__) M(uchar, __VA_ARGS__) M(short, __VA_ARGS__) M(ushort, __VA_ARGS__) \
    M(int, __VA_ARGS__) M(uint, __VA_ARGS__) M(long, __VA_ARGS__) M(ulong, __VA_ARGS__)
// Of one, two or three values of type T, with a result of type R.
#define METAL_SHIM_LIFT1(f, T, R) METAL_SHIM_SIZES(METAL_SHIM_SIZED1, f, T, R)
#define METAL_SHIM_LIFT2(f, T, R) METAL_SHIM_SIZES(METAL_SHIM_SIZED2, f, T, R)
#define METAL_SHIM_LIFT3(f, T, R) METAL_SHIM_SIZES(METAL_SHIM_SIZED3, f, T, R)
#define METAL_SHIM_SIZED1(N, f, T, R)                                                    \
    inline vec<R, N> f(vec<T, N> a) {                                                    \
        vec<R, N> r;                                                                     \
        for (int i = 0; i < N; i++) r.data_[i] = f(a.data_[i]);                          \
        return r;                                                                        \
    }
#define METAL_SHIM_SIZED2(N, f, T, R)                                                    \
    inline vec<R, N> f(vec<T, N> a, vec<T, N> b) {                                       \
        vec<R, N> r;                                                                     \
        for (int i = 0; i < N; i++) r.data_[i] = f(a.data_[i], b.data_[i]);              \
        return r;                                                                        \
    }
#define METAL_SHIM_SIZED3(N, f, T, R)                                                    \
    inline vec<R, N> f(vec<T, N> a, vec<T, N> b, vec<T, N> c) {                          \
        vec<R, N> r;                                                                     \
        for (int i = 0; i < N; i++) r.data_[i] = f(a.data_[i], b.data_[i], c.data_[i]);  \
        return r;                                                                        \
    }
