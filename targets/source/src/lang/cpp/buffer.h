// A bound buffer. What is out of range reads zero, and what is written there is lost.
template <class T> struct Buffer {
    T* data;
    int64_t size;
    uint32_t* counter;
    T& operator[](int64_t i) const { return i >= 0 && i < size ? data[i] : nowhere<T>(); }
};
