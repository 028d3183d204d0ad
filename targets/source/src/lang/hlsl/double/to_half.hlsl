// The nearest half. The float between keeps whether anything was cut, so that it is rounded once.
float to_half(double x) {
    float near = float(x);
    if (double(near) == x || is_nan(x)) return to_half(near);
    uint bits = asuint(near);
    if (abs(double(near)) > abs(x)) bits -= 1u;
    return to_half(asfloat(bits | 1u));
}
