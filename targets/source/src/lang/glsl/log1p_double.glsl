precise double log1p_double(double x) {
    double sum = 1.0lf + x;
    if (sum == 1.0lf || unpackDouble2x32(sum).y == 0x7ff00000u) return x;
    return log_double(sum) * (x / (sum - 1.0lf));
}
