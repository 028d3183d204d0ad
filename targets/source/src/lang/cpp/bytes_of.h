template <class T> $fn Bytes bytes_of(const Buffer<T>& b) {
    return {reinterpret_cast<char*>(b.data), b.size * int64_t(sizeof(T))};
}
