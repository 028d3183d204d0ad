fn less_uint64(a: vec2u, b: vec2u) -> bool { return (a.y < b.y) || ((a.y == b.y) && (a.x < b.x)); }
fn less_int64(a: vec2u, b: vec2u) -> bool { return less_uint64(vec2u(a.x, a.y ^ 0x80000000u), vec2u(b.x, b.y ^ 0x80000000u)); }
