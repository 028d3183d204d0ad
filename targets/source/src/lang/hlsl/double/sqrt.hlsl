// From the float's root, by Newton's steps.
precise double sqrt_double(double x) {
    if (!(x > 0.0L) || x > 1.7976931348623157e308L) return x < 0.0L ? double_of_words(uint2(0u, 0x7ff80000u)) : x;
    int power;
    double m = mantissa_double(x, power);
    if ((power & 1) != 0) {
        m = m * 2.0L;
        power -= 1;
    }
    double root = double(sqrt(float(m)));
    root = 0.5L * (root + m / root);
    root = 0.5L * (root + m / root);
    root = root - (root * root - m) / (2.0L * root);
    return scaled_double(root, power / 2);
}
precise double rsqrt_double(double x) { return 1.0L / sqrt_double(x); }
