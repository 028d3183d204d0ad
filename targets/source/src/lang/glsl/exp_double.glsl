// 2 to a whole power, in two steps where one has no float.
precise double scaled_double(double x, int by) {
    int half_of = by / 2;
    double first = packDouble2x32(uvec2(0u, uint(1023 + half_of) << 20)), second = packDouble2x32(uvec2(0u, uint(1023 + by - half_of) << 20));
    return x * first * second;
}
// A power of e, near 1.
precise double exp_near_double(double x) {
    return 1.0lf + x * (1.0lf + x * (0.5lf + x * (0.16666666666666666lf + x * (0.041666666666666664lf + x * (0.008333333333333333lf + x * (0.001388888888888889lf + x * (0.0001984126984126984lf + x * (2.48015873015873e-05lf + x * (2.7557319223985893e-06lf + x * (2.755731922398589e-07lf + x * (2.505210838544172e-08lf + x * (2.08767569878681e-09lf + x * (1.6059043836821613e-10lf + x * (1.1470745597729725e-11lf))))))))))))));
}
precise double exp_double(double x) {
    if (!(x < 709.79lf)) return x != x ? x : packDouble2x32(uvec2(0u, 0x7ff00000u));
    if (x < -745.2lf) return 0.0lf;
    double n = roundEven(x * 1.4426950408889634lf);
    double r = x - n * 0.693147180369123816490lf - n * 1.90821492927058770002e-10lf;
    return scaled_double(exp_near_double(r), int(n));
}
