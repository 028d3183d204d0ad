// A remainder has the sign of the dividend; it is exact, by subtracting the divisor's multiples by powers of two.
precise $T rem($T a, $T b) {
    $U left = $to(a) & ~$sign, by = $to(b) & ~$sign;
    if (by == $U(0) || left >= $inf || by > $inf) return $from($inf | $U(1));
    if (left < by) return a;
    const $U one = $U(1) << $U($mantissa);
    int up = int(left >> $U($mantissa)), down = int(by >> $U($mantissa));
    $U x = left & (one - $U(1)), y = by & (one - $U(1));
    if (up == 0) up = 1; else x |= one;
    if (down == 0) down = 1; else y |= one;
    // Both as if they were normal.
    for (; x < one; up--) x <<= $U(1);
    for (; y < one; down--) y <<= $U(1);
    for (; up > down; up--) {
        if (x >= y) x -= y;
        x <<= $U(1);
    }
    if (x >= y) x -= y;
    for (; x != $U(0) && x < one && up > 1; up--) x <<= $U(1);
    for (; up < 1; up++) x >>= $U(1);
    x = x < one ? x : (x - one) | $U(up) << $U($mantissa);
    return $from(x | ($to(a) & $sign));
}
