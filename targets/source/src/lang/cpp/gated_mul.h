// A product that is zero where the left factor is, whatever the right one is.
template <class T> $fn T gated_mul(T a, T b) { return a == T(0.0f) ? T(0.0f) : T(a * b); }
