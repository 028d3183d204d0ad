// Pointers are numbers: which resource they lead into, which of its cells (each thread's, of its own memory), and where in it.
$fn inline Bytes reached(int64_t address, char* data, int64_t size, int64_t cells = 1, int shift = 40) {
    const uint64_t offset = uint64_t(address) & ((uint64_t(1) << 40) - 1);
    const int64_t cell = int64_t(offset >> shift), at = int64_t(offset & ((uint64_t(1) << shift) - 1)), part = size / cells;
    if (cell >= cells || at > part) return {};
    return {data + cell * part + at, part - at, at};
}
