// The float that is nearest to a double, by its words; an even one of two.
float float_of_double(uint2 bits) {
    uint sign = bits.y & 0x80000000u;
    uint exponent = (bits.y >> 20u) & 0x7ffu;
    uint fraction = ((bits.y & 0xfffffu) << 3u) | (bits.x >> 29u);
    uint rest = bits.x << 3u;
    if (exponent == 0x7ffu && (fraction | rest) != 0u) return as_type<float>(sign | 0x7fc00000u | fraction);
    if (exponent > 1150u) return as_type<float>(sign | 0x7f800000u);
    uint whole = ((max(exponent, 896u) - 896u) << 23u) | fraction;
    uint lost = rest;
    if (exponent < 897u) {
        uint shift = 897u - exponent;
        if (shift > 24u) return as_type<float>(sign);
        whole = (fraction | 0x800000u) >> shift;
        lost = ((fraction | 0x800000u) << (32u - shift)) | (rest != 0u ? 1u : 0u);
    }
    bool up = lost > 0x80000000u || (lost == 0x80000000u && (whole & 1u) == 1u);
    return as_type<float>(sign | (whole + (up ? 1u : 0u)));
}
