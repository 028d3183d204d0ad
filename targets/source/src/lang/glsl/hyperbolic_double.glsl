precise double sinh_double(double x) {
    double a = abs(x), m = expm1_double(a);
    double value = a > 700.0lf ? 0.5lf * exp_double(0.5lf * a) * exp_double(0.5lf * a) : 0.5lf * (m + m / (m + 1.0lf));
    return x < 0.0lf ? -value : x == 0.0lf ? x : value;
}
precise double cosh_double(double x) {
    double a = abs(x), e = exp_double(0.5lf * a);
    return 0.5lf * e * e + 0.5lf / e / e;
}
precise double tanh_double(double x) {
    double a = abs(x), m = expm1_double(2.0lf * a);
    double value = a > 20.0lf ? 1.0lf : m / (m + 2.0lf);
    return x != x ? x : x < 0.0lf ? -value : x == 0.0lf ? x : value;
}
precise double asinh_double(double x) {
    double a = abs(x);
    double value = a > 1e150lf ? log_double(a) + 0.6931471805599453lf : log1p_double(a + a * a / (1.0lf + sqrt(1.0lf + a * a)));
    return x < 0.0lf ? -value : x == 0.0lf ? x : value;
}
precise double acosh_double(double x) {
    double t = x - 1.0lf;
    if (x > 1e150lf) return log_double(x) + 0.6931471805599453lf;
    return x < 1.0lf ? packDouble2x32(uvec2(0u, 0x7ff80000u)) : log1p_double(t + sqrt(t * (x + 1.0lf)));
}
precise double atanh_double(double x) { return 0.5lf * log1p_double(2.0lf * x / (1.0lf - x)); }
