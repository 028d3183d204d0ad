// One of several resources, the last one where there are fewer.
template <class T, uint64_t N> $fn T& pick(T (&all)[N], int64_t i) { return all[uint64_t(i) < N ? uint64_t(i) : N - 1]; }
