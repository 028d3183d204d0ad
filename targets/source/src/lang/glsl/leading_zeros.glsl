$T leading_zeros($T x) {
    for (int i = $last; i >= 0; i--)
        if ((x >> $T(i) & $T(1)) != $T(0)) return $T($last - i);
    return $T($last + 1);
}
