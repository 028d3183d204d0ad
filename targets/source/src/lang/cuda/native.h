// Those for which there is an instruction; integers of 64 bits have one without sign, but for what orders them.
template <class T> struct native {
    using type = T;
    using ordered = T;
};
template <> struct native<int64_t> {
    using type = uint64_t;
    using ordered = int64_t;
};
