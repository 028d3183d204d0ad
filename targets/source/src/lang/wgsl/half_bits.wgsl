// The bits of the half that is nearest to a float, an even one of two.
fn half_bits(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) { return sign | 0x7e00u | ((magnitude >> 13u) & 0x3ffu); }
    if (magnitude >= 0x477ff000u) { return sign | 0x7c00u; }
    if (magnitude < 0x38800000u) { return sign | u32(round(bitcast<f32>(magnitude) * 16777216.0f)); }
    return sign | ((magnitude + 0xfffu + ((magnitude >> 13u) & 1u) - 0x38000000u) >> 13u);
}
