// The nearest integer, the farther from zero of two.
$T round_away($T x) {
    $T whole = trunc(x);
    precise $T part = x - whole;
    precise $T more = abs(whole) + (abs(part) >= $T(0.5) ? $T(1) : $T(0));
    return copysign(more, x);
}
