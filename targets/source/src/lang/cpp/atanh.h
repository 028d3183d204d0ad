template <class T> T atanh(T of) {
    const double x = double(of), a = std::fabs(x);
    return T(std::copysign(0.5 * std::log1p(2.0 * a / (1.0 - a)), x));
}
