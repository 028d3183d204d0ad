// What the sum loses is made good by its quotient.
precise $T log1p($T x) {
    $T sum = $T(1) + x;
    if (sum == $T(1) || $to(sum) == $inf) return x;
    return log(sum) * (x / (sum - $T(1)));
}
