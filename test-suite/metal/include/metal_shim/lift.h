// How functions of numbers become functions of vectors: component by component, where at least one
// argument is a vector and the others become vectors by themselves (MSL 2.2.1, 6.1).
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
template <class V> using real_of = enable_if_t<scalar<typename V::part_>::real, V>;
// A vector of these with as many components as V.
template <class V, class T> using vec_like = vec<T, V::size_>;
}  // namespace metal_shim

#define METAL_SHIM_LIFT1(f)                                                              \
    template <class A, class V = metal_shim::vec_of<A>> auto f(A a) {                    \
        const V x = a;                                                                   \
        metal_shim::vec_like<V, decltype(f(x.data_[0]))> r;                              \
        for (int i = 0; i < V::size_; i++) r.data_[i] = f(x.data_[i]);                   \
        return r;                                                                        \
    }
#define METAL_SHIM_LIFT2(f)                                                              \
    template <class A, class B, class V = metal_shim::vec_of<A, B>> auto f(A a, B b) {   \
        const V x = a, y = b;                                                            \
        metal_shim::vec_like<V, decltype(f(x.data_[0], y.data_[0]))> r;                  \
        for (int i = 0; i < V::size_; i++) r.data_[i] = f(x.data_[i], y.data_[i]);       \
        return r;                                                                        \
    }
#define METAL_SHIM_LIFT3(f)                                                              \
    template <class A, class B, class C, class V = metal_shim::vec_of<A, B, C>> V f(A a, B b, C c) { \
        const V x = a, y = b, z = c;                                                     \
        V r;                                                                             \
        for (int i = 0; i < V::size_; i++) r.data_[i] = f(x.data_[i], y.data_[i], z.data_[i]); \
        return r;                                                                        \
    }
