// Vectors, laid out as their scalars; a matrix is a vector of its rows. What this text
// writes is written by `at`.
template <class T, int N> struct vec {
    T e[N];
    $fn T& operator[](int64_t i) { return i >= 0 && i < N ? e[i] : unwritten<T>(); }
    $fn const T& operator[](int64_t i) const { return i >= 0 && i < N ? e[i] : nothing<T>(); }
    $fn T& at(int64_t i) { return i >= 0 && i < N ? e[i] : nowhere<T>(); }
};
template <class T> struct vec<T, 2> {
    T x, y;
    $fn T& operator[](int64_t i) { return i == 0 ? x : i == 1 ? y : unwritten<T>(); }
    $fn const T& operator[](int64_t i) const { return i == 0 ? x : i == 1 ? y : nothing<T>(); }
    $fn T& at(int64_t i) { return i == 0 ? x : i == 1 ? y : nowhere<T>(); }
};
template <class T> struct vec<T, 3> {
    T x, y, z;
    $fn T& operator[](int64_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : unwritten<T>(); }
    $fn const T& operator[](int64_t i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : nothing<T>(); }
    $fn T& at(int64_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : nowhere<T>(); }
};
template <class T> struct vec<T, 4> {
    T x, y, z, w;
    $fn T& operator[](int64_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : i == 3 ? w : unwritten<T>(); }
    $fn const T& operator[](int64_t i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : i == 3 ? w : nothing<T>(); }
    $fn T& at(int64_t i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : i == 3 ? w : nowhere<T>(); }
};
