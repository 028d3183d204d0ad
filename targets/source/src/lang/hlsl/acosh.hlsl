precise $T acosh($T x) {
    return x > $T(1e9f) ? log(x) + $T(0.6931472f) : log(x + sqrt(x * x - $T(1)));
}
