// Pointers are numbers: which resource they lead into, and where in it.
static thread_local Bytes* resources;
static thread_local uint64_t resource_count;
inline Bytes pointee(int64_t address) {
    const uint64_t number = (uint64_t(address) >> 40) - 1, offset = uint64_t(address) & ((uint64_t(1) << 40) - 1);
    if (number >= resource_count || offset > uint64_t(resources[number].size)) return {};
    return {resources[number].data + offset, resources[number].size - int64_t(offset), int64_t(offset)};
}
