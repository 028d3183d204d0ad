// A quotient by zero is zero.
$T div($T a, $T b) { return b == $T(0) ? $T(0) : a / (b == $T(0) ? $T(1) : b); }
