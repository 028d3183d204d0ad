// What the active lanes of a wave bring to an operation.
template <class T> struct Lanes {
    uint active, me, count;
    uint number[32];
    T value[32];
};
template <class T> Lanes<T> gather(int64_t instance, T mine) {
    const char* bytes = reinterpret_cast<const char*>(&mine);
    fiber->brought.assign(bytes, bytes + sizeof(T));
    wait_here(instance, false);
    Lanes<T> lanes{};
    lanes.me = thread.index % 32;
    for (const auto& lane : fiber->found) {
        lanes.active |= 1u << lane.first;
        lanes.number[lanes.count] = lane.first;
        std::memcpy(static_cast<void*>(&lanes.value[lanes.count++]), lane.second.data(), sizeof(T));
    }
    return lanes;
}
// Those of the lanes whose numbers are below `end`, combined in order.
template <class T, class F> T wave_fold(const Lanes<T>& lanes, uint end, T none, F combine) {
    T sum = none;
    for (uint i = 0, any = 0; i < lanes.count && lanes.number[i] < end; i++, any = 1) sum = any ? combine(sum, lanes.value[i]) : lanes.value[i];
    return sum;
}
template <class T> T wave_lane(const Lanes<T>& lanes, int64_t number, T otherwise) {
    for (uint i = 0; i < lanes.count; i++)
        if (int64_t(lanes.number[i]) == number) return lanes.value[i];
    return otherwise;
}
template <class T, class F> uint wave_mask(const Lanes<T>& lanes, F holds) {
    uint mask = 0;
    for (uint i = 0; i < lanes.count; i++)
        if (holds(lanes.value[i])) mask |= 1u << lanes.number[i];
    return mask;
}
