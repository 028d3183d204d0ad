bool wide_less_signed(uint2 a, uint2 b) { return int(a.y) < int(b.y) || (a.y == b.y && a.x < b.x); }
