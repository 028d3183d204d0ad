precise $T atanh($T x) {
    $T a = abs(x);
    return copysign($T(0.5f) * log(($T(1) + a) / ($T(1) - a)), x);
}
