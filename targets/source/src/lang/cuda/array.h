template <class T, uint64_t N> struct array {
    T e[N];
    $fn T& operator[](int64_t i) { return uint64_t(i) < N ? e[i] : unwritten<T>(); }
    $fn const T& operator[](int64_t i) const { return uint64_t(i) < N ? e[i] : nothing<T>(); }
    $fn T& at(int64_t i) { return uint64_t(i) < N ? e[i] : nowhere<T>(); }
};
template <class T> struct array<T, 0> {
    $fn T& operator[](int64_t) { return unwritten<T>(); }
    $fn const T& operator[](int64_t) const { return nothing<T>(); }
    $fn T& at(int64_t) { return nowhere<T>(); }
};
