double copysign(double a, double b) {
    bool turned = ((asuint(float(a)) ^ asuint(float(b))) & 0x80000000u) != 0u;
    return turned ? -a : a;
}
