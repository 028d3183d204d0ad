template <class T> T leading_zeros(T x) { return T(x == 0 ? 8 * sizeof(T) : uint64_t(__builtin_clzll(x)) - (64 - 8 * sizeof(T))); }
