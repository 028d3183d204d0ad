template <class T> $fn T fma(T a, T b, T c) { return T(::fma(double(a), double(b), double(c))); }
$fn inline float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
