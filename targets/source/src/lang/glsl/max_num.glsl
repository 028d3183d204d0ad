// The greater; the number, if one of two is none, and -0 is less than 0.
$T max_num($T a, $T b) {
    if (is_nan(b)) return a;
    if (is_nan(a)) return b;
    return a > b || (a == b && $to(a) < $to(b)) ? a : b;
}
