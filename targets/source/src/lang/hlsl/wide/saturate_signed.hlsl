uint2 saturate_to_wide_signed(float x) {
    if (x >= 9223372036854775808.0f) return uint2(0xffffffffu, 0x7fffffffu);
    if (x <= -9223372036854775808.0f) return uint2(0u, 0x80000000u);
    if (x < 0.0f) return wide_negative(saturate_to_wide(-x));
    return saturate_to_wide(x);
}
