template <class T> T trailing_zeros(T x) { return T(x == 0 ? 8 * sizeof(T) : uint64_t(__builtin_ctzll(x))); }
