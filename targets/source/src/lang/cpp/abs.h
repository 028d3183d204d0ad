template <class T> $fn T abs(T x) {
    if constexpr (std::numeric_limits<T>::is_integer) return x < 0 ? T(0 - uint64_t(x)) : x;
    else return T(std::fabs(double(x)));
}
