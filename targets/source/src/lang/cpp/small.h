template <class T> $fn T bits_and(T a, T b) { return T(a & b); }
template <class T> $fn T bits_or(T a, T b) { return T(a | b); }
template <class T> $fn T bits_xor(T a, T b) { return T(a ^ b); }
