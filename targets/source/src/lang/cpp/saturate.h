// A float as an integer: towards zero, the nearest there is, and 0 for what is no number.
template <class T, class F> $fn T saturate_to(F x) {
    const double low = double(std::numeric_limits<T>::min()), high = double(std::numeric_limits<T>::max());
    const double value = double(x);
    if (value != value) return T(0);
    if (value <= low) return std::numeric_limits<T>::min();
    return value >= high ? std::numeric_limits<T>::max() : T(value);
}
