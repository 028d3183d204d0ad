// HLSL's functions on doubles are those on floats.
precise double trunc_double(double x) {
    double a = abs(x);
    if (!(a < 4503599627370496.0L)) return x;
    double above = a / 4294967296.0L;
    uint high = uint(above);
    double whole = double(high) * 4294967296.0L;
    whole = whole + double(uint(a - whole));
    return (asuint(float(x)) >> 31) != 0u ? -whole : whole;
}
precise double floor_double(double x) {
    double whole = trunc_double(x);
    return whole > x ? whole - 1.0L : whole;
}
precise double ceil_double(double x) {
    double whole = trunc_double(x);
    return whole < x ? whole + 1.0L : whole;
}
// The nearest integer, the even one of two.
precise double round_double(double x) {
    double a = abs(x);
    if (!(a < 4503599627370496.0L)) return x;
    double above = a + 4503599627370496.0L;
    double whole = above - 4503599627370496.0L;
    return (asuint(float(x)) >> 31) != 0u ? -whole : whole;
}
