// How many 255ths are nearest to a float, the farther from zero of two.
fn unit_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    if (bits > 0x7f800000u || bits < 0x3b000000u) { return 0u; }
    if (bits >= 0x3f800000u) { return 255u; }
    let shift = 149u - (bits >> 23u);
    return (((((bits & 0x7fffffu) | 0x800000u) * 255u) >> shift) + 1u) >> 1u;
}
