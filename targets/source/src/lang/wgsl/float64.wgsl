// The nearest float: of the highest 32 bits, and of whether any below is set.
fn float_of_uint64(a: vec2u) -> f32 {
    if (a.y == 0u) { return f32(a.x); }
    let n = 32u - countLeadingZeros(a.y);
    let top = shr64(a, n).x;
    let lost = select(0u, 1u, any(shl64(vec2u(top, 0u), n) != a));
    return f32(top | lost) * bitcast<f32>((127u + n) << 23u);
}
fn float_of_int64(a: vec2u) -> f32 {
    let negative = (a.y >> 31u) == 1u;
    let number = float_of_uint64(select(a, sub64(vec2u(), a), negative));
    return select(number, -number, negative);
}
// A float as an integer: towards zero, the nearest there is, and 0 for what is no number.
fn uint64_of_magnitude(x: f32) -> vec2u {
    let bits = bitcast<u32>(x) & 0x7fffffffu;
    let exponent = i32(bits >> 23u) - 127;
    let fraction = (bits & 0x7fffffu) | 0x800000u;
    if (exponent < 0) { return vec2u(); }
    if (exponent <= 23) { return vec2u(fraction >> u32(23 - exponent), 0u); }
    return shl64(vec2u(fraction, 0u), u32(exponent - 23));
}
fn uint64_of_float(x: f32) -> vec2u {
    let bits = bitcast<u32>(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) { return vec2u(); }
    if (bits >= 0x80000000u) { return vec2u(); }
    if (bits >= 0x5f800000u) { return vec2u(0xffffffffu, 0xffffffffu); }
    return uint64_of_magnitude(x);
}
fn int64_of_float(x: f32) -> vec2u {
    let magnitude = bitcast<u32>(x) & 0x7fffffffu;
    let negative = (bitcast<u32>(x) >> 31u) == 1u;
    if (magnitude > 0x7f800000u) { return vec2u(); }
    if (magnitude >= 0x5f000000u) { return select(vec2u(0xffffffffu, 0x7fffffffu), vec2u(0u, 0x80000000u), negative); }
    let number = uint64_of_magnitude(x);
    return select(number, sub64(vec2u(), number), negative);
}
