precise double exp2_double(double x) {
    if (!(x < 1024.0lf)) return x != x ? x : packDouble2x32(uvec2(0u, 0x7ff00000u));
    if (x < -1075.0lf) return 0.0lf;
    double n = roundEven(x);
    return scaled_double(exp_near_double((x - n) * 0.6931471805599453lf), int(n));
}
