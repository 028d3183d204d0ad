precise double atan2_double(double y, double x) {
    if (x != x || y != y) return x + y;
    double a = abs(y), b = abs(x), angle;
    bool endless_a = unpackDouble2x32(a).y == 0x7ff00000u, endless_b = unpackDouble2x32(b).y == 0x7ff00000u;
    if (a == 0.0lf) angle = 0.0lf;
    else if (endless_a && endless_b) angle = 0.7853981633974483lf;
    else if (endless_b) angle = 0.0lf;
    else if (a > b) angle = 1.5707963267948966lf - atan_double(b / a);
    else angle = atan_double(a / b);
    if ((unpackDouble2x32(x).y & 0x80000000u) != 0u) angle = 3.141592653589793lf - angle;
    return (unpackDouble2x32(y).y & 0x80000000u) != 0u ? -angle : angle;
}
