fn min_int64(a: vec2u, b: vec2u) -> vec2u { return select(b, a, less_int64(a, b)); }
fn max_int64(a: vec2u, b: vec2u) -> vec2u { return select(a, b, less_int64(a, b)); }
fn min_uint64(a: vec2u, b: vec2u) -> vec2u { return select(b, a, less_uint64(a, b)); }
fn max_uint64(a: vec2u, b: vec2u) -> vec2u { return select(a, b, less_uint64(a, b)); }
