// The number, if one of two is none; -0 is less than 0.
template <class T> T max(T a, T b) { return b != b || a > b || (a == b && !std::signbit(float(a))) ? a : b; }
