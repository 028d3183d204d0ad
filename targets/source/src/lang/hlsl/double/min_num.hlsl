// The lesser; the number, if one of two is none, and -0 is less than 0.
double min_num(double a, double b) {
    if (is_nan(b)) return a;
    if (is_nan(a)) return b;
    return a < b || (a == b && asuint(float(a)) > asuint(float(b))) ? a : b;
}
