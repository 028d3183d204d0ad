// The float that a half is, by its bits.
fn float_of_half(bits: u32) -> f32 {
    let sign = (bits & 0x8000u) << 16u;
    let exponent = (bits >> 10u) & 0x1fu;
    let fraction = bits & 0x3ffu;
    if (exponent == 0u) { return bitcast<f32>(sign | bitcast<u32>(f32(fraction) * 5.9604645e-8f)); }
    if (exponent == 31u) { return bitcast<f32>(sign | 0x7f800000u | (fraction << 13u)); }
    return bitcast<f32>(sign | ((exponent + 112u) << 23u) | (fraction << 13u));
}
