precise $T arc_tangent($T y, $T x) {
    const $T pi = $T(3.1415926535f);
    if (is_nan(x) || is_nan(y)) return x + y;
    bool back = ($to(x) & $sign) != $U(0);
    $T a = abs(y), b = abs(x);
    $T angle;
    if (a == $T(0)) angle = $T(0);
    else if ($to(a) == $inf && $to(b) == $inf) angle = pi / $T(4);
    else if ($to(b) == $inf) angle = $T(0);
    else if (a > b) angle = pi / $T(2) - atan(b / a);
    else angle = atan(a / b);
    return copysign(back ? pi - angle : angle, y);
}
