// A float as an integer: towards zero, the nearest there is, and 0 for what is no number.
uint2 saturate_to_wide(float x) {
    if (is_nan(x) || x <= 0.0f) return uint2(0u, 0u);
    if (x >= 18446744073709551616.0f) return uint2(0xffffffffu, 0xffffffffu);
    precise float high = floor(x / 4294967296.0f);
    precise float low = trunc(x - high * 4294967296.0f);
    return uint2(uint(low), uint(high));
}
