template <class T> struct filled {
    $fn static T with(T x) { return x; }
};
template <class T, int N> struct filled<vec<T, N>> {
    template <class S> $fn static vec<T, N> with(S x) {
        vec<T, N> r;
        for (int i = 0; i < N; i++) r[i] = filled<T>::with(x);
        return r;
    }
};
template <class V, class S> $fn V splat(S x) { return filled<V>::with(x); }
