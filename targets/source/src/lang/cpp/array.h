template <class T, uint64_t N> struct array {
    T e[N];
    T& operator[](int64_t i) { return uint64_t(i) < N ? e[i] : nowhere<T>(); }
    const T& operator[](int64_t i) const { return uint64_t(i) < N ? e[i] : nowhere<T>(); }
};
