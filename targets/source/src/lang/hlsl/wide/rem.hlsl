uint2 wide_rem(uint2 a, uint2 b) {
    uint2 quotient, rest;
    wide_divided(a, b, quotient, rest);
    return rest;
}
