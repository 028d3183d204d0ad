$T trailing_zeros($T x) {
    for (int i = 0; i <= $last; i++)
        if ((x >> $T(i) & $T(1)) != $T(0)) return $T(i);
    return $T($last + 1);
}
