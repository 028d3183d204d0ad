// A buffer that is bound: `[]` reads, `at` is written.
template <class T> struct Buffer {
    T* data;
    int64_t size;
    uint32_t* counter;
    $fn const T& operator[](int64_t i) const { return i >= 0 && i < size ? data[i] : nothing<T>(); }
    $fn T& at(int64_t i) const { return i >= 0 && i < size ? data[i] : nowhere<T>(); }
};
