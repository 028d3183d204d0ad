// The greater; the number, if one of two is none, and -0 is less than 0.
fn max_num(a: f32, b: f32) -> f32 {
    if (is_nan(b)) { return a; }
    if (is_nan(a)) { return b; }
    return select(b, a, (a > b) || ((a == b) && (bitcast<u32>(a) < bitcast<u32>(b))));
}
