// As C defines it: a negative base has powers by integers.
precise $T power($T x, $T y) {
    if (y == $T(0) || x == $T(1)) return $T(1);
    if (is_nan(x) || is_nan(y)) return x + y;
    $T a = abs(x);
    bool whole = trunc(y) == y;
    bool odd = whole && abs(y) < $T($odd) && trunc(y / $T(2)) * $T(2) != y;
    $T value;
    if ($to(abs(y)) == $inf) value = a == $T(1) ? $T(1) : (a > $T(1)) == (y > $T(0)) ? abs(y) : $T(0);
    else if (a == $T(0)) value = y > $T(0) ? $T(0) : $from($inf);
    else if ($to(a) == $inf) value = y > $T(0) ? a : $T(0);
    else value = exp2(y * log2(a));
    if (($to(x) & $sign) == $U(0)) return value;
    if (!whole && a != $T(0) && $to(a) != $inf) return $from($inf | $U(1));
    return odd ? -value : value;
}
