// The nearest float: bits that are lost are kept as one that decides.
precise float wide_to_float(uint2 a) {
    if (a.y == 0u) return float(a.x);
    uint shift = 31u - uint(firstbithigh(a.y));
    uint2 left = wide_shl(a, uint2(shift, 0u));
    return float(left.y | (left.x != 0u ? 1u : 0u)) * asfloat((159u - shift) << 23);
}
