uint2 wide_div_signed(uint2 a, uint2 b) {
    uint2 value = wide_div(wide_magnitude(a), wide_magnitude(b));
    if (int(a.y ^ b.y) < 0) return wide_negative(value);
    return value;
}
