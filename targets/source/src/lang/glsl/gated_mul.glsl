// A product that is zero where the left factor is, whatever the right one is.
precise $T gated_mul($T a, $T b) { return a == $T(0) ? $T(0) : a * b; }
