uint2 wide_leading_zeros(uint2 a) {
    for (int i = 63; i >= 0; i--)
        if (((i < 32 ? a.x >> uint(i & 31) : a.y >> uint(i & 31)) & 1u) != 0u) return uint2(uint(63 - i), 0u);
    return uint2(64u, 0u);
}
uint2 wide_trailing_zeros(uint2 a) {
    for (int i = 0; i < 64; i++)
        if (((i < 32 ? a.x >> uint(i & 31) : a.y >> uint(i & 31)) & 1u) != 0u) return uint2(uint(i), 0u);
    return uint2(64u, 0u);
}
