// A quotient by zero is zero; the language gives the dividend, and of the least number by -1, too.
fn div_$T(a: $T, b: $T) -> $T {
    if (b == 0) { return 0; }
    return a / b;
}
