// A double as an integer: towards zero, the nearest there is, and 0 for what is no number.
$R saturate_to_$R(double x) {
    if (is_nan(x)) return $R(0);
    if (x <= double($min)) return $minimum;
    if (x >= double($max)) return $maximum;
    return $R(x);
}
