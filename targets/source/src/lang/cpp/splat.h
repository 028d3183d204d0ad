template <class T> struct filled {
    static T with(T x) { return x; }
};
template <class T, int N> struct filled<vec<T, N>> {
    template <class S> static vec<T, N> with(S x) {
        vec<T, N> r;
        for (int i = 0; i < N; i++) r[i] = filled<T>::with(x);
        return r;
    }
};
template <class V, class S> V splat(S x) { return filled<V>::with(x); }
