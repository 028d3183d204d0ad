precise double power_double(double x, double y) {
    if (y == 0.0lf || x == 1.0lf) return 1.0lf;
    if (x != x || y != y) return x + y;
    double a = abs(x);
    bool negative = (unpackDouble2x32(x).y & 0x80000000u) != 0u, endless = unpackDouble2x32(a).y == 0x7ff00000u;
    bool whole = trunc(y) == y, odd = whole && abs(y) < 9007199254740992.0lf && trunc(y * 0.5lf) * 2.0lf != y;
    double value;
    if (unpackDouble2x32(abs(y)).y == 0x7ff00000u) value = a == 1.0lf ? 1.0lf : (a > 1.0lf) == (y > 0.0lf) ? abs(y) : 0.0lf;
    else if (a == 0.0lf) value = y > 0.0lf ? 0.0lf : packDouble2x32(uvec2(0u, 0x7ff00000u));
    else if (endless) value = y > 0.0lf ? a : 0.0lf;
    else value = exp2_double(y * log2_double(a));
    if (!negative) return value;
    if (!whole && a != 0.0lf && !endless) return packDouble2x32(uvec2(0u, 0x7ff80000u));
    return odd ? -value : value;
}
