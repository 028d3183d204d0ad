// The nearest integer, the farther from zero of two.
precise $T round_away($T x) {
    $T whole = trunc(x);
    $T more = abs(x - whole) >= $T(0.5) ? $T(1) : $T(0);
    return copysign(abs(whole) + more, x);
}
