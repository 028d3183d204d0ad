// The first byte of an element; of one that no buffer has, a byte that none has.
fn element(i: u32, size: u32) -> u32 { return select(0x80000000u, i * size, i <= 0x7fffffffu / size); }
