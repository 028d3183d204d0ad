// The greater; of floats the number, if one of two is none, and -0 is less than 0.
template <class T> $fn T max(T a, T b) {
    if constexpr (std::numeric_limits<T>::is_integer) return a < b ? b : a;
    else return b != b || a > b || (a == b && !std::signbit(float(a))) ? a : b;
}
