// Sums, differences and products of integers wrap.
template <class T> T add(T a, T b) { return T(uint64_t(a) + uint64_t(b)); }
template <class T> T sub(T a, T b) { return T(uint64_t(a) - uint64_t(b)); }
template <class T> T mul(T a, T b) { return T(uint64_t(a) * uint64_t(b)); }
