// Amounts count modulo the width.
uint2 wide_shl(uint2 a, uint2 b) {
    uint n = b.x & 63u;
    if (n == 0u) return a;
    if (n >= 32u) return uint2(0u, a.x << (n - 32u));
    return uint2(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}
