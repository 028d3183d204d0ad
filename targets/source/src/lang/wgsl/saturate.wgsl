// A float as an integer: towards zero, the nearest there is, and 0 for what is no number.
fn saturate_to_$R(x: f32) -> $R {
    if (is_nan(x)) { return 0; }
    if (x <= $min) { return $minimum; }
    if (x >= $max) { return $maximum; }
    return $R(x);
}
