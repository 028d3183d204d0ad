//! CUDA C++: what it has besides C++17, and the header that a program gets as much of as it uses.
//!
//! The text needs no headers, so that NVRTC takes it as it is. What is the same in C++ is C++'s
//! snippet with [`REWRITES`].

use super::{Language, Snippet, Threads, cpp};
use crate::tree::Id;

pub static LANGUAGE: Language = Language {
    name: "cuda",
    spelled: |row| row.cpp,
    column: |row| row.cuda,
    threads: Threads::Device,
    function: "__device__ ",
    inline: "__device__ inline ",
    printf: "printf",
    id,
    rewrites: REWRITES,
    reserved: &[cpp::WORDS, cpp::HEADERS, WORDS],
    // `nvcc` includes headers of C and of CUDA by itself, and NVRTC declares as much of them.
    macros: &[cpp::MACROS, include_str!("macros.txt")],
    globals: &[cpp::GLOBALS, include_str!("globals.txt")],
    scalar: cpp::LANGUAGE.scalar,
    suffix: cpp::LANGUAGE.suffix,
    snippets: SNIPPETS,
    vector: cpp::LANGUAGE.vector,
    requires: &["-std=c++17", "--fmad=false"],
    lines: Some(&[]),
    shader: None,
};

/// What C++'s snippets become: functions are the device's, a vector is written by `at`, and there
/// are no headers.
const REWRITES: &[(&str, &str)] = &[
    ("$fn ", "__device__ "),
    ("r[i] = ", "r.at(i) = "),
    ("std::numeric_limits", "limits"),
    ("std::signbit", "is_negative"),
    ("std::memcpy", "memcpy"),
    ("std::", "::"),
];

/// What is declared without a header.
const WORDS: &[&str] = &[
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "uint3",
    "dim3",
    "printf",
    "memcpy",
    "memset",
    "malloc",
    "free",
    "atomicAdd",
    "atomicCAS",
    "atomicExch",
    "atomicMin",
    "atomicMax",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
];

/// How a thread knows who it is.
fn id(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::Thread => "threadIdx",
        Id::Group => "blockIdx",
        Id::GroupSize => "blockDim",
        Id::Groups => "gridDim",
        Id::Global | Id::Number | Id::Lane | Id::Wave | Id::Waves => return None,
    })
}

macro_rules! snippets {
    ( $( $id:literal needs [$($need:literal),*] names [$($name:literal),*] $text:expr; )* ) => {
        const SNIPPETS: &[Snippet] = &[ $( Snippet { id: $id, needs: &[$($need),*], names: &[$($name),*], text: $text } ),* ];
    };
}

/// A snippet of C++.
macro_rules! cpp {
    ($name:literal) => {
        include_str!(concat!("../cpp/", $name, ".h"))
    };
}

/// A function of `double`, which halves take, and one of `float`.
macro_rules! math {
    ($name:literal) => {
        math!($name, $name)
    };
    ($name:literal, $of:literal) => {
        concat!(
            "template <class T> $fn T ",
            $name,
            "(T x) { return T(::",
            $of,
            "(double(x))); }\n",
            "$fn inline float ",
            $name,
            "(float x) { return ::",
            $of,
            "f(x); }\n"
        )
    };
}

/// One of two numbers.
macro_rules! math2 {
    ($name:literal) => {
        concat!(
            "template <class T> $fn T ",
            $name,
            "(T x, T y) { return T(::",
            $name,
            "(double(x), double(y))); }\n",
            "$fn inline float ",
            $name,
            "(float x, float y) { return ::",
            $name,
            "f(x, y); }\n"
        )
    };
}

/// An atomic update by an instruction.
macro_rules! native {
    ($name:literal, $of:literal) => {
        native!($name, $of, "type")
    };
    ($name:literal, $of:literal, $as:literal) => {
        concat!(
            "template <class T> $fn T ",
            $name,
            "(T& at, T value) {\n    using N = typename native<T>::",
            $as,
            ";\n",
            "    return is_lost(at) ? T{} : T(",
            $of,
            "(reinterpret_cast<N*>(&at), N(value)));\n}\n"
        )
    };
}

/// A reduction of integers of 32 bits: one instruction where there is one.
macro_rules! reduction {
    ($name:literal, $of:literal, $combined:literal) => {
        concat!(
            "template <class T> $fn T ",
            $name,
            "(uint mask, T value) {\n#if __CUDA_ARCH__ >= 800\n    return ",
            $of,
            "(mask, value);\n#else\n    return wave_fold<T>(mask, value, 32, value, [](T a, T b) { return T(",
            $combined,
            "); });\n#endif\n}\n"
        )
    };
}

snippets! {
    "numbers" needs [] names [] include_str!("numbers.h");
    "uint" needs [] names [] "";
    "limits" needs [] names ["limits", "integers"] include_str!("limits.h");
    "is_negative" needs [] names ["is_negative"] "$fn inline bool is_negative(float x) { return __float_as_int(x) < 0; }\n";
    "half" needs [] names [] cpp!("half");
    "nowhere" needs [] names ["nothing", "unwritten", "nowhere", "lost"] include_str!("nowhere.h");
    "vec" needs ["nowhere"] names ["vec"] include_str!("vec.h");
    "map" needs ["vec"] names ["map"] cpp!("map");
    "splat" needs ["vec"] names ["splat", "filled"] cpp!("splat");
    "convert" needs ["map"] names ["convert"] cpp!("convert");
    "select" needs ["vec"] names ["select"] cpp!("select");
    "array" needs ["nowhere"] names ["array"] include_str!("array.h");
    "wrap" needs [] names ["add", "sub", "mul"] cpp!("wrap");
    "small" needs [] names ["bits_and", "bits_or", "bits_xor"] cpp!("small");
    "div" needs [] names ["div"] cpp!("div");
    "mod" needs [] names ["mod"] cpp!("mod");
    "shift" needs [] names ["shl", "shr"] cpp!("shift");
    "min" needs ["limits", "is_negative"] names ["min"] cpp!("min");
    "max" needs ["limits", "is_negative"] names ["max"] cpp!("max");
    "minimum" needs ["min"] names ["minimum"] "template <class T> $fn T minimum(T a, T b) { return a != a ? a : b != b ? b : min(a, b); }\n";
    "maximum" needs ["max"] names ["maximum"] "template <class T> $fn T maximum(T a, T b) { return a != a ? a : b != b ? b : max(a, b); }\n";
    "fmod" needs [] names ["fmod"] math2!("fmod");
    "saturate" needs ["limits"] names ["saturate_to"] cpp!("saturate");
    "bits_as" needs [] names ["bits_as"] cpp!("bits_as");
    "strong_mul" needs [] names ["strong_mul"] cpp!("strong_mul");
    "gated_mul" needs [] names ["gated_mul"] cpp!("gated_mul");
    "abs" needs ["limits"] names ["abs"] cpp!("abs");
    "sqrt" needs [] names ["sqrt"] math!("sqrt");
    "rsqrt" needs [] names ["rsqrt"] "template <class T> $fn T rsqrt(T x) { return T(1.0 / ::sqrt(double(x))); }\n$fn inline float rsqrt(float x) { return ::rsqrtf(x); }\n";
    "cbrt" needs [] names ["cbrt"] math!("cbrt");
    "sin" needs [] names ["sin"] math!("sin");
    "cos" needs [] names ["cos"] math!("cos");
    "tan" needs [] names ["tan"] math!("tan");
    "asin" needs [] names ["asin"] math!("asin");
    "acos" needs [] names ["acos"] math!("acos");
    "atan" needs [] names ["atan"] math!("atan");
    "sinh" needs [] names ["sinh"] math!("sinh");
    "cosh" needs [] names ["cosh"] math!("cosh");
    "tanh" needs [] names ["tanh"] math!("tanh");
    "asinh" needs [] names ["asinh"] math!("asinh");
    "acosh" needs [] names ["acosh"] math!("acosh");
    "atanh" needs [] names ["atanh"] math!("atanh");
    "exp" needs [] names ["exp"] math!("exp");
    "exp2" needs [] names ["exp2"] math!("exp2");
    "expm1" needs [] names ["expm1"] math!("expm1");
    "log" needs [] names ["log"] math!("log");
    "log2" needs [] names ["log2"] math!("log2");
    "log10" needs [] names ["log10"] math!("log10");
    "log1p" needs [] names ["log1p"] math!("log1p");
    "floor" needs [] names ["floor"] math!("floor");
    "ceil" needs [] names ["ceil"] math!("ceil");
    "trunc" needs [] names ["trunc"] math!("trunc");
    "round_away" needs [] names ["round_away"] math!("round_away", "round");
    "round_even" needs [] names ["round_even"] math!("round_even", "rint");
    "atan2" needs [] names ["atan2"] math2!("atan2");
    "pow" needs [] names ["pow"] math2!("pow");
    "copysign" needs [] names ["copysign"] math2!("copysign");
    "fma" needs [] names ["fma"] include_str!("fma.h");
    "popcount" needs [] names ["popcount"] "template <class T> $fn T popcount(T x) { return T(__popcll(x)); }\n";
    "leading_zeros" needs [] names ["leading_zeros"] "template <class T> $fn T leading_zeros(T x) { return T(x == 0 ? 8 * sizeof(T) : uint64_t(__clzll(int64_t(x))) - (64 - 8 * sizeof(T))); }\n";
    "trailing_zeros" needs [] names ["trailing_zeros"] "template <class T> $fn T trailing_zeros(T x) { return T(x == 0 ? 8 * sizeof(T) : uint64_t(__ffsll(int64_t(x))) - 1); }\n";
    "put" needs [] names ["put", "loaded"] "";
    "is_set" needs [] names ["is_set"] cpp!("is_set");
    "buffer" needs ["nowhere"] names ["Buffer"] include_str!("buffer.h");
    "trusting_buffer" needs [] names ["Buffer"] include_str!("trusting_buffer.h");
    "bytes" needs ["nowhere"] names ["Bytes", "is_aligned", "load", "store", "update", "element", "within", "whole"] include_str!("bytes.h");
    "texture" needs ["vec", "half", "saturate"] names ["Texture", "Sampler", "component", "texel_at", "texel_part", "texel_component", "texel_reader", "texel_load", "texel_write", "texel_value", "texel_store", "texel_number"] cpp!("texture");
    "retyped" needs ["buffer"] names ["retyped"] cpp!("retyped");
    "bytes_of" needs ["bytes", "buffer"] names ["bytes_of"] cpp!("bytes_of");
    "pointee" needs ["bytes"] names ["reached", "pointee"] include_str!("pointee.h");
    "pick" needs [] names ["pick"] cpp!("pick");
    "atomic" needs ["bits_as", "nowhere"] names ["atomic_update", "atomic_cas", "is_lost", "bits_of", "word", "old"] include_str!("atomic.h");
    "native" needs ["atomic"] names ["native"] include_str!("native.h");
    "atomic_add" needs ["native"] names ["atomic_add"] native!("atomic_add", "atomicAdd");
    "atomic_min" needs ["native"] names ["atomic_min"] native!("atomic_min", "atomicMin", "ordered");
    "atomic_max" needs ["native"] names ["atomic_max"] native!("atomic_max", "atomicMax", "ordered");
    "atomic_and" needs ["native"] names ["atomic_and"] native!("atomic_and", "atomicAnd");
    "atomic_or" needs ["native"] names ["atomic_or"] native!("atomic_or", "atomicOr");
    "atomic_xor" needs ["native"] names ["atomic_xor"] native!("atomic_xor", "atomicXor");
    "atomic_exchange" needs ["native"] names ["atomic_exchange"] native!("atomic_exchange", "atomicExch");
    "thread" needs [] names ["thread_index"] include_str!("thread.h");
    "clear" needs ["thread"] names ["clear"] include_str!("clear.h");
    "lanes" needs [] names ["of_lane", "first_lane", "wave_read", "wave_fold"] include_str!("lanes.h");
    "wave_add" needs ["lanes"] names ["wave_add"] reduction!("wave_add", "__reduce_add_sync", "uint(a) + uint(b)");
    "wave_and" needs ["lanes"] names ["wave_and"] reduction!("wave_and", "__reduce_and_sync", "uint(a) & uint(b)");
    "wave_or" needs ["lanes"] names ["wave_or"] reduction!("wave_or", "__reduce_or_sync", "uint(a) | uint(b)");
    "wave_xor" needs ["lanes"] names ["wave_xor"] reduction!("wave_xor", "__reduce_xor_sync", "uint(a) ^ uint(b)");
    "wave_min" needs ["lanes"] names ["wave_min"] reduction!("wave_min", "__reduce_min_sync", "b < a ? b : a");
    "wave_max" needs ["lanes"] names ["wave_max"] reduction!("wave_max", "__reduce_max_sync", "a < b ? b : a");
    "lanes_equal" needs ["lanes", "vec"] names ["is_same", "wave_match", "wave_equal"] include_str!("lanes_equal.h");
    "lane_sums" needs ["lanes_equal"] names ["wave_peers", "wave_sum_of", "wave_sums", "wave_leads", "wave_lead"] include_str!("lane_sums.h");
    "shuffle" needs ["lanes"] names ["wave_reaches", "wave_shuffle"] include_str!("shuffle.h");
}
