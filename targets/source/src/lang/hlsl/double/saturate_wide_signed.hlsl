uint2 saturate_to_wide_signed(double x) {
    if (x >= 9223372036854775808.0L) return uint2(0xffffffffu, 0x7fffffffu);
    if (x <= -9223372036854775808.0L) return uint2(0u, 0x80000000u);
    if (x < 0.0L) return wide_negative(saturate_to_wide(-x));
    return saturate_to_wide(x);
}
