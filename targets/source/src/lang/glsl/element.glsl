// The first byte of an element; of one that no buffer has, a byte that none has.
uint element(uint i, uint size) { return i <= 0x7fffffffu / size ? i * size : 0x80000000u; }
