// The same memory as elements of another type.
template <class T, class S> $fn Buffer<T> retyped(const Buffer<S>& b) {
    return {reinterpret_cast<T*>(b.data), b.size * int64_t(sizeof(S)) / int64_t(sizeof(T)), b.counter};
}
