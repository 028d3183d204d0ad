// Whether a lane is in this one's part of the wave, of `width` lanes, and active.
$fn inline bool wave_reaches(uint mask, uint me, int64_t lane, int64_t width) {
    return width > 0 && lane >= 0 && lane < 32 && lane / width == int64_t(me) / width && (mask >> lane & 1) != 0;
}
template <class T> $fn T wave_shuffle(uint mask, uint me, const T& value, int64_t lane, int64_t width) {
    const bool valid = wave_reaches(mask, me, lane, width);
    const T theirs = of_lane(mask, value, valid ? uint(lane) : me);
    return valid ? theirs : value;
}
