// The words of the double that a float is.
fn double_bits(x: f32) -> vec2u {
    let bits = bitcast<u32>(x);
    let sign = bits & 0x80000000u;
    var exponent = ((bits >> 23u) & 0xffu) + 896u;
    var fraction = bits & 0x7fffffu;
    if (exponent == 1151u) { exponent = 2047u; }
    if (exponent == 896u) {
        if (fraction == 0u) { return vec2u(0u, sign); }
        let shift = countLeadingZeros(fraction) - 8u;
        exponent = 897u - shift;
        fraction = (fraction << shift) & 0x7fffffu;
    }
    return vec2u(fraction << 29u, sign | (exponent << 20u) | (fraction >> 3u));
}
