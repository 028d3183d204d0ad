// A quotient by zero is zero, and the least number by -1 is itself.
$T div($T a, $T b) {
    $T by = b == $T(0) || b == $T(-1) ? $T(1) : b;
    return b == $T(0) ? $T(0) : b == $T(-1) ? -a : a / by;
}
