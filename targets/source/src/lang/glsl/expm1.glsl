// Near zero by a series, since a difference loses digits there.
precise $T expm1($T x) {
    if (abs(x) < $T(0.25)) return x + x * x * ($T(0.5) + x * ($T(1.0) / $T(6) + x * ($T(1) / $T(24) + x * ($T(1) / $T(120) + x / $T(720)))));
    return exp(x) - $T(1);
}
