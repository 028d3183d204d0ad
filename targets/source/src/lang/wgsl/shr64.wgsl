// Amounts count modulo the width.
fn shr64(a: vec2u, amount: u32) -> vec2u {
    let n = amount & 63u;
    if (n == 0u) { return a; }
    if (n >= 32u) { return vec2u(a.y >> (n - 32u), 0u); }
    return vec2u((a.x >> n) | (a.y << (32u - n)), a.y >> n);
}
