precise $T asinh($T x) {
    $T a = abs(x);
    return copysign(a > $T(1e9f) ? log(a) + $T(0.6931472f) : log(a + sqrt(a * a + $T(1))), x);
}
