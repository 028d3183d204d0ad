precise double cbrt_double(double x) {
    double a = abs(x);
    if (!(a > 0.0lf) || unpackDouble2x32(a).y == 0x7ff00000u) return x;
    double root = exp2_double(log2_double(a) / 3.0lf);
    root -= (root - a / (root * root)) / 3.0lf;
    return x < 0.0lf ? -root : root;
}
