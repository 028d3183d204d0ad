// The bits of the double that a float is.
ulong double_bits(float x) {
    uint bits = as_type<uint>(x);
    uint sign = bits & 0x80000000u;
    uint exponent = ((bits >> 23u) & 0xffu) + 896u;
    uint fraction = bits & 0x7fffffu;
    if (exponent == 1151u) exponent = 2047u;
    if (exponent == 896u) {
        if (fraction == 0u) return ulong(sign) << 32u;
        uint shift = clz(fraction) - 8u;
        exponent = 897u - shift;
        fraction = (fraction << shift) & 0x7fffffu;
    }
    return ulong(sign | (exponent << 20u) | (fraction >> 3u)) << 32u | ulong(fraction << 29u);
}
