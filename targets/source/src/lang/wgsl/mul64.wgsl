fn mul64(a: vec2u, b: vec2u) -> vec2u {
    let al = a.x & 0xffffu;
    let ah = a.x >> 16u;
    let bl = b.x & 0xffffu;
    let bh = b.x >> 16u;
    let low = al * bl;
    let carried = (low >> 16u) + ((ah * bl) & 0xffffu) + ((al * bh) & 0xffffu);
    let high = ah * bh + ((ah * bl) >> 16u) + ((al * bh) >> 16u) + (carried >> 16u);
    return vec2u((low & 0xffffu) | (carried << 16u), high + a.x * b.y + a.y * b.x);
}
