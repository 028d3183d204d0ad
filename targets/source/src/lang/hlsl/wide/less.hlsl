bool wide_less(uint2 a, uint2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
