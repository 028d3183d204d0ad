// What is out of range reads zero, and what is written there is lost.
template <class T> T& nowhere() {
    static thread_local T none;
    return none = T{};
}
