// A bound buffer. Nothing looks whether an index is in range.
template <class T> struct Buffer {
    T* data;
    int64_t size;
    uint32_t* counter;
    T& operator[](int64_t i) const { return data[i]; }
};
