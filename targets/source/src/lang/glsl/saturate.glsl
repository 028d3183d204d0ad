// A float as an integer: towards zero, the nearest there is, and 0 for what is no number.
$R saturate_to_$R($T x) {
    if (($to(x) & ~$sign) > $inf) return $R(0);
    if (x <= $T($min)) return $minimum;
    if (x >= $T($max)) return $maximum;
    return $R(x);
}
