// A product in which a zero annihilates whatever the other factor is.
fn strong_mul(a: f32, b: f32) -> f32 { return select(a * b, 0.0f, (a == 0.0f) || (b == 0.0f)); }
