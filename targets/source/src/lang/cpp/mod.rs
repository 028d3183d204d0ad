//! C++17: its words and types, and the header that a program gets as much of as it uses.

use super::{Language, Snippet, Threads};
use crate::ops::Column;
use crate::tree::Id;
use caustic_dialects::reflect::Scalar;

pub static LANGUAGE: Language = Language {
    name: "cpp",
    spelled: |row| row.cpp,
    column: |_| Column::AsCpp,
    threads: Threads::Host,
    function: "static ",
    inline: "inline ",
    printf: "std::printf",
    id,
    rewrites: &[("$fn ", "")],
    reserved: &[WORDS, HEADERS],
    macros: &[MACROS],
    globals: &[GLOBALS],
    scalar,
    suffix: |scalar| if scalar == Scalar::F64 { "" } else { "f" },
    snippets: SNIPPETS,
    vector,
    requires: &["-std=c++17", "-ffp-contract=off"],
    lines: Some(&[]),
    shader: None,
};

pub const MACROS: &str = include_str!("macros.txt");
pub const GLOBALS: &str = include_str!("globals.txt");

fn id(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::Thread => "thread.local",
        Id::Group => "thread.group",
        Id::GroupSize => "thread.size",
        Id::Groups => "thread.groups",
        Id::Global => "thread.global",
        Id::Number | Id::Lane | Id::Wave | Id::Waves => return None,
    })
}

fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "int8_t",
        Scalar::I16 => "int16_t",
        Scalar::I32 => "int",
        Scalar::I64 => "int64_t",
        Scalar::U8 => "uint8_t",
        Scalar::U16 => "uint16_t",
        Scalar::U32 => "uint",
        Scalar::U64 => "uint64_t",
        Scalar::F16 => "half",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

fn vector(shape: &[u32], elem: Scalar) -> String {
    match shape {
        [n] => format!("vec<{}, {n}>", scalar(elem)),
        [n, rest @ ..] => format!("vec<{}, {n}>", vector(rest, elem)),
        [] => scalar(elem).to_string(),
    }
}

/// The words of the language, and those that name operators.
pub const WORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "final",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "main",
];

/// Macros and types of the headers that a program includes, and what text of ours names.
pub const HEADERS: &[&str] = &[
    "errno",
    "offsetof",
    "std",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "size_t",
    "intptr_t",
    "uintptr_t",
    "uint",
    "half",
    "assert",
    "linux",
    "unix",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "fpclassify",
    "va_list",
    "arguments",
    "groups_x",
    "groups_y",
    "groups_z",
];

macro_rules! snippets {
    ( $( $id:literal needs [$($need:literal),*] names [$($name:literal),*] $text:expr; )* ) => {
        const SNIPPETS: &[Snippet] = &[ $( Snippet { id: $id, needs: &[$($need),*], names: &[$($name),*], text: $text } ),* ];
    };
}

macro_rules! math {
    ($name:literal) => {
        concat!("template <class T> T ", $name, "(T x) { return T(std::", $name, "(double(x))); }\n")
    };
}

snippets! {
    "uint" needs [] names [] "using uint = uint32_t;\n";
    "half" needs [] names [] include_str!("half.h");
    "nowhere" needs [] names ["nowhere"] include_str!("nowhere.h");
    "vec" needs ["nowhere"] names ["vec"] include_str!("vec.h");
    "map" needs ["vec"] names ["map"] include_str!("map.h");
    "splat" needs ["vec"] names ["splat", "filled"] include_str!("splat.h");
    "convert" needs ["map"] names ["convert"] include_str!("convert.h");
    "select" needs ["vec"] names ["select"] include_str!("select.h");
    "array" needs ["nowhere"] names ["array"] include_str!("array.h");
    "tape" needs [] names ["tape"] include_str!("tape.h");
    "wrap" needs [] names ["add", "sub", "mul"] include_str!("wrap.h");
    "small" needs [] names ["bits_and", "bits_or", "bits_xor"] include_str!("small.h");
    "div" needs [] names ["div"] include_str!("div.h");
    "mod" needs [] names ["mod"] include_str!("mod.h");
    "shift" needs [] names ["shl", "shr"] include_str!("shift.h");
    "min" needs [] names ["min"] include_str!("min.h");
    "max" needs [] names ["max"] include_str!("max.h");
    "minimum" needs ["min"] names ["minimum"] "template <class T> T minimum(T a, T b) { return a != a ? a : b != b ? b : min(a, b); }\n";
    "maximum" needs ["max"] names ["maximum"] "template <class T> T maximum(T a, T b) { return a != a ? a : b != b ? b : max(a, b); }\n";
    "fmod" needs [] names ["fmod"] "template <class T> T fmod(T a, T b) { return T(std::fmod(double(a), double(b))); }\n";
    "saturate" needs [] names ["saturate_to"] include_str!("saturate.h");
    "bits_as" needs [] names ["bits_as"] include_str!("bits_as.h");
    "strong_mul" needs [] names ["strong_mul"] include_str!("strong_mul.h");
    "gated_mul" needs [] names ["gated_mul"] include_str!("gated_mul.h");
    "abs" needs [] names ["abs"] include_str!("abs.h");
    "sqrt" needs [] names ["sqrt"] math!("sqrt");
    "rsqrt" needs [] names ["rsqrt"] "template <class T> T rsqrt(T x) { return T(1.0 / double(T(std::sqrt(double(x))))); }\n";
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
    "asinh" needs [] names ["asinh"] include_str!("asinh.h");
    "acosh" needs [] names ["acosh"] include_str!("acosh.h");
    "atanh" needs [] names ["atanh"] include_str!("atanh.h");
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
    "round_away" needs [] names ["round_away"] "template <class T> T round_away(T x) { return T(std::round(double(x))); }\n";
    "round_even" needs [] names ["round_even"] "template <class T> T round_even(T x) { return T(std::nearbyint(double(x))); }\n";
    "atan2" needs [] names ["atan2"] "template <class T> T atan2(T y, T x) { return T(std::atan2(double(y), double(x))); }\n";
    "pow" needs [] names ["pow"] "template <class T> T pow(T x, T y) { return T(std::pow(double(x), double(y))); }\n";
    "copysign" needs [] names ["copysign"] "template <class T> T copysign(T x, T y) { return T(std::copysign(double(x), double(y))); }\n";
    "fma" needs [] names ["fma"] include_str!("fma.h");
    "popcount" needs [] names ["popcount"] "template <class T> T popcount(T x) { return T(__builtin_popcountll(x)); }\n";
    "leading_zeros" needs [] names ["leading_zeros"] include_str!("leading_zeros.h");
    "trailing_zeros" needs [] names ["trailing_zeros"] include_str!("trailing_zeros.h");
    "put" needs [] names ["put", "loaded"] "";
    "is_set" needs [] names ["is_set"] include_str!("is_set.h");
    "buffer" needs ["nowhere"] names ["Buffer"] include_str!("buffer.h");
    "trusting_buffer" needs [] names ["Buffer"] include_str!("trusting_buffer.h");
    "bytes" needs ["nowhere"] names ["Bytes", "load", "store", "update", "element", "within", "whole"] include_str!("bytes.h");
    "texture" needs ["vec", "half", "saturate"] names ["Texture", "Sampler", "component", "texel_at", "texel_part", "texel_component", "texel_reader", "texel_load", "texel_write", "texel_value", "texel_store", "texel_number"] include_str!("texture.h");
    "retyped" needs ["buffer"] names ["retyped"] include_str!("retyped.h");
    "bytes_of" needs ["bytes", "buffer"] names ["bytes_of"] include_str!("bytes_of.h");
    "pointee" needs ["bytes"] names ["Resource", "pointee", "resources", "resource_count", "table"] include_str!("pointee.h");
    "pick" needs [] names ["pick"] include_str!("pick.h");
    "atomic" needs [] names ["atomic_update", "atomic_cas", "old"] include_str!("atomic.h");
    "thread" needs ["uint", "vec"] names ["ThreadIds", "thread"] include_str!("thread.h");
    "group" needs ["thread"] names ["Fiber", "fiber", "scheduler", "fiber_kernel", "wait_here", "run_fiber", "release", "barrier", "dispatch_together"] include_str!("group.h");
    "wave" needs ["group"] names ["Lanes", "gather", "wave_fold", "wave_lane", "wave_mask", "of_lane"] include_str!("wave.h");
    "argument" needs [] names ["Argument"] include_str!("argument.h");
    "dispatch" needs ["thread"] names ["dispatch"] include_str!("dispatch.h");
}
