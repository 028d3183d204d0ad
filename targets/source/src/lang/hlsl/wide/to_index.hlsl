// An index of 64 bits; one that no array has stays out of range.
uint to_index(uint2 i) { return i.y != 0u || i.x > 0x7fffffffu ? 0xffffffffu : i.x; }
