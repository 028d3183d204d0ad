template <class T> $fn bool is_same(const T& a, const T& b) { return a == b; }
template <class T, int N> $fn bool is_same(const vec<T, N>& a, const vec<T, N>& b) {
    bool same = true;
    for (int i = 0; i < N; i++) same = same && is_same(a[i], b[i]);
    return same;
}
// The lanes that have the same.
template <class T> $fn uint wave_match(uint mask, const T& value) {
    uint same = 0;
    for (uint rest = mask; rest != 0; rest &= rest - 1) {
        const uint lane = first_lane(rest);
        if (is_same(of_lane(mask, value, lane), value)) same |= 1u << lane;
    }
    return same;
}
template <class T> $fn bool wave_equal(uint mask, const T& value) {
    return __all_sync(mask, is_same(of_lane(mask, value, first_lane(mask)), value)) != 0;
}
template <class T, int N> $fn vec<bool, N> wave_equal(uint mask, const vec<T, N>& value) {
    vec<bool, N> r;
    for (int i = 0; i < N; i++) r[i] = wave_equal(mask, value[i]);
    return r;
}
