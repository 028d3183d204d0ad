// A product in which a zero annihilates whatever the other factor is.
template <class T> $fn T strong_mul(T a, T b) { return a == T(0.0f) || b == T(0.0f) ? T(0.0f) : T(a * b); }
