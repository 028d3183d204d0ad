fn ones64(a: vec2u) -> vec2u { return vec2u(countOneBits(a.x) + countOneBits(a.y), 0u); }
fn leading64(a: vec2u) -> vec2u {
    return vec2u(select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u), 0u);
}
fn trailing64(a: vec2u) -> vec2u {
    return vec2u(select(countTrailingZeros(a.x), 32u + countTrailingZeros(a.y), a.x == 0u), 0u);
}
