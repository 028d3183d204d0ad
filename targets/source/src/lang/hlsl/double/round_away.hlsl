// The nearest integer, the farther from zero of two.
precise double round_away(double x) {
    double whole = trunc_double(x);
    double part = x - whole;
    double more = abs(whole) + (abs(part) >= 0.5L ? 1.0L : 0.0L);
    return copysign(more, x);
}
