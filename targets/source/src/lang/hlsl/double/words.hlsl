// The bits of a double, lower word first: HLSL's function for it is not everywhere.
uint2 words_of_double(double x) {
    uint sign = asuint(float(x)) & 0x80000000u;
    precise double a = abs(x);
    if (is_nan(x)) return uint2(0u, 0x7ff80000u);
    if (a > 1.7976931348623157e308L) return uint2(0u, sign | 0x7ff00000u);
    int power = 0;
    if (a < 2.2250738585072014e-308L) {
        // Below the least normal number the fraction is the number itself.
        a = a * asdouble(0u, 0x7fe00000u) * 2251799813685248.0L;
    } else {
        for (int s = 512; s > 0; s >>= 1) {
            double up = asdouble(0u, uint(1023 + s) << 20), down = asdouble(0u, uint(1023 - s) << 20);
            if (a >= up) {
                a = a * down;
                power += s;
            } else if (a < down) {
                a = a * up;
                power -= s;
            }
        }
        if (a < 1.0L) {
            a = a * 2.0L;
            power -= 1;
        }
        a = (a - 1.0L) * 4503599627370496.0L;
        power += 1023;
    }
    precise double above = a / 4294967296.0L;
    uint high = uint(above);
    precise double low = a - double(high) * 4294967296.0L;
    return uint2(uint(low), sign | uint(power) << 20 | high);
}
