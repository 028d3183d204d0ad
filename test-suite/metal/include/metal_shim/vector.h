// Vectors (MSL 2.2), packed vectors (2.2.3), matrices (2.3) and arrays (2.12).
#pragma once
#pragma clang system_header
#include "base.h"
#include "swizzle.h"

namespace metal {
template <class T, int N> struct vec;
template <class T, int N> struct packed_vec;
}  // namespace metal

namespace metal_shim {
using metal::packed_vec;
using metal::vec;
// How many components a value gives to a vector of T, and less than nothing if it gives none.
template <class T, class A> struct parts {
    enum : int { count = scalar<A>::is ? 1 : -100 };
    static constexpr int store(T* to, A a) {
        *to = T(a);
        return 1;
    }
};
template <class T, int N> struct parts<T, vec<T, N>> {
    enum : int { count = N };
    static constexpr int store(T* to, vec<T, N> a) {
        for (int i = 0; i < N; i++) to[i] = a.data_[i];
        return N;
    }
};
template <class T, int N> struct parts<T, packed_vec<T, N>> {
    enum : int { count = N };
    static constexpr int store(T* to, packed_vec<T, N> a) {
        for (int i = 0; i < N; i++) to[i] = a.data_[i];
        return N;
    }
};
}  // namespace metal_shim

#define METAL_SHIM_BINARY(op, allowed)                                                   \
    friend constexpr vec operator op(vec a, vec b) {                                     \
        static_assert(allowed, "no such operator for these components");                 \
        vec r{};                                                                         \
        for (int i = 0; i < size_; i++) r.data_[i] = T(a.data_[i] op b.data_[i]);         \
        return r;                                                                        \
    }                                                                                    \
    friend constexpr __generic vec& operator op##=(__generic vec& a, vec b) { return a = a op b; }
// MSL 3.1: of how far, the lowest bits count that a component's width asks for.
#define METAL_SHIM_SHIFTED(op, HEAD, U)                                                  \
    HEAD friend constexpr vec operator op(vec a, vec<U, size_> b) {                      \
        static_assert(metal_shim::is_integer<T>(), "no such operator for these components"); \
        vec r{};                                                                         \
        for (int i = 0; i < size_; i++) {                                                \
            r.data_[i] = T(a.data_[i] op int(ulong(b.data_[i]) & (sizeof(T) * 8 - 1)));  \
        }                                                                                \
        return r;                                                                        \
    }                                                                                    \
    HEAD friend constexpr __generic vec& operator op##=(__generic vec& a, vec<U, size_> b) { \
        return a = a op b;                                                               \
    }
// Integers of the other sign are taken, too.
#define METAL_SHIM_OTHER_SIGN template <class U, enable_if_t<metal_shim::differs_in_sign<T, U>(), int> = 0>
#define METAL_SHIM_SHIFT(op)                                                             \
    METAL_SHIM_SHIFTED(op, , T)                                                          \
    METAL_SHIM_SHIFTED(op, METAL_SHIM_OTHER_SIGN, U)
#define METAL_SHIM_STEP(op, by)                                                          \
    friend constexpr __generic vec& operator op(__generic vec& a) { return a = a by vec(T(1)); } \
    friend constexpr vec operator op(__generic vec& a, int) {                            \
        const vec before = a;                                                            \
        a = a by vec(T(1));                                                              \
        return before;                                                                   \
    }
#define METAL_SHIM_COMPARE(op)                                                           \
    friend constexpr vec<bool, size_> operator op(vec a, vec b) {                        \
        vec<bool, size_> r{};                                                            \
        for (int i = 0; i < size_; i++) r.data_[i] = a.data_[i] op b.data_[i];            \
        return r;                                                                        \
    }
#define METAL_SHIM_CONSTRUCTORS(name)                                                    \
    T data_[size_];                                                                      \
    name() = default;                                                                    \
    template <class S, enable_if_t<metal_shim::widens<S, T>(), int> = 0> constexpr name(S s) : data_{} { \
        for (int i = 0; i < size_; i++) data_[i] = T(s);                                 \
    }                                                                                    \
    template <class S, enable_if_t<metal_shim::scalar<S>::is && !metal_shim::widens<S, T>(), int> = 0> \
    explicit constexpr name(S s) : data_{} {                                             \
        for (int i = 0; i < size_; i++) data_[i] = T(s);                                 \
    }                                                                                    \
    template <class U, enable_if_t<!__is_same(U, T), int> = 0>                           \
    explicit constexpr name(vec<U, size_> v) : data_{} {                                 \
        for (int i = 0; i < size_; i++) data_[i] = T(v.data_[i]);                        \
    }                                                                                    \
    template <class U, enable_if_t<!__is_same(U, T), int> = 0>                           \
    explicit constexpr name(packed_vec<U, size_> v) : data_{} {                          \
        for (int i = 0; i < size_; i++) data_[i] = T(v.data_[i]);                        \
    }                                                                                    \
    template <class A, class B, class... R,                                              \
              enable_if_t<metal_shim::parts<T, A>::count + metal_shim::parts<T, B>::count + \
                                  (0 + ... + metal_shim::parts<T, R>::count) == size_, int> = 0> \
    constexpr name(A a, B b, R... r) : data_{} {                                         \
        T all[size_]{};                                                                  \
        int at = metal_shim::parts<T, A>::store(all, a);                                 \
        at += metal_shim::parts<T, B>::store(all + at, b);                               \
        ((at += metal_shim::parts<T, R>::store(all + at, r)), ...);                      \
        for (int i = 0; i < size_; i++) data_[i] = all[i];                               \
    }                                                                                    \
    constexpr T operator[](int i) const { return data_[metal_shim::inside(size_t(i), size_)]; } \
    constexpr __generic T& operator[](int i) { return data_[metal_shim::inside(size_t(i), size_)]; }
#define METAL_SHIM_VECTOR(N, ALIGN)                                                      \
    template <class T> struct alignas(ALIGN * sizeof(T)) vec<T, N> {                     \
        static_assert(metal_shim::scalar<T>::is, "no vector has such components");       \
        enum : int { size_ = N };                                                        \
        METAL_SHIM_CONSTRUCTORS(vec)                                                     \
        METAL_SHIM_SWIZZLES_##N                                                          \
        METAL_SHIM_BINARY(+, !metal_shim::scalar<T>::truth)                              \
        METAL_SHIM_BINARY(-, !metal_shim::scalar<T>::truth)                              \
        METAL_SHIM_BINARY(*, !metal_shim::scalar<T>::truth)                              \
        METAL_SHIM_BINARY(/, !metal_shim::scalar<T>::truth)                              \
        METAL_SHIM_BINARY(%, metal_shim::is_integer<T>())                                \
        METAL_SHIM_BINARY(&, !metal_shim::scalar<T>::real)                               \
        METAL_SHIM_BINARY(|, !metal_shim::scalar<T>::real)                               \
        METAL_SHIM_BINARY(^, !metal_shim::scalar<T>::real)                               \
        METAL_SHIM_SHIFT(<<)                                                             \
        METAL_SHIM_SHIFT(>>)                                                             \
        METAL_SHIM_STEP(++, +)                                                           \
        METAL_SHIM_STEP(--, -)                                                           \
        METAL_SHIM_COMPARE(==)                                                           \
        METAL_SHIM_COMPARE(!=)                                                           \
        METAL_SHIM_COMPARE(<)                                                            \
        METAL_SHIM_COMPARE(<=)                                                           \
        METAL_SHIM_COMPARE(>)                                                            \
        METAL_SHIM_COMPARE(>=)                                                           \
        METAL_SHIM_COMPARE(&&)                                                           \
        METAL_SHIM_COMPARE(||)                                                           \
        friend constexpr vec operator+(vec a) { return a; }                              \
        friend constexpr vec operator-(vec a) {                                          \
            for (int i = 0; i < N; i++) a.data_[i] = T(-a.data_[i]);                     \
            return a;                                                                    \
        }                                                                                \
        friend constexpr vec operator~(vec a) {                                          \
            static_assert(metal_shim::is_integer<T>(), "no such operator for these components"); \
            for (int i = 0; i < N; i++) a.data_[i] = T(~a.data_[i]);                     \
            return a;                                                                    \
        }                                                                                \
        friend constexpr vec<bool, N> operator!(vec a) {                                 \
            vec<bool, N> r{};                                                            \
            for (int i = 0; i < N; i++) r.data_[i] = !a.data_[i];                        \
            return r;                                                                    \
        }                                                                                \
    };
#define METAL_SHIM_PACKED_OP(op)                                                         \
    friend constexpr auto operator op(packed_vec a, packed_vec b) { return vec<T, size_>(a) op vec<T, size_>(b); } \
    friend constexpr auto operator op(packed_vec a, vec<T, size_> b) { return vec<T, size_>(a) op b; } \
    friend constexpr auto operator op(vec<T, size_> a, packed_vec b) { return a op vec<T, size_>(b); } \
    friend constexpr auto operator op(packed_vec a, T b) { return vec<T, size_>(a) op b; } \
    friend constexpr auto operator op(T a, packed_vec b) { return a op vec<T, size_>(b); }
#define METAL_SHIM_PACKED_ASSIGN(op)                                                     \
    METAL_SHIM_PACKED_OP(op)                                                             \
    friend constexpr __generic packed_vec& operator op##=(__generic packed_vec& a, vec<T, size_> b) { \
        return a = packed_vec(vec<T, size_>(a) op b);                                    \
    }
#define METAL_SHIM_PACKED(N)                                                             \
    template <class T> struct packed_vec<T, N> {                                         \
        enum : int { size_ = N };                                                        \
        METAL_SHIM_CONSTRUCTORS(packed_vec)                                              \
        METAL_SHIM_SWIZZLES_##N                                                          \
        constexpr packed_vec(vec<T, N> v) : data_{} {                                    \
            for (int i = 0; i < N; i++) data_[i] = v.data_[i];                           \
        }                                                                                \
        constexpr operator vec<T, N>() const {                                           \
            vec<T, N> v{};                                                               \
            for (int i = 0; i < N; i++) v.data_[i] = data_[i];                           \
            return v;                                                                    \
        }                                                                                \
        METAL_SHIM_PACKED_ASSIGN(+)                                                      \
        METAL_SHIM_PACKED_ASSIGN(-)                                                      \
        METAL_SHIM_PACKED_ASSIGN(*)                                                      \
        METAL_SHIM_PACKED_ASSIGN(/)                                                      \
        METAL_SHIM_PACKED_OP(==)                                                         \
        METAL_SHIM_PACKED_OP(!=)                                                         \
        METAL_SHIM_PACKED_OP(<)                                                          \
        METAL_SHIM_PACKED_OP(<=)                                                         \
        METAL_SHIM_PACKED_OP(>)                                                          \
        METAL_SHIM_PACKED_OP(>=)                                                         \
        friend constexpr vec<T, N> operator-(packed_vec a) { return -vec<T, N>(a); }     \
    };

namespace metal {
METAL_SHIM_VECTOR(2, 2)
METAL_SHIM_VECTOR(3, 4)
METAL_SHIM_VECTOR(4, 4)
METAL_SHIM_PACKED(2)
METAL_SHIM_PACKED(3)
METAL_SHIM_PACKED(4)

#define METAL_SHIM_NAMES(T)    \
    using T##2 = vec<T, 2>;    \
    using T##3 = vec<T, 3>;    \
    using T##4 = vec<T, 4>;
#define METAL_SHIM_PACKED_NAMES(T)           \
    METAL_SHIM_NAMES(T)                      \
    using packed_##T##2 = packed_vec<T, 2>;  \
    using packed_##T##3 = packed_vec<T, 3>;  \
    using packed_##T##4 = packed_vec<T, 4>;
METAL_SHIM_NAMES(bool)
METAL_SHIM_PACKED_NAMES(char)
METAL_SHIM_PACKED_NAMES(uchar)
METAL_SHIM_PACKED_NAMES(short)
METAL_SHIM_PACKED_NAMES(ushort)
METAL_SHIM_PACKED_NAMES(int)
METAL_SHIM_PACKED_NAMES(uint)
METAL_SHIM_PACKED_NAMES(long)
METAL_SHIM_PACKED_NAMES(ulong)
METAL_SHIM_PACKED_NAMES(half)
METAL_SHIM_PACKED_NAMES(float)
static_assert(sizeof(float3) == 16 && alignof(float3) == 16 && sizeof(float2) == 8 && sizeof(float4) == 16, "");
static_assert(sizeof(packed_float3) == 12 && alignof(packed_float3) == 4 && sizeof(half3) == 8, "");
static_assert(sizeof(bool3) == 4 && sizeof(bool2) == 2 && sizeof(bool4) == 4, "");
static_assert(sizeof(uint2) + sizeof(uint3) + sizeof(uint4) + sizeof(int2) + sizeof(int3) + sizeof(int4) == 80, "");

// What a method gives lies where its object lies; of a value it is a value.
#define METAL_SHIM_IN_SPACE(T, name, PARAM, space, value)                                \
    constexpr space T& name(PARAM) space& { return value; }                              \
    constexpr const space T& name(PARAM) const space& { return value; }
#define METAL_SHIM_IN_SPACES(T, name, PARAM, value)                                      \
    METAL_SHIM_IN_SPACE(T, name, PARAM, __private, value)                                \
    METAL_SHIM_IN_SPACE(T, name, PARAM, __local, value)                                  \
    METAL_SHIM_IN_SPACE(T, name, PARAM, __global, value)                                 \
    METAL_SHIM_IN_SPACE(T, name, PARAM, __generic, value)                                \
    constexpr T name(PARAM) const __generic&& { return value; }
#define METAL_SHIM_DATA(space)                                                           \
    constexpr space T* data() space { return elements_; }                                \
    constexpr const space T* data() const space { return elements_; }

// A matrix is its columns; constructors take columns or all components, column by column.
template <class T, int C, int R> struct matrix {
    static_assert(metal_shim::scalar<T>::real, "a matrix has components of half or float");
    vec<T, R> columns[C];
    matrix() = default;
    explicit constexpr matrix(T s) : columns{} {
        for (int i = 0; i < C; i++)
            for (int k = 0; k < R; k++) columns[i].data_[k] = i == k ? s : T(0);
    }
    template <class... V, enable_if_t<sizeof...(V) == C && (__is_same(V, vec<T, R>) && ...), int> = 0>
    constexpr matrix(V... v) : columns{v...} {}
    template <class... S, enable_if_t<sizeof...(S) == C * R && (metal_shim::scalar<S>::is && ...), int> = 0>
    constexpr matrix(S... s) : columns{} {
        const T all[C * R] = {T(s)...};
        for (int i = 0; i < C * R; i++) columns[i / R].data_[i % R] = all[i];
    }
    template <class U, enable_if_t<!__is_same(U, T), int> = 0>
    explicit constexpr matrix(matrix<U, C, R> m) : columns{} {
        for (int i = 0; i < C; i++) columns[i] = vec<T, R>(m.columns[i]);
    }
    using column = vec<T, R>;
    METAL_SHIM_IN_SPACES(column, operator[], int i, columns[metal_shim::inside(size_t(i), C)])
    friend constexpr matrix operator+(matrix a, matrix b) {
        for (int i = 0; i < C; i++) a.columns[i] = a.columns[i] + b.columns[i];
        return a;
    }
    friend constexpr matrix operator-(matrix a, matrix b) {
        for (int i = 0; i < C; i++) a.columns[i] = a.columns[i] - b.columns[i];
        return a;
    }
    friend constexpr matrix operator-(matrix a) {
        for (int i = 0; i < C; i++) a.columns[i] = -a.columns[i];
        return a;
    }
    friend constexpr matrix operator*(matrix a, T s) {
        for (int i = 0; i < C; i++) a.columns[i] = a.columns[i] * s;
        return a;
    }
    friend constexpr matrix operator*(T s, matrix a) { return a * s; }
    friend constexpr vec<T, R> operator*(matrix m, vec<T, C> v) {
        vec<T, R> r = m.columns[0] * v.data_[0];
        for (int i = 1; i < C; i++) r = r + m.columns[i] * v.data_[i];
        return r;
    }
    friend constexpr vec<T, C> operator*(vec<T, R> v, matrix m) {
        vec<T, C> r{};
        for (int i = 0; i < C; i++) {
            T sum = v.data_[0] * m.columns[i].data_[0];
            for (int k = 1; k < R; k++) sum = sum + v.data_[k] * m.columns[i].data_[k];
            r.data_[i] = sum;
        }
        return r;
    }
    template <int D> friend constexpr matrix<T, D, R> operator*(matrix a, matrix<T, D, C> b) {
        matrix<T, D, R> r{};
        for (int i = 0; i < D; i++) r.columns[i] = a * b.columns[i];
        return r;
    }
    friend constexpr bool operator==(matrix a, matrix b) {
        for (int i = 0; i < C * R; i++)
            if (a.columns[i / R].data_[i % R] != b.columns[i / R].data_[i % R]) return false;
        return true;
    }
    friend constexpr bool operator!=(matrix a, matrix b) { return !(a == b); }
    friend constexpr __generic matrix& operator+=(__generic matrix& a, matrix b) { return a = a + b; }
    friend constexpr __generic matrix& operator-=(__generic matrix& a, matrix b) { return a = a - b; }
    friend constexpr __generic matrix& operator*=(__generic matrix& a, T s) { return a = a * s; }
};
#define METAL_SHIM_MATRIX(C, R)                  \
    using float##C##x##R = matrix<float, C, R>;  \
    using half##C##x##R = matrix<half, C, R>;
METAL_SHIM_MATRIX(2, 2)
METAL_SHIM_MATRIX(2, 3)
METAL_SHIM_MATRIX(2, 4)
METAL_SHIM_MATRIX(3, 2)
METAL_SHIM_MATRIX(3, 3)
METAL_SHIM_MATRIX(3, 4)
METAL_SHIM_MATRIX(4, 2)
METAL_SHIM_MATRIX(4, 3)
METAL_SHIM_MATRIX(4, 4)
template <class T, int C, int R> constexpr matrix<T, R, C> transpose(matrix<T, C, R> m) {
    matrix<T, R, C> r{};
    for (int i = 0; i < C; i++)
        for (int k = 0; k < R; k++) r.columns[k].data_[i] = m.columns[i].data_[k];
    return r;
}
template <class T> constexpr T determinant(matrix<T, 2, 2> m) {
    return m.columns[0].data_[0] * m.columns[1].data_[1] - m.columns[0].data_[1] * m.columns[1].data_[0];
}
template <class T, int N, enable_if_t<(N > 2), int> = 0> constexpr T determinant(matrix<T, N, N> m) {
    T sum = 0;
    for (int c = 0; c < N; c++) {
        matrix<T, N - 1, N - 1> minor{};
        for (int i = 0, to = 0; i < N; i++)
            if (i != c) {
                for (int k = 1; k < N; k++) minor.columns[to].data_[k - 1] = m.columns[i].data_[k];
                to++;
            }
        sum = sum + (c % 2 ? -1 : 1) * m.columns[c].data_[0] * determinant(minor);
    }
    return sum;
}

// An array as a value. Elements are reached in the array's own address space.
template <class T, size_t N> struct array {
    T elements_[N];
    METAL_SHIM_IN_SPACES(T, operator[], size_t i, elements_[metal_shim::inside(i, N)])
    METAL_SHIM_DATA(__private)
    METAL_SHIM_DATA(__local)
    METAL_SHIM_DATA(__global)
    METAL_SHIM_DATA(__generic)
    static constexpr size_t size() { return N; }
};
}  // namespace metal
