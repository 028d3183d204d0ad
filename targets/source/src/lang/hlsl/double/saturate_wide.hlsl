uint2 saturate_to_wide(double x) {
    if (is_nan(x) || x <= 0.0L) return uint2(0u, 0u);
    if (x >= 18446744073709551616.0L) return uint2(0xffffffffu, 0xffffffffu);
    precise double above = x / 4294967296.0L;
    uint high = uint(above);
    precise double low = x - double(high) * 4294967296.0L;
    return uint2(uint(low), high);
}
