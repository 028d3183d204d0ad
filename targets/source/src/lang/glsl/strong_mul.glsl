// A product in which a zero annihilates whatever the other factor is.
precise $T strong_mul($T a, $T b) { return a == $T(0) || b == $T(0) ? $T(0) : a * b; }
