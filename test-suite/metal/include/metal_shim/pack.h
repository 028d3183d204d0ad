// Numbers between 0 and 1, or -1 and 1, in words (MSL 6.11), and traits of types (MSL 6.1).
#pragma once
#pragma clang system_header
#include "relational.h"

namespace metal_shim {
// N numbers of as many bits in a word, of which `greatest` stands for one.
template <class T, int N> metal::vec<T, N> unpacked(uint word, bool sign) {
    const uint bits = 32 / N;
    const float greatest = float((1u << (bits - (sign ? 1 : 0))) - 1);
    metal::vec<T, N> r;
    for (uint i = 0; i < N; i++) {
        const uint part = metal::extract_bits(word, i * bits, bits);
        const int signed_part = metal::extract_bits(__builtin_bit_cast(int, word), i * bits, bits);
        const float value = sign ? float(signed_part) : float(part);
        r.data_[i] = T(metal::fmax(value / greatest, -1.0f));
    }
    return r;
}
template <class T, int N> uint packed(metal::vec<T, N> v, bool sign) {
    const uint bits = 32 / N;
    const float greatest = float((1u << (bits - (sign ? 1 : 0))) - 1);
    uint word = 0;
    for (uint i = 0; i < N; i++) {
        const float value = metal::rint(metal::clamp(float(v.data_[i]), sign ? -1.0f : 0.0f, 1.0f) * greatest);
        word = metal::insert_bits(word, uint(int(value)), i * bits, bits);
    }
    return word;
}
}  // namespace metal_shim

namespace metal {
#define METAL_SHIM_PACK(T, N, name, sign)                                                              \
    inline vec<T, N> unpack_##name##_to_##T(uint word) { return metal_shim::unpacked<T, N>(word, sign); } \
    inline uint pack_##T##_to_##name(vec<T, N> v) { return metal_shim::packed(v, sign); }
METAL_SHIM_PACK(float, 4, unorm4x8, false)
METAL_SHIM_PACK(float, 4, snorm4x8, true)
METAL_SHIM_PACK(float, 2, unorm2x16, false)
METAL_SHIM_PACK(float, 2, snorm2x16, true)
METAL_SHIM_PACK(half, 4, unorm4x8, false)
METAL_SHIM_PACK(half, 4, snorm4x8, true)
METAL_SHIM_PACK(half, 2, unorm2x16, false)
METAL_SHIM_PACK(half, 2, snorm2x16, true)

#define METAL_SHIM_TRAIT(name, holds)                \
    template <class T> struct name {                 \
        enum : bool { value = holds };               \
    };                                               \
    template <class T> inline constexpr const __global bool name##_v = name<T>::value;
METAL_SHIM_TRAIT(is_floating_point, metal_shim::scalar<T>::real)
METAL_SHIM_TRAIT(is_integral, metal_shim::scalar<T>::is && !metal_shim::scalar<T>::real)
METAL_SHIM_TRAIT(is_arithmetic, metal_shim::scalar<T>::is)
METAL_SHIM_TRAIT(is_scalar, metal_shim::scalar<T>::is)
METAL_SHIM_TRAIT(is_signed, metal_shim::scalar<T>::sign)
METAL_SHIM_TRAIT(is_unsigned, metal_shim::scalar<T>::is && !metal_shim::scalar<T>::sign)
template <class T> struct make_unsigned {
    using type = metal_shim::unsigned_of<T>;
};
template <class T> using make_unsigned_t = typename make_unsigned<T>::type;
}  // namespace metal
