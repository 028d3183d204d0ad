// A remainder has the sign of the dividend; it is exact, by subtracting the divisor's multiples
// by powers of two.
precise double rem(double a, double b) {
    precise double left = abs(a);
    double by = abs(b);
    if (is_nan(a) || is_nan(b) || by == 0.0L || left > 1.7976931348623157e308L) return double_of_words(uint2(0u, 0x7ff80000u));
    precise double part = by;
    int doubled = 0;
    precise double most = left * 0.5L;
    for (; part <= most; doubled++) part = part * 2.0L;
    for (; doubled >= 0; doubled--) {
        if (left >= part) left = left - part;
        part = part * 0.5L;
    }
    return copysign(left, a);
}
