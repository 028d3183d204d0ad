// A quotient by zero is zero, and the least number by -1 is itself.
$T div($T a, $T b) { return b == 0 ? $T(0) : b == -1 ? $T($U(0) - $U(a)) : $T(a / b); }
