// Memory of a group is zero when the group begins.
template <class W> $fn void clear(W* memory, uint words) {
    const uint threads = blockDim.x * blockDim.y * blockDim.z;
    for (uint i = thread_index(); i < words; i += threads) memory[i] = 0;
}
template <class T> $fn void clear(T& memory) {
    if constexpr (alignof(T) % 4 == 0) clear(reinterpret_cast<uint32_t*>(&memory), sizeof(T) / 4);
    else clear(reinterpret_cast<uint8_t*>(&memory), sizeof(T));
}
