// Atomic updates give what was there; what is out of range stays as it is, and is zero.
template <class T> $fn bool is_lost(const T& at) {
    return reinterpret_cast<uintptr_t>(&at) - reinterpret_cast<uintptr_t>(lost) < sizeof lost;
}
// The type of an atomic instruction on so many bytes.
template <int N> struct word {
    using type = uint32_t;
};
template <> struct word<2> {
    using type = uint16_t;
};
template <> struct word<8> {
    using type = uint64_t;
};
template <class T> $fn T atomic_cas(T& at, T expected, T value) {
    using W = typename word<sizeof(T)>::type;
    if (is_lost(at)) return T{};
    if constexpr (sizeof(T) == 1) {
        // A byte is a part of a word.
        const uint32_t shift = 8 * uint32_t(reinterpret_cast<uintptr_t>(&at) % 4);
        W* whole = reinterpret_cast<W*>(reinterpret_cast<uintptr_t>(&at) - shift / 8);
        W old = *whole;
        while (true) {
            const uint8_t byte = uint8_t(old >> shift);
            if (byte != bits_as<uint8_t>(expected)) return bits_as<T>(byte);
            const W next = (old & ~(W(255) << shift)) | W(bits_as<uint8_t>(value)) << shift;
            const W found = atomicCAS(whole, old, next);
            if (found == old) return expected;
            old = found;
        }
    } else {
        return bits_as<T>(atomicCAS(reinterpret_cast<W*>(&at), bits_as<W>(expected), bits_as<W>(value)));
    }
}
template <class T> $fn uint64_t bits_of(const T& value) {
    uint64_t bits = 0;
    memcpy(&bits, static_cast<const void*>(&value), sizeof(T));
    return bits;
}
template <class T, class F> $fn T atomic_update(T& at, F f) {
    if (is_lost(at)) return T{};
    T old = at;
    while (true) {
        const T found = atomic_cas(at, old, f(old));
        if (bits_of(found) == bits_of(old)) return old;
        old = found;
    }
}
