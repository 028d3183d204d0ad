// A buffer that is bound: `[]` reads, `at` is written. Nothing looks whether an index is in range.
template <class T> struct Buffer {
    T* data;
    int64_t size;
    uint32_t* counter;
    $fn const T& operator[](int64_t i) const { return data[i]; }
    $fn T& at(int64_t i) const { return data[i]; }
};
