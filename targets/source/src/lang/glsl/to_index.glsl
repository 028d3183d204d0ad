// An index of 64 bits; one that no array has stays out of range.
uint to_index($T i) { return i < $T(0) || i > $T(0x7fffffff) ? 0xffffffffu : uint(i); }
