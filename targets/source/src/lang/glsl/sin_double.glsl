// The sine of a number plus so many quarters of a turn.
precise double sine_double(double x, int quarters) {
    if (!(abs(x) < 1.7976931348623157e308lf)) return packDouble2x32(uvec2(0u, 0x7ff80000u));
    double n = roundEven(x * 0.6366197723675814lf);
    double r = x - n * 1.57079632673412561417e+00lf - n * 6.07710050630396597660e-11lf - n * 2.02226624879595063154e-21lf;
    double z = r * r;
    int quarter = (int(n - floor(n * 0.25lf) * 4.0lf) + quarters) & 3;
    double odd = r * (1.0lf + z * (-0.16666666666666666lf + z * (0.008333333333333333lf + z * (-0.0001984126984126984lf + z * (2.7557319223985893e-06lf + z * (-2.505210838544172e-08lf + z * (1.6059043836821613e-10lf + z * (-7.647163731819816e-13lf + z * (2.8114572543455206e-15lf + z * (-8.22063524662433e-18lf + z * (1.9572941063391263e-20lf)))))))))));
    double even = 1.0lf + z * (-0.5lf + z * (0.041666666666666664lf + z * (-0.001388888888888889lf + z * (2.48015873015873e-05lf + z * (-2.755731922398589e-07lf + z * (2.08767569878681e-09lf + z * (-1.1470745597729725e-11lf + z * (4.779477332387385e-14lf + z * (-1.5619206968586225e-16lf + z * (4.110317623312165e-19lf + z * (-8.896791392450574e-22lf)))))))))));
    double value = (quarter & 1) == 0 ? odd : even;
    return quarter < 2 ? value : -value;
}
