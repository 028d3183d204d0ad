float wide_to_float_signed(uint2 a) {
    float value = wide_to_float(wide_magnitude(a));
    return int(a.y) < 0 ? -value : value;
}
