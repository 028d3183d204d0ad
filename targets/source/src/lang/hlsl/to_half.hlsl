// The nearest half, as a float.
precise float to_half(float x) {
    uint sign = asuint(x) & 0x80000000u, bits = asuint(x) & 0x7fffffffu;
    if (bits > 0x7f800000u) return x;
    if (bits >= 0x477ff000u) return asfloat(sign | 0x7f800000u);
    // Below the least normal half the last bit of 0.5 is that of a half.
    precise float above = asfloat(bits) + 0.5f;
    precise float small = above - 0.5f;
    if (bits < 0x38800000u) return asfloat(sign | asuint(small));
    return asfloat(sign | ((bits + 0xfffu + ((bits >> 13) & 1u)) & 0xffffe000u));
}
