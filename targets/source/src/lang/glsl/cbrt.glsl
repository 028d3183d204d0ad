precise $T cbrt($T x) {
    $T a = abs(x);
    if (!(a > $T(0)) || $to(a) == $inf) return x;
    $T root = exp2(log2(a) / $T(3));
    root = root - (root - a / (root * root)) / $T(3);
    return copysign(root, x);
}
