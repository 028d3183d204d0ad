// Those for which there is an instruction; integers of 64 bits have one without sign.
template <class T> struct native {
    using type = T;
};
template <> struct native<int64_t> {
    using type = uint64_t;
};
