uint2 wide_negative(uint2 a) { return wide_sub(uint2(0u, 0u), a); }
uint2 wide_magnitude(uint2 a) {
    if (int(a.y) < 0) return wide_negative(a);
    return a;
}
