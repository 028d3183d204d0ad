// The words of the Metal Shading Language as C++ for OpenCL 2021 has them, and what the other
// headers need of type traits.
// `constant` is a constant part of global memory, where `device` is, so that values are
// copied out of every address space. What is thereby open, the way from `constant` to `device
// const`, is closed by `tree.py`. Methods may have the words of all spaces but `constant`. See
// README.md.
#pragma once
#pragma clang system_header
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION __cl_clang_non_portable_kernel_param_types : enable

// Address spaces, MSL 4.1 to 4.4, and function qualifiers, 5.1.
#define METAL_SHIM_GENERIC __generic
#define device __global
#define constant const __attribute__((opencl_global_device))
#define threadgroup __local
#define thread __private
#define kernel __kernel
#define vertex METAL_SHIM_no_graphics_here
#define fragment METAL_SHIM_no_graphics_here

// Words of OpenCL that Metal does not have are names.
#define global metal_name_global
#define local metal_name_local
#define generic metal_name_generic
#define read_only metal_name_read_only
#define write_only metal_name_write_only
#define read_write metal_name_read_write
#define pipe metal_name_pipe
#define uniform metal_name_uniform
#define atomic_int metal_atomic_int
#define atomic_uint metal_atomic_uint
#define atomic_long metal_atomic_long
#define atomic_ulong metal_atomic_ulong
#define atomic_float metal_atomic_float
#define atomic_bool metal_atomic_bool
#define atomic_double metal_name_atomic_double
#define atomic_flag metal_name_atomic_flag
#define atomic_size_t metal_name_atomic_size_t
#define atomic_ptrdiff_t metal_name_atomic_ptrdiff_t
#define atomic_intptr_t metal_name_atomic_intptr_t
#define atomic_uintptr_t metal_name_atomic_uintptr_t
#define memory_order metal_memory_order
#define memory_order_relaxed metal_memory_order_relaxed
#define event_t metal_name_event_t
#define sampler_t metal_name_sampler_t
#define queue_t metal_name_queue_t
#define clk_event_t metal_name_clk_event_t
#define reserve_id_t metal_name_reserve_id_t
#define image1d_t metal_name_image1d_t
#define image1d_array_t metal_name_image1d_array_t
#define image1d_buffer_t metal_name_image1d_buffer_t
#define image2d_t metal_name_image2d_t
#define image2d_array_t metal_name_image2d_array_t
#define image2d_depth_t metal_name_image2d_depth_t
#define image2d_array_depth_t metal_name_image2d_array_depth_t
#define image2d_msaa_t metal_name_image2d_msaa_t
#define image3d_t metal_name_image3d_t
#define vec_step metal_name_vec_step

#define __METAL__ 1
#define __METAL_VERSION__ 310
#define __HAVE_SIMDGROUP__ 1

// Numbers, MSL 6.5 and 6.6.
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_inff()
#define HUGE_VALH ((half)__builtin_inff())
#define MAXFLOAT 0x1.fffffep127f
#define MAXHALF ((half)65504.0f)
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define HALF_MAX 0x1.ffcp15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#define M_E_F 2.71828182845904523536028747135266250f
#define M_LOG2E_F 1.44269504088896340735992468100189214f
#define M_LOG10E_F 0.434294481903251827651128918916605082f
#define M_LN2_F 0.693147180559945309417232121458176568f
#define M_LN10_F 2.30258509299404568401799145468436421f
#define M_PI_F 3.14159265358979323846264338327950288f
#define M_PI_2_F 1.57079632679489661923132169163975144f
#define M_PI_4_F 0.785398163397448309615660845819875721f
#define M_1_PI_F 0.318309886183790671537767526745028724f
#define M_2_PI_F 0.636619772367581343075535053490057448f
#define M_2_SQRTPI_F 1.12837916709551257389615890312154517f
#define M_SQRT2_F 1.41421356237309504880168872420969808f
#define M_SQRT1_2_F 0.707106781186547524400844362104849039f
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL

namespace metal {
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using int8_t = char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;
using size_t = unsigned long;
using ptrdiff_t = long;

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
    using type = T;
};
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
template <bool B, class T, class F> struct conditional {
    using type = T;
};
template <class T, class F> struct conditional<false, T, F> {
    using type = F;
};
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class T, class U> inline constexpr const __global bool is_same_v = __is_same(T, U);
template <class T, class U> struct is_same {
    enum : bool { value = __is_same(T, U) };
};
template <class T> struct remove_cv {
    using type = __remove_cv(T);
};
template <class T> using remove_cv_t = typename remove_cv<T>::type;
}  // namespace metal

// MSL 2.1: words of the language itself.
using metal::uchar;
using metal::uint;
using metal::ulong;
using metal::ushort;
using metal::size_t;
using metal::ptrdiff_t;

extern "C" void metal_shim_fail(const __constant char* why);

namespace metal_shim {
using metal::enable_if_t;
// An index, which clang does not check where a reference is made.
constexpr size_t inside(size_t i, size_t end) {
    if (i >= end) metal_shim_fail("an index is out of its array's bounds");
    return i;
}
using metal::conditional_t;

template <class T> struct scalar {
    enum : int { is = 0, real = 0, truth = 0, sign = 0, bits = 0 };
};
#define METAL_SHIM_SCALAR(T, REAL, TRUTH, SIGN, U)                                       \
    template <> struct scalar<T> {                                                       \
        enum : int { is = 1, real = REAL, truth = TRUTH, sign = SIGN, bits = sizeof(T) * 8 }; \
        using unsigned_type = U;                                                         \
    };
METAL_SHIM_SCALAR(bool, 0, 1, 0, bool)
METAL_SHIM_SCALAR(char, 0, 0, 1, uchar)
METAL_SHIM_SCALAR(signed char, 0, 0, 1, uchar)
METAL_SHIM_SCALAR(uchar, 0, 0, 0, uchar)
METAL_SHIM_SCALAR(short, 0, 0, 1, ushort)
METAL_SHIM_SCALAR(ushort, 0, 0, 0, ushort)
METAL_SHIM_SCALAR(int, 0, 0, 1, uint)
METAL_SHIM_SCALAR(uint, 0, 0, 0, uint)
METAL_SHIM_SCALAR(long, 0, 0, 1, ulong)
METAL_SHIM_SCALAR(ulong, 0, 0, 0, ulong)
METAL_SHIM_SCALAR(half, 1, 0, 1, ushort)
METAL_SHIM_SCALAR(float, 1, 0, 1, uint)
template <class T> using unsigned_of = typename scalar<T>::unsigned_type;
template <class T> constexpr bool is_integer() { return scalar<T>::is && !scalar<T>::real && !scalar<T>::truth; }
template <class T, class U> constexpr bool differs_in_sign() {
    return is_integer<T>() && is_integer<U>() && !__is_same(T, U) && sizeof(T) == sizeof(U);
}
// Where a scalar stands for a vector by itself: a real number never becomes an integer so.
template <class From, class To> constexpr bool widens() {
    return scalar<From>::is && (scalar<To>::real || !scalar<From>::real);
}
// What stands for an operand of `?:`, see `choices.py`.
template <class T> constexpr T value_of(T a) { return a; }
}  // namespace metal_shim
