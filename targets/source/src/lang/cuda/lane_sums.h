// The lanes that take part and have the same key.
template <class K> $fn uint wave_peers(uint mask, bool takes, const K& key) {
    const uint same = wave_match(mask, key);
    return __ballot_sync(mask, takes) & same;
}
// The sum over some lanes, which each lane names for itself.
template <class T, class F> $fn T wave_sum_of(uint mask, uint lanes, const T& value, T sum, F add) {
    bool any = false;
    for (uint rest = mask; rest != 0; rest &= rest - 1) {
        const uint lane = first_lane(rest);
        const T theirs = of_lane(mask, value, lane);
        const bool takes = (lanes >> lane & 1) != 0;
        if (takes) sum = any ? add(sum, theirs) : theirs;
        any = any || takes;
    }
    return sum;
}
// One of several sums: the one with this number, if there is one.
template <class T, int N, class F> $fn T wave_sums(uint mask, uint number, const T (&values)[N], T none, F add) {
    T chosen = none;
    for (int i = 0; i < N; i++) {
        const T sum = wave_sum_of(mask, mask, values[i], none, add);
        if (uint(i) == number) chosen = sum;
    }
    return chosen;
}
// Whether this is the first of the lanes with its key; what it gets then.
$fn inline bool wave_leads(uint me, bool takes, uint peers) { return takes && me == first_lane(peers); }
template <class T, class F> $fn T wave_lead(uint mask, uint me, bool takes, uint peers, const T& value, T none, F add) {
    const T sum = wave_sum_of(mask, peers, value, none, add);
    return wave_leads(me, takes, peers) ? sum : T{};
}
