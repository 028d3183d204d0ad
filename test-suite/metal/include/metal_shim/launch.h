// What becomes the arguments of a kernel: values that turn into whatever the parameter is. Only
// the launcher that `msl.py` writes behind a text uses it.
#pragma once
#pragma clang system_header
#include "texture.h"

// Function constants (MSL 5.8.1): which of them have values, and which values, the launcher says.
extern "C" float metal_shim_given(int index);
extern "C" bool metal_shim_is_given(int index);

namespace metal_shim {
// A constant of the program: clang has these in global memory alone, see `tokens.for_clang`.
template <class T> constexpr constant T& as_constant(const __global T& x) { return (constant T&)x; }
struct constant_argument {
    int index;
    template <class T> operator T() const { return T(metal_shim_given(index)); }
};
struct buffer_argument {
    ulong at;
    template <class T> operator device T*() const { return (device T*)at; }
    template <class T> operator constant T*() const { return (constant T*)at; }
    template <class T> operator device T&() const { return *(device T*)at; }
    template <class T> operator constant T&() const { return *(constant T*)at; }
    template <class T> operator __local T*() const { return (__local T*)at; }
    template <class T> operator __local T&() const { return *(__local T*)at; }
};
struct coordinate_argument {
    uint x, y, z;
    explicit coordinate_argument(const __private uint* at) : x(at[0]), y(at[1]), z(at[2]) {}
    operator uint() const { return x; }
    operator ushort() const { return ushort(x); }
    operator metal::vec<uint, 2>() const { return metal::vec<uint, 2>(x, y); }
    operator metal::vec<ushort, 2>() const { return metal::vec<ushort, 2>(ushort(x), ushort(y)); }
    operator metal::vec<uint, 3>() const { return metal::vec<uint, 3>(x, y, z); }
    operator metal::vec<ushort, 3>() const {
        return metal::vec<ushort, 3>(ushort(x), ushort(y), ushort(z));
    }
};
}  // namespace metal_shim

// MSL 5.8.1: of a function constant.
#define is_function_constant_defined(name) metal_shim_defined_##name
