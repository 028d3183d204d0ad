uint2 wide_shr(uint2 a, uint2 b) {
    uint n = b.x & 63u;
    if (n == 0u) return a;
    if (n >= 32u) return uint2(a.y >> (n - 32u), 0u);
    return uint2((a.x >> n) | (a.y << (32u - n)), a.y >> n);
}
