// A remainder has the sign of the dividend.
uint2 wide_rem_signed(uint2 a, uint2 b) {
    uint2 value = wide_rem(wide_magnitude(a), wide_magnitude(b));
    if (int(a.y) < 0) return wide_negative(value);
    return value;
}
