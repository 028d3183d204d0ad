// Amounts count modulo the width.
fn shl64(a: vec2u, amount: u32) -> vec2u {
    let n = amount & 63u;
    if (n == 0u) { return a; }
    if (n >= 32u) { return vec2u(0u, a.x << (n - 32u)); }
    return vec2u(a.x << n, (a.y << n) | (a.x >> (32u - n)));
}
