precise double wide_to_double(uint2 a) { return double(a.y) * 4294967296.0L + double(a.x); }
precise double wide_to_double_signed(uint2 a) { return double(int(a.y)) * 4294967296.0L + double(a.x); }
