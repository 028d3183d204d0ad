// A number as one near 1 times 2 to a power.
precise double mantissa_double(double x, out int power) {
    power = 0;
    if (x < 2.2250738585072014e-308lf) {
        x *= 18014398509481984.0lf;
        power = -54;
    }
    uvec2 bits = unpackDouble2x32(x);
    power += int(bits.y >> 20) - 1023;
    double m = packDouble2x32(uvec2(bits.x, (bits.y & 0x000fffffu) | 0x3ff00000u));
    if (m > 1.4142135623730951lf) {
        m *= 0.5lf;
        power++;
    }
    return m;
}
// The logarithm of a number near 1.
precise double log_near_double(double m) {
    double s = (m - 1.0lf) / (m + 1.0lf);
    double z = s * s;
    return 2.0lf * s * (1.0lf + z * (0.3333333333333333lf + z * (0.2lf + z * (0.14285714285714285lf + z * (0.1111111111111111lf + z * (0.09090909090909091lf + z * (0.07692307692307693lf + z * (0.06666666666666667lf + z * (0.058823529411764705lf + z * (0.05263157894736842lf + z * (0.047619047619047616lf + z * (0.043478260869565216lf + z * (0.04lf)))))))))))));
}
precise double log_double(double x) {
    if (!(x > 0.0lf)) return x == 0.0lf ? packDouble2x32(uvec2(0u, 0xfff00000u)) : packDouble2x32(uvec2(0u, 0x7ff80000u));
    if (unpackDouble2x32(x).y == 0x7ff00000u) return x;
    int power;
    double near = log_near_double(mantissa_double(x, power));
    return double(power) * 0.693147180369123816490lf + (near + double(power) * 1.90821492927058770002e-10lf);
}
