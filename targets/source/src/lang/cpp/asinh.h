template <class T> T asinh(T of) {
    const double x = double(of), a = std::fabs(x);
    const double value = a > 1e150 ? std::log(a) + 0.6931471805599453 : std::log1p(a + a * a / (1.0 + std::sqrt(1.0 + a * a)));
    return T(std::copysign(value, x));
}
