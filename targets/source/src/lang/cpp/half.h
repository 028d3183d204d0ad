// A float of 16 bits: computed in `float`, which is wide enough to round once.
struct half {
    uint16_t bits;
    half() = default;
    $fn explicit half(double value) {
        float near = float(value);
        uint32_t b;
        std::memcpy(&b, &near, 4);
        if (double(near) != value && value == value) b = (std::fabs(double(near)) > std::fabs(value) ? b - 1 : b) | 1;
        uint32_t sign = b >> 16 & 0x8000, rest = b & 0x7fffffff;
        if (rest > 0x7f800000) bits = uint16_t(sign | 0x7e00 | (rest >> 13 & 0x3ff));
        else if (rest >= 0x47800000) bits = uint16_t(sign | 0x7c00);
        else {
            uint32_t shift = rest < 0x38800000 ? 126 - (rest >> 23) : 13;
            uint32_t from = rest < 0x38800000 ? (rest & 0x7fffff) | 0x800000 : rest - 0x38000000;
            if (shift > 31) bits = uint16_t(sign);
            else {
                uint32_t half_way = 1u << (shift - 1), low = from & ((1u << shift) - 1), high = from >> shift;
                bits = uint16_t(sign | (high + (low > half_way || (low == half_way && (high & 1)) ? 1 : 0)));
            }
        }
    }
    $fn operator float() const {
        uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = bits >> 10 & 31, rest = bits & 0x3ff;
        if (exponent == 0) return (sign ? -1.0f : 1.0f) * float(rest) * 5.9604644775390625e-8f;
        uint32_t b = sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | rest << 13;
        float value;
        std::memcpy(&value, &b, 4);
        return value;
    }
};
$fn inline half operator+(half a, half b) { return half(double(a) + double(b)); }
$fn inline half operator-(half a, half b) { return half(double(a) - double(b)); }
$fn inline half operator*(half a, half b) { return half(double(a) * double(b)); }
$fn inline half operator/(half a, half b) { return half(double(a) / double(b)); }
$fn inline half operator-(half a) { return a.bits ^= 0x8000, a; }
