// Pointers are numbers: which resource they lead into, which of its cells (each thread's, of its own memory), and where in it.
struct Resource {
    char* data;
    int64_t size;
    int64_t cells = 1;
    int shift = 40;
};
static thread_local Resource* resources;
static thread_local uint64_t resource_count;
inline Bytes pointee(int64_t address) {
    const uint64_t number = (uint64_t(address) >> 40) - 1, offset = uint64_t(address) & ((uint64_t(1) << 40) - 1);
    if (number >= resource_count) return {};
    const Resource& r = resources[number];
    const int64_t cell = int64_t(offset >> r.shift), at = int64_t(offset & ((uint64_t(1) << r.shift) - 1)), size = r.size / r.cells;
    if (cell >= r.cells || at > size) return {};
    return {r.data + cell * size + at, size - at, at};
}
