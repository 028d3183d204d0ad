// Textures and samplers (MSL 2.8, 2.9, 6.12): reads and writes of texels, their extents, samples of
// one level. A texel is four numbers of 32 bits. A texel that is not there ends the program.
#pragma once
#pragma clang system_header
#include "relational.h"
#include "run.h"

namespace metal {
enum class access { sample, read, write, read_write };
enum class coord { normalized, pixel };
enum class filter { nearest, linear };
enum class mag_filter { nearest, linear };
enum class min_filter { nearest, linear };
enum class mip_filter { none, nearest, linear };
enum class address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class s_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class t_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };
enum class r_address { clamp_to_zero, clamp_to_edge, repeat, mirrored_repeat, clamp_to_border };

// Both filters are one here: the one for magnification.
class sampler {
public:
    constexpr sampler() = default;
    template <class A, class... R> constexpr explicit sampler(A a, R... r) : sampler(r...) { set(a); }
    bool is_linear_() const { return linear_ != 0; }
    bool is_pixel_() const { return pixel_ != 0; }
    int address_(int k) const { return k == 0 ? s_ : k == 1 ? t_ : r_; }

private:
    constexpr void set(coord a) { pixel_ = a == coord::pixel; }
    constexpr void set(filter a) { linear_ = a == filter::linear; }
    constexpr void set(mag_filter a) { linear_ = a == mag_filter::linear; }
    constexpr void set(min_filter) {}
    constexpr void set(mip_filter) {}
    constexpr void set(address a) { s_ = t_ = r_ = int(a); }
    constexpr void set(s_address a) { s_ = int(a); }
    constexpr void set(t_address a) { t_ = int(a); }
    constexpr void set(r_address a) { r_ = int(a); }
    int pixel_ = 0, linear_ = 0;
    int s_ = 1, t_ = 1, r_ = 1;
};
struct level {
    explicit constexpr level(float l) : lod(l) {}
    float lod;
};
}  // namespace metal

namespace metal_shim {
using metal::access;
template <class T> constexpr bool texel() {
    return scalar<T>::is && !scalar<T>::truth && sizeof(T) >= 2 && sizeof(T) <= 4;
}
constexpr bool reads(access a) { return a != access::write; }
constexpr bool writes(access a) { return a == access::write || a == access::read_write; }
inline uint at_level(uint extent, uint level) { return metal::max(extent >> level, 1u); }

// What all textures are made of. `place` is a texel's column, row and slice, `layer` its layer.
template <class T> class image {
public:
    image() = default;
    explicit image(const __generic metal_shim_image* of) : of_(of) {}

protected:
    static_assert(texel<T>(), "no texture has such texels");
    const __generic metal_shim_image* of_;

    uint extent(int k, uint lod) const {
        if (lod >= of_->levels) metal_shim_fail("a level that a texture does not have");
        return at_level(k == 0 ? of_->width : k == 1 ? of_->height : of_->depth, lod);
    }
    __generic uint* at(metal::vec<uint, 3> place, uint layer, uint lod) const {
        ulong before = 0, all = 0;
        for (uint l = 0; l < of_->levels; l++) {
            const ulong size = ulong(at_level(of_->width, l)) * at_level(of_->height, l) * at_level(of_->depth, l);
            before += l < lod ? size : 0;
            all += size;
        }
        const uint w = extent(0, lod), h = extent(1, lod), d = extent(2, lod);
        if (place[0] >= w || place[1] >= h || place[2] >= d || layer >= of_->layers) {
            metal_shim_fail("a texel that a texture does not have");
        }
        const ulong number = layer * all + before + (ulong(place[2]) * h + place[1]) * w + place[0];
        return (__generic uint*)(__private uint*)of_->texels + number * 4;
    }
    metal::vec<T, 4> get(metal::vec<uint, 3> place, uint layer, uint lod) const {
        const __generic uint* from = at(place, layer, lod);
        metal::vec<T, 4> r;
        for (int i = 0; i < 4; i++) {
            if constexpr (scalar<T>::real) r.data_[i] = T(__builtin_bit_cast(float, from[i]));
            else r.data_[i] = T(from[i]);
        }
        return r;
    }
    void put(metal::vec<T, 4> value, metal::vec<uint, 3> place, uint layer, uint lod) const {
        __generic uint* to = at(place, layer, lod);
        for (int i = 0; i < 4; i++) {
            if constexpr (scalar<T>::real) to[i] = __builtin_bit_cast(uint, float(value.data_[i]));
            else to[i] = uint(value.data_[i]);
        }
    }
    // The texel beside an edge, or nothing.
    int addressed(int i, int size, int how) const {
        if (i >= 0 && i < size) return i;
        if (how == 1) return i < 0 ? 0 : size - 1;
        if (how == 2) return ((i % size) + size) % size;
        if (how != 3) return -1;
        const int k = ((i % (2 * size)) + 2 * size) % (2 * size);
        return k < size ? k : 2 * size - 1 - k;
    }
    template <int N>
    metal::vec<T, 4> sampled(metal::sampler s, metal::vec<float, N> where, uint layer, float lod) const {
        const uint level = uint(metal::clamp(metal::round(lod), 0.0f, float(of_->levels - 1)));
        int first[3] = {};
        float part[3] = {};
        for (int k = 0; k < N; k++) {
            const float at = s.is_pixel_() ? where.data_[k] : where.data_[k] * float(extent(k, level));
            const float base = metal::floor(s.is_linear_() ? at - 0.5f : at);
            first[k] = int(base);
            part[k] = s.is_linear_() ? at - 0.5f - base : 0.0f;
        }
        metal::vec<T, 4> sum(T(0));
        for (int corner = 0; corner < (s.is_linear_() ? 1 << N : 1); corner++) {
            float weight = 1;
            metal::vec<uint, 3> place(0u);
            bool there = true;
            for (int k = 0; k < N; k++) {
                const int step = corner >> k & 1;
                const int i = addressed(first[k] + step, int(extent(k, level)), s.address_(k));
                weight *= step ? part[k] : 1 - part[k];
                there = there && i >= 0;
                place[k] = uint(metal::max(i, 0));
            }
            if (!there) continue;
            const metal::vec<T, 4> texel = get(place, layer, level);
            for (int i = 0; i < 4; i++) {
                const float part_of_it = float(texel.data_[i]) * weight;
                sum.data_[i] = s.is_linear_() ? T(float(sum.data_[i]) + part_of_it) : texel.data_[i];
            }
        }
        return sum;
    }
};
template <class... A> metal::vec<uint, 3> place_of(A... a) {
    const uint all[3] = {uint(a)...};
    return metal::vec<uint, 3>(all[0], all[1], all[2]);
}
inline metal::vec<uint, 3> place_of(metal::vec<uint, 2> a) { return metal::vec<uint, 3>(a, 0u); }
inline metal::vec<uint, 3> place_of(metal::vec<uint, 3> a) { return a; }
}  // namespace metal_shim

// Methods for access that allows them. LAYER stands in lists of parameters and of arguments.
#define METAL_SHIM_READS template <access B = a, enable_if_t<metal_shim::reads(B), int> = 0>
#define METAL_SHIM_WRITES template <access B = a, enable_if_t<metal_shim::writes(B), int> = 0>
#define METAL_SHIM_SAMPLES template <access B = a, enable_if_t<B == access::sample, int> = 0>
#define METAL_SHIM_TEXELS(C, S, PARAM, LAYER)                                            \
    METAL_SHIM_READS vec<T, 4> read(C c PARAM, uint lod = 0) const {                     \
        return this->get(metal_shim::place_of(c), LAYER, lod);                           \
    }                                                                                    \
    METAL_SHIM_READS vec<T, 4> read(S c PARAM, ushort lod = 0) const {                   \
        return this->get(metal_shim::place_of(C(c)), LAYER, lod);                        \
    }                                                                                    \
    METAL_SHIM_WRITES void write(vec<T, 4> v, C c PARAM, uint lod = 0) const {           \
        this->put(v, metal_shim::place_of(c), LAYER, lod);                               \
    }                                                                                    \
    METAL_SHIM_WRITES void write(vec<T, 4> v, S c PARAM, ushort lod = 0) const {         \
        this->put(v, metal_shim::place_of(C(c)), LAYER, lod);                            \
    }                                                                                    \
    uint get_num_mip_levels() const { return this->of_->levels; }                        \
    void fence() const {}
#define METAL_SHIM_SAMPLED(N, PARAM, LAYER)                                              \
    METAL_SHIM_SAMPLES vec<T, 4> sample(sampler s, vec<float, N> where PARAM) const {    \
        return this->sampled(s, where, LAYER, 0);                                        \
    }                                                                                    \
    METAL_SHIM_SAMPLES vec<T, 4> sample(sampler s, vec<float, N> where PARAM, level l) const { \
        return this->sampled(s, where, LAYER, l.lod);                                    \
    }
#define METAL_SHIM_EXTENT(name, k) \
    uint name(uint lod = 0) const { return this->extent(k, lod); }
#define METAL_SHIM_TEXTURE(name)                                                         \
    template <class T, access a = access::sample> struct name : metal_shim::image<T> {   \
        name() = default;                                                                \
        explicit name(const __generic metal_shim_image* of) : metal_shim::image<T>(of) {}

namespace metal {
METAL_SHIM_TEXTURE(texture1d)
    METAL_SHIM_TEXELS(uint, ushort, , 0)
    METAL_SHIM_EXTENT(get_width, 0)
};
METAL_SHIM_TEXTURE(texture2d)
    METAL_SHIM_TEXELS(uint2, ushort2, , 0)
    METAL_SHIM_SAMPLED(2, , 0)
    METAL_SHIM_EXTENT(get_width, 0)
    METAL_SHIM_EXTENT(get_height, 1)
};
#define METAL_SHIM_LAYER , uint layer
METAL_SHIM_TEXTURE(texture2d_array)
    METAL_SHIM_TEXELS(uint2, ushort2, METAL_SHIM_LAYER, layer)
    METAL_SHIM_SAMPLED(2, METAL_SHIM_LAYER, layer)
    METAL_SHIM_EXTENT(get_width, 0)
    METAL_SHIM_EXTENT(get_height, 1)
    uint get_array_size() const { return this->of_->layers; }
};
METAL_SHIM_TEXTURE(texture3d)
    METAL_SHIM_TEXELS(uint3, ushort3, , 0)
    METAL_SHIM_SAMPLED(3, , 0)
    METAL_SHIM_EXTENT(get_width, 0)
    METAL_SHIM_EXTENT(get_height, 1)
    METAL_SHIM_EXTENT(get_depth, 2)
};
}  // namespace metal

namespace metal_shim {
#define METAL_SHIM_BECOMES(name) \
    template <class T, access a> operator metal::name<T, a>() const { return metal::name<T, a>(image()); }
struct texture_argument {
    ulong at;
    METAL_SHIM_BECOMES(texture1d)
    METAL_SHIM_BECOMES(texture2d)
    METAL_SHIM_BECOMES(texture2d_array)
    METAL_SHIM_BECOMES(texture3d)
    const __generic metal_shim_image* image() const {
        return (const __generic metal_shim_image*)(const __private metal_shim_image*)at;
    }
};
// A sampler of the host: its filter and its address mode, as `cases.py` writes them.
struct sampler_argument {
    ulong bits;
    operator metal::sampler() const {
        return metal::sampler(bits & 1 ? metal::filter::linear : metal::filter::nearest,
                              bits & 2 ? metal::coord::pixel : metal::coord::normalized, metal::address(bits >> 2 & 7));
    }
};
}  // namespace metal_shim
