// The same with the sign.
fn sar64(a: vec2u, amount: u32) -> vec2u {
    let n = amount & 63u;
    let high = i32(a.y);
    if (n == 0u) { return a; }
    if (n >= 32u) { return vec2u(u32(high >> (n - 32u)), u32(high >> 31u)); }
    return vec2u((a.x >> n) | (a.y << (32u - n)), u32(high >> n));
}
