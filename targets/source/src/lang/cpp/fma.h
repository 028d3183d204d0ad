template <class T> T fma(T a, T b, T c) { return T(std::fma(double(a), double(b), double(c))); }
inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
