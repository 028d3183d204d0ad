template <class T> $fn T select(bool c, const T& a, const T& b) { return c ? a : b; }
template <class B, class T, int N> $fn vec<T, N> select(const vec<B, N>& c, const vec<T, N>& a, const vec<T, N>& b) {
    vec<T, N> r;
    for (int i = 0; i < N; i++) r[i] = select(c[i], a[i], b[i]);
    return r;
}
