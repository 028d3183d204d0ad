// The bytes of a buffer, or of a part of one.
struct Bytes {
    char* data;
    int64_t size;
    // How many lie before them.
    int64_t before = 0;
    bool holds(int64_t at, int64_t count) const { return at >= 0 && at <= size && count <= size - at; }
};
template <class T> T load(Bytes b, int64_t at) {
    T value{};
    if (b.holds(at, sizeof(T))) std::memcpy(static_cast<void*>(&value), b.data + at, sizeof(T));
    return value;
}
template <class T> void store(Bytes b, int64_t at, const T& value) {
    if (b.holds(at, sizeof(T))) std::memcpy(b.data + at, static_cast<const void*>(&value), sizeof(T));
}
template <class T, class F> void update(Bytes b, int64_t at, F f) {
    T value = load<T>(b, at);
    f(value);
    store(b, at, value);
}
template <class T> T& element(Bytes b, int64_t at) {
    // The last bits of the address do not count.
    at -= int64_t(reinterpret_cast<uintptr_t>(b.data) + uintptr_t(at)) & int64_t(sizeof(T) - 1);
    at += b.before;
    b = {b.data - b.before, b.size + b.before};
    return b.holds(at, sizeof(T)) ? *reinterpret_cast<T*>(b.data + at) : nowhere<T>();
}
// The offset of an element, or of nothing.
inline int64_t within(int64_t i, int64_t count, int64_t size) { return i >= 0 && i < count ? i * size : -(int64_t(1) << 61); }
