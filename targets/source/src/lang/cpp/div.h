// A quotient by zero is zero; the smallest integer divided by -1 is itself.
template <class T> $fn T div(T a, T b) {
    if (b == 0) return 0;
    return T(-1) < T(0) && b == T(-1) ? T(0 - uint64_t(a)) : T(a / b);
}
