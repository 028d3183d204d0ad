// The float that is nearest to a double, by its words; an even one of two.
fn float_of_double(bits: vec2u) -> f32 {
    let sign = bits.y & 0x80000000u;
    let exponent = (bits.y >> 20u) & 0x7ffu;
    let fraction = ((bits.y & 0xfffffu) << 3u) | (bits.x >> 29u);
    let rest = bits.x << 3u;
    if (exponent == 0x7ffu && (fraction | rest) != 0u) { return float_of_bits(sign | 0x7fc00000u | fraction); }
    if (exponent > 1150u) { return float_of_bits(sign | 0x7f800000u); }
    var whole = ((max(exponent, 896u) - 896u) << 23u) | fraction;
    var lost = rest;
    if (exponent < 897u) {
        let shift = 897u - exponent;
        if (shift > 24u) { return float_of_bits(sign); }
        whole = (fraction | 0x800000u) >> shift;
        lost = ((fraction | 0x800000u) << (32u - shift)) | select(0u, 1u, rest != 0u);
    }
    let up = lost > 0x80000000u || (lost == 0x80000000u && (whole & 1u) == 1u);
    return float_of_bits(sign | (whole + select(0u, 1u, up)));
}
