// What is out of range reads zero, and what is written there is lost.
template <class T> $fn const T& nothing() {
    static const T none{};
    return none;
}
alignas(16) static __device__ char lost[65536];
template <class T> $fn T& nowhere() {
    static_assert(sizeof(T) <= sizeof lost, "elements are larger than what can be lost");
    return *reinterpret_cast<T*>(lost);
}
