// Quotient and remainder, bit by bit; by zero both are zero.
void wide_divided(uint2 a, uint2 b, out uint2 quotient, out uint2 rest) {
    quotient = uint2(0u, 0u);
    rest = uint2(0u, 0u);
    if (b.x == 0u && b.y == 0u) return;
    for (int i = 63; i >= 0; i--) {
        bool over = (rest.y >> 31) != 0u;
        uint next = i < 32 ? (a.x >> uint(i & 31)) & 1u : (a.y >> uint(i & 31)) & 1u;
        rest = uint2((rest.x << 1) | next, (rest.y << 1) | (rest.x >> 31));
        if (over || !wide_less(rest, b)) {
            rest = wide_sub(rest, b);
            if (i < 32) quotient.x |= 1u << uint(i);
            else quotient.y |= 1u << uint(i & 31);
        }
    }
}
