uint2 wide_shr_signed(uint2 a, uint2 b) {
    uint n = b.x & 63u;
    if (n == 0u) return a;
    if (n >= 32u) return uint2(uint(int(a.y) >> int(n - 32u)), uint(int(a.y) >> 31));
    return uint2((a.x >> n) | (a.y << (32u - n)), uint(int(a.y) >> int(n)));
}
