template <class T, class F> T atomic_update(T& at, F f) {
    T old, next;
    __atomic_load(&at, &old, __ATOMIC_RELAXED);
    do next = f(old);
    while (!__atomic_compare_exchange(&at, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
template <class T> T atomic_cas(T& at, T expected, T value) {
    __atomic_compare_exchange(&at, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
}
