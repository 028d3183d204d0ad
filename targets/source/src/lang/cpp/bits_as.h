template <class T, class S> $fn T bits_as(S from) {
    static_assert(sizeof(T) == sizeof(S), "the sizes differ");
    T to;
    std::memcpy(&to, &from, sizeof(T));
    return to;
}
