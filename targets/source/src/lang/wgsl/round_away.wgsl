// The nearest integer, the farther from zero of two.
fn round_away(x: f32) -> f32 {
    let whole = trunc(x);
    let more = select(0.0f, 1.0f, abs(x - whole) >= 0.5f);
    return copysign(abs(whole) + more, x);
}
