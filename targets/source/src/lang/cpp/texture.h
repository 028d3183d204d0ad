// Texels by layer, level, z, y and x. The format: how many components a texel has, and times 256 what each is: 0 a byte from 0 to 1,
// 1 to 3 a float of 16, 32 or 64 bits, 4 to 7 an integer of 8 to 64 bits, 8 to 11 one without sign.
struct Texture {
    char* texels;
    uint32_t extent[3], layers, levels, format;
    $fn uint32_t size(int axis, int64_t level) const {
        const uint32_t n = level >= 0 && level < 32 ? extent[axis] >> level : level < 0 ? extent[axis] : 0;
        return n ? n : 1;
    }
    $fn uint32_t kind() const { return format >> 8; }
    $fn uint32_t bytes() const { return kind() == 0 ? 1 : kind() < 4 ? 1u << kind() : 1u << ((kind() - 4) & 3); }
};
struct Sampler {
    uint8_t linear, addressing, none[6];
};
template <class T> $fn int64_t component(const T& x, int i) { return i == 0 ? int64_t(x) : 0; }
template <class T, int N> $fn int64_t component(const vec<T, N>& x, int i) { return int64_t(x[i]); }
// Where a texel is, or null.
template <class P, class O> $fn char* texel_at(const Texture& t, int axes, bool in_array, const P& place, int64_t level, const O& offset) {
    uint64_t number = 0, at[3] = {};
    const int64_t layer = in_array ? component(place, axes) : 0;
    if (level < 0 || level >= int64_t(t.levels) || layer < 0 || layer >= int64_t(t.layers)) return nullptr;
    for (int i = 0; i < axes; i++) {
        at[i] = uint64_t(component(place, i) + component(offset, i));
        if (at[i] >= t.size(i, level)) return nullptr;
    }
    for (int64_t k = 0, all = int64_t(t.levels); k < all; k++) {
        const uint64_t texels = uint64_t(t.size(0, k)) * t.size(1, k) * t.size(2, k);
        number += texels * (k < level ? uint64_t(layer) + 1 : uint64_t(layer));
    }
    number += (at[2] * t.size(1, level) + at[1]) * t.size(0, level) + at[0];
    return t.texels + number * t.bytes() * (t.format & 255);
}
template <class S> $fn S texel_part(const char* from) {
    S value;
    std::memcpy(&value, from, sizeof(S));
    return value;
}
// A component as a number of another type.
template <class E> $fn E texel_component(const Texture& t, const char* texel, uint32_t i) {
    if (!texel || i >= (t.format & 255)) return E(float(texel && i == 3 ? 1 : 0));
    const char* at = texel + i * t.bytes();
    double f = 0;
    int64_t n = 0;
    switch (t.kind()) {
        case 0: f = double(float(double(texel_part<uint8_t>(at)) / 255.0)); break;
        case 1: f = double(float(texel_part<half>(at))); break;
        case 2: f = double(texel_part<float>(at)); break;
        case 3: f = texel_part<double>(at); break;
        case 4: n = texel_part<int8_t>(at); break;
        case 5: n = texel_part<int16_t>(at); break;
        case 6: n = texel_part<int32_t>(at); break;
        case 7: n = texel_part<int64_t>(at); break;
        case 8: n = texel_part<uint8_t>(at); break;
        case 9: n = texel_part<uint16_t>(at); break;
        case 10: n = texel_part<uint32_t>(at); break;
        default: n = texel_part<int64_t>(at);
    }
    if constexpr (std::numeric_limits<E>::is_integer) return E(t.kind() < 4 ? saturate_to<int64_t>(f) : n);
    else return E(t.kind() < 4 ? f : double(n));
}
template <class V> struct texel_reader {
    $fn static V from(const Texture& t, const char* texel) { return texel_component<V>(t, texel, 0); }
};
template <class T, int N> struct texel_reader<vec<T, N>> {
    $fn static vec<T, N> from(const Texture& t, const char* texel) {
        vec<T, N> r;
        for (int i = 0; i < N; i++) r[i] = texel_component<T>(t, texel, uint32_t(i));
        return r;
    }
};
template <class V> $fn V texel_load(const Texture& t, const char* texel) { return texel_reader<V>::from(t, texel); }
template <class E> $fn void texel_write(const Texture& t, char* at, E value) {
    double f = double(float(value));
    int64_t n = 0;
    if constexpr (std::numeric_limits<E>::is_integer) {
        n = int64_t(value);
        f = double(value);
    } else {
        if constexpr (sizeof(E) == 8) f = double(value);
        n = saturate_to<int64_t>(f);
    }
    if (t.kind() == 0) n = f != f ? 0 : int64_t(std::round((f < 0 ? 0 : f > 1 ? 1 : f) * 255.0));
    const float single = float(f);
    const half small = half(f);
    if (t.kind() == 1) std::memcpy(at, &small, 2);
    else if (t.kind() == 2) std::memcpy(at, &single, 4);
    else if (t.kind() == 3) std::memcpy(at, &f, 8);
    else std::memcpy(at, &n, t.bytes());
}
template <class T> $fn T texel_value(const T& value, uint32_t i) { return i == 0 ? value : T(0.0f); }
template <class T, int N> $fn T texel_value(const vec<T, N>& value, uint32_t i) { return i < uint32_t(N) ? value[i] : T(0.0f); }
template <class V> $fn void texel_store(const Texture& t, char* texel, const V& value) {
    if (!texel) return;
    for (uint32_t i = 0; i < (t.format & 255); i++) texel_write(t, texel + i * t.bytes(), texel_value(value, i));
}
template <class T> $fn T& texel_number(char* texel) { return texel ? *reinterpret_cast<T*>(texel) : nowhere<T>(); }
