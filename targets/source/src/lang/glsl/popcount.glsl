$T popcount($T x) {
    int count = 0;
    for (int i = 0; i <= $last; i++) count += int(x >> $T(i) & $T(1));
    return $T(count);
}
