// A product that is zero where the left factor is, whatever the right one is.
fn gated_mul(a: f32, b: f32) -> f32 { return select(a * b, 0.0f, a == 0.0f); }
