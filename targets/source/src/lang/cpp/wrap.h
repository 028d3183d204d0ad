// Sums, differences and products of integers wrap.
template <class T> $fn T add(T a, T b) { return T(uint64_t(a) + uint64_t(b)); }
template <class T> $fn T sub(T a, T b) { return T(uint64_t(a) - uint64_t(b)); }
template <class T> $fn T mul(T a, T b) { return T(uint64_t(a) * uint64_t(b)); }
