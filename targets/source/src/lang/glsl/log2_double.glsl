precise double log2_double(double x) {
    if (!(x > 0.0lf) || unpackDouble2x32(x).y == 0x7ff00000u) return log_double(x);
    int power;
    double near = log_near_double(mantissa_double(x, power));
    return double(power) + near * 1.4426950408889634lf;
}
