template <class T, class S> $fn T convert(const S& x) { return T(x); }
template <class T, class S, int N> $fn auto convert(const vec<S, N>& a) {
    return map([](const S& x) { return convert<T>(x); }, a);
}
