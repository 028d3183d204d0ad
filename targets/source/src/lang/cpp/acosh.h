template <class T> T acosh(T of) {
    const double x = double(of), t = x - 1.0;
    if (x < 1.0) return T(double(std::numeric_limits<float>::quiet_NaN()));
    return T(x > 1e150 ? std::log(x) + 0.6931471805599453 : std::log1p(t + std::sqrt(t * (x + 1.0))));
}
