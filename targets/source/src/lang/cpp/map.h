template <class F, class T, int N> $fn auto map(F f, const vec<T, N>& a) {
    vec<decltype(f(a[0])), N> r{};
    for (int i = 0; i < N; i++) r[i] = f(a[i]);
    return r;
}
template <class F, class T, class S, int N> $fn auto map(F f, const vec<T, N>& a, const vec<S, N>& b) {
    vec<decltype(f(a[0], b[0])), N> r{};
    for (int i = 0; i < N; i++) r[i] = f(a[i], b[i]);
    return r;
}
