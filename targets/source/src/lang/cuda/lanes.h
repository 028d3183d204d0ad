// Exchanges between the lanes of a mask, which all come to them. What `lane`, one of these, has:
template <class T> $fn T of_lane(uint mask, const T& value, uint lane) {
    uint words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, static_cast<const void*>(&value), sizeof(T));
    for (uint& word : words) word = __shfl_sync(mask, word, int(lane));
    T theirs;
    memcpy(static_cast<void*>(&theirs), words, sizeof(T));
    return theirs;
}
$fn inline uint first_lane(uint mask) { return uint(__ffs(int(mask)) - 1); }
// What another lane has; zero if it is not active.
template <class T> $fn T wave_read(uint mask, const T& value, int64_t lane) {
    const bool active = lane >= 0 && lane < 32 && (mask >> lane & 1) != 0;
    const T theirs = of_lane(mask, value, active ? uint(lane) : first_lane(mask));
    return active ? theirs : T{};
}
// Those of the lanes whose numbers are below `end`, combined in order.
template <class T, class F> $fn T wave_fold(uint mask, const T& value, uint end, T sum, F combine) {
    bool any = false;
    for (uint rest = mask; rest != 0; rest &= rest - 1) {
        const uint lane = first_lane(rest);
        const T theirs = of_lane(mask, value, lane);
        if (lane < end) sum = any ? combine(sum, theirs) : theirs;
        any = any || lane < end;
    }
    return sum;
}
