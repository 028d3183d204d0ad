// A remainder by zero is zero.
template <class T> $fn T mod(T a, T b) { return b == 0 || (T(-1) < T(0) && b == T(-1)) ? T(0) : T(a % b); }
