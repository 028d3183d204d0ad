// Components and swizzles of vectors (MSL 2.2.1) as properties: they are values that can be
// assigned, of which there is no address and no reference. Each component has two names.
#pragma once
#pragma clang system_header

enum { METAL_SHIM_x, METAL_SHIM_y, METAL_SHIM_z, METAL_SHIM_w };
#define METAL_SHIM_I(a) int(METAL_SHIM_##a)
#define METAL_SHIM_SW1(a, ra)                                                            \
    constexpr T get_##a() const { return data_[METAL_SHIM_I(a)]; }                       \
    constexpr void put_##a(T v) { data_[METAL_SHIM_I(a)] = v; }                          \
    __declspec(property(get = get_##a, put = put_##a)) T a;                              \
    __declspec(property(get = get_##a, put = put_##a)) T ra;
#define METAL_SHIM_SW2(b, rb, a, ra)                                                     \
    constexpr vec<T, 2> get_##a##b() const { return vec<T, 2>(get_##a(), get_##b()); }   \
    constexpr void put_##a##b(vec<T, 2> v) {                                             \
        static_assert(sizeof(T) != 0 && METAL_SHIM_I(a) != METAL_SHIM_I(b),                \
                      "a component is assigned twice");                                  \
        put_##a(v.get_x());                                                              \
        put_##b(v.get_y());                                                              \
    }                                                                                    \
    __declspec(property(get = get_##a##b, put = put_##a##b)) vec<T, 2> a##b;             \
    __declspec(property(get = get_##a##b, put = put_##a##b)) vec<T, 2> ra##rb;
#define METAL_SHIM_SW3(c, rc, b, rb, a, ra)                                              \
    constexpr vec<T, 3> get_##a##b##c() const { return vec<T, 3>(get_##a(), get_##b(), get_##c()); } \
    constexpr void put_##a##b##c(vec<T, 3> v) {                                          \
        static_assert(sizeof(T) != 0 && METAL_SHIM_I(a) != METAL_SHIM_I(b) &&              \
                          METAL_SHIM_I(b) != METAL_SHIM_I(c) && METAL_SHIM_I(a) != METAL_SHIM_I(c), \
                      "a component is assigned twice");                                  \
        put_##a(v.get_x());                                                              \
        put_##b(v.get_y());                                                              \
        put_##c(v.get_z());                                                              \
    }                                                                                    \
    __declspec(property(get = get_##a##b##c, put = put_##a##b##c)) vec<T, 3> a##b##c;    \
    __declspec(property(get = get_##a##b##c, put = put_##a##b##c)) vec<T, 3> ra##rb##rc;
#define METAL_SHIM_SW4(d, rd, c, rc, b, rb, a, ra)                                       \
    constexpr vec<T, 4> get_##a##b##c##d() const {                                       \
        return vec<T, 4>(get_##a(), get_##b(), get_##c(), get_##d());                    \
    }                                                                                    \
    constexpr void put_##a##b##c##d(vec<T, 4> v) {                                       \
        static_assert(sizeof(T) != 0 && ((1 << METAL_SHIM_I(a)) | (1 << METAL_SHIM_I(b)) |  \
                                       (1 << METAL_SHIM_I(c)) | (1 << METAL_SHIM_I(d))) == 15, \
                      "a component is assigned twice");                                  \
        put_##a(v.get_x());                                                              \
        put_##b(v.get_y());                                                              \
        put_##c(v.get_z());                                                              \
        put_##d(v.get_w());                                                              \
    }                                                                                    \
    __declspec(property(get = get_##a##b##c##d, put = put_##a##b##c##d)) vec<T, 4> a##b##c##d; \
    __declspec(property(get = get_##a##b##c##d, put = put_##a##b##c##d)) vec<T, 4> ra##rb##rc##rd;

// All words of up to four letters; a macro for each depth, as none calls itself.
#define METAL_SHIM_A2(...) METAL_SHIM_SW4(x, r, __VA_ARGS__) METAL_SHIM_SW4(y, g, __VA_ARGS__)
#define METAL_SHIM_B2(...) METAL_SHIM_SW3(__VA_ARGS__) METAL_SHIM_A2(__VA_ARGS__)
#define METAL_SHIM_C2(...) \
    METAL_SHIM_B2(x, r, __VA_ARGS__) \
    METAL_SHIM_B2(y, g, __VA_ARGS__)
#define METAL_SHIM_D2(...) METAL_SHIM_SW2(__VA_ARGS__) METAL_SHIM_C2(__VA_ARGS__)
#define METAL_SHIM_E2(...) \
    METAL_SHIM_D2(x, r, __VA_ARGS__) \
    METAL_SHIM_D2(y, g, __VA_ARGS__)
#define METAL_SHIM_SWIZZLES_2 \
    METAL_SHIM_SW1(x, r) \
    METAL_SHIM_SW1(y, g) \
    METAL_SHIM_E2(x, r) \
    METAL_SHIM_E2(y, g)
#define METAL_SHIM_A3(...) METAL_SHIM_A2(__VA_ARGS__) METAL_SHIM_SW4(z, b, __VA_ARGS__)
#define METAL_SHIM_B3(...) METAL_SHIM_SW3(__VA_ARGS__) METAL_SHIM_A3(__VA_ARGS__)
#define METAL_SHIM_C3(...) \
    METAL_SHIM_B3(x, r, __VA_ARGS__) \
    METAL_SHIM_B3(y, g, __VA_ARGS__) \
    METAL_SHIM_B3(z, b, __VA_ARGS__)
#define METAL_SHIM_D3(...) METAL_SHIM_SW2(__VA_ARGS__) METAL_SHIM_C3(__VA_ARGS__)
#define METAL_SHIM_E3(...) \
    METAL_SHIM_D3(x, r, __VA_ARGS__) \
    METAL_SHIM_D3(y, g, __VA_ARGS__) \
    METAL_SHIM_D3(z, b, __VA_ARGS__)
#define METAL_SHIM_SWIZZLES_3 \
    METAL_SHIM_SW1(x, r) \
    METAL_SHIM_SW1(y, g) \
    METAL_SHIM_SW1(z, b) \
    METAL_SHIM_E3(x, r) \
    METAL_SHIM_E3(y, g) \
    METAL_SHIM_E3(z, b)
#define METAL_SHIM_A4(...) METAL_SHIM_A3(__VA_ARGS__) METAL_SHIM_SW4(w, a, __VA_ARGS__)
#define METAL_SHIM_B4(...) METAL_SHIM_SW3(__VA_ARGS__) METAL_SHIM_A4(__VA_ARGS__)
#define METAL_SHIM_C4(...) \
    METAL_SHIM_B4(x, r, __VA_ARGS__) \
    METAL_SHIM_B4(y, g, __VA_ARGS__) \
    METAL_SHIM_B4(z, b, __VA_ARGS__) \
    METAL_SHIM_B4(w, a, __VA_ARGS__)
#define METAL_SHIM_D4(...) METAL_SHIM_SW2(__VA_ARGS__) METAL_SHIM_C4(__VA_ARGS__)
#define METAL_SHIM_E4(...) \
    METAL_SHIM_D4(x, r, __VA_ARGS__) \
    METAL_SHIM_D4(y, g, __VA_ARGS__) \
    METAL_SHIM_D4(z, b, __VA_ARGS__) \
    METAL_SHIM_D4(w, a, __VA_ARGS__)
#define METAL_SHIM_SWIZZLES_4 \
    METAL_SHIM_SW1(x, r) \
    METAL_SHIM_SW1(y, g) \
    METAL_SHIM_SW1(z, b) \
    METAL_SHIM_SW1(w, a) \
    METAL_SHIM_E4(x, r) \
    METAL_SHIM_E4(y, g) \
    METAL_SHIM_E4(z, b) \
    METAL_SHIM_E4(w, a)
