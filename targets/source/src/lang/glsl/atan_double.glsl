precise double atan_double(double x) {
    if (x != x) return x;
    double a = abs(x);
    bool large = a > 1.0lf;
    double t = large ? 1.0lf / a : a;
    for (int i = 0; i < 2; i++) t = t / (1.0lf + sqrt(1.0lf + t * t));
    double z = t * t;
    double angle = 4.0lf * t * (1.0lf + z * (-0.3333333333333333lf + z * (0.2lf + z * (-0.14285714285714285lf + z * (0.1111111111111111lf + z * (-0.09090909090909091lf + z * (0.07692307692307693lf + z * (-0.06666666666666667lf + z * (0.058823529411764705lf + z * (-0.05263157894736842lf + z * (0.047619047619047616lf + z * (-0.043478260869565216lf + z * (0.04lf + z * (-0.037037037037037035lf))))))))))))));
    angle = large ? 1.5707963267948966lf - angle : angle;
    return (unpackDouble2x32(x).y & 0x80000000u) != 0u ? -angle : angle;
}
