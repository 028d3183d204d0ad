// The ends of integer types.
template <class T> struct integers {
    static constexpr bool is_integer = true;
    $fn static constexpr T max() { return T(T(-1) < T(0) ? (uint64_t(1) << (8 * sizeof(T) - 1)) - 1 : ~uint64_t(0)); }
    $fn static constexpr T min() { return T(-1) < T(0) ? T(-max() - 1) : T(0); }
};
template <class T> struct limits {
    static constexpr bool is_integer = false;
};
template <> struct limits<bool> : integers<bool> {};
template <> struct limits<int8_t> : integers<int8_t> {};
template <> struct limits<uint8_t> : integers<uint8_t> {};
template <> struct limits<int16_t> : integers<int16_t> {};
template <> struct limits<uint16_t> : integers<uint16_t> {};
template <> struct limits<int32_t> : integers<int32_t> {};
template <> struct limits<uint32_t> : integers<uint32_t> {};
template <> struct limits<int64_t> : integers<int64_t> {};
template <> struct limits<uint64_t> : integers<uint64_t> {};
