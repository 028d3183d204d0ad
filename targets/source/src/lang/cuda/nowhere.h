// What is out of range reads zero, and what is written there is lost.
template <class T> $fn const T& nothing() {
    static const T none{};
    return none;
}
// The same for what callers may write.
template <class T> $fn T& unwritten() {
    static T none{};
    return none;
}
[[maybe_unused]] alignas(16) static __device__ char lost[$lost];
template <class T> $fn T& nowhere() {
    static_assert(sizeof(T) <= sizeof lost, "more is lost than there is a place for");
    return *reinterpret_cast<T*>(lost);
}
