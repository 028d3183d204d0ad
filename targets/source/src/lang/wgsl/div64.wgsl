// A quotient and a remainder; both are zero where the divisor is.
fn divided64(a: vec2u, b: vec2u) -> vec4u {
    var quotient = vec2u();
    var rest = vec2u();
    if (all(b == vec2u())) { return vec4u(); }
    for (var n = 0u; n < 64u; n++) {
        let over = rest.y >> 31u;
        rest = shl64(rest, 1u);
        rest.x |= shr64(a, 63u - n).x & 1u;
        quotient = shl64(quotient, 1u);
        if ((over == 1u) || !less_uint64(rest, b)) {
            rest = sub64(rest, b);
            quotient.x |= 1u;
        }
    }
    return vec4u(quotient, rest);
}
fn abs64(a: vec2u) -> vec2u { return select(a, sub64(vec2u(), a), (a.y >> 31u) == 1u); }
fn div_uint64(a: vec2u, b: vec2u) -> vec2u { return divided64(a, b).xy; }
fn rem_uint64(a: vec2u, b: vec2u) -> vec2u { return divided64(a, b).zw; }
fn div_int64(a: vec2u, b: vec2u) -> vec2u {
    let quotient = divided64(abs64(a), abs64(b)).xy;
    return select(quotient, sub64(vec2u(), quotient), ((a.y ^ b.y) >> 31u) == 1u);
}
fn rem_int64(a: vec2u, b: vec2u) -> vec2u {
    let rest = divided64(abs64(a), abs64(b)).zw;
    return select(rest, sub64(vec2u(), rest), (a.y >> 31u) == 1u);
}
