// Amounts count modulo the width.
template <class T> $fn T shl(T a, T b) { return T(uint64_t(a) << (uint64_t(b) & (8 * sizeof(T) - 1))); }
template <class T> $fn T shr(T a, T b) { return T(a >> (uint64_t(b) & (8 * sizeof(T) - 1))); }
