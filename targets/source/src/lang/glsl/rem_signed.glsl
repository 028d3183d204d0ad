// A remainder has the sign of the dividend, and by zero it is zero.
$T rem($T a, $T b) {
    $T by = b == $T(0) || b == $T(-1) ? $T(1) : b;
    return b == $T(0) ? $T(0) : a - a / by * by;
}
