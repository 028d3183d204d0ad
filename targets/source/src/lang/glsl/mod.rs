//! GLSL 4.60 for Vulkan 1.3: its words and types, and the functions that a program gets as many of
//! as it uses.
//!
//! The language has no templates: a snippet is written once for each type that it is used for, see
//! [`Shader`].

mod syntax;

use super::{Exchange, Lanes, Language, Shader, Snippet, Threads, TypeWords, Waiting};
use crate::ops::Column;
use crate::tree::Id;
use caustic_dialects::reflect::Scalar;

pub static LANGUAGE: Language = Language {
    name: "glsl",
    spelled: |row| row.glsl.spelling,
    column: |_| Column::AsCpp,
    threads: Threads::Shader,
    function: "",
    inline: "",
    printf: "debugPrintfEXT",
    id,
    rewrites: &[],
    reserved: &[],
    macros: &[include_str!("keywords.txt"), include_str!("builtins.txt")],
    globals: &[],
    scalar,
    suffix,
    snippets: SNIPPETS,
    vector: |shape, elem| match shape {
        [n] => vector(*n, elem).unwrap_or_default(),
        _ => String::new(),
    },
    requires: &[],
    lines: Some(&["GL_GOOGLE_cpp_style_line_directive"]),
    shader: Some(&SHADER),
};

static SHADER: Shader = Shader {
    shading: |row| row.glsl,
    vector,
    words,
    extensions,
    bits_as,
    lacks: |_| None,
    printing: &["GL_EXT_debug_printf"],
    no_name_begins: Some("gl_"),
    literal: |scalar| match scalar {
        Scalar::U32 => "u",
        Scalar::I64 => "l",
        Scalar::U64 => "ul",
        _ => "",
    },
    length: |buffer| format!("{buffer}.length()"),
    atomic: |kind| super::atomic(kind, "atomicCompSwap"),
    thread_number: "gl_LocalInvocationIndex",
    waiting: &WAITING,
    lanes: &LANES,
    syntax: &syntax::SYNTAX,
};

static WAITING: Waiting = Waiting {
    barrier: &["memoryBarrier();", "barrier();"],
    group: &["groupMemoryBarrier();"],
    memory: &["memoryBarrier();"],
    group_barrier: "barrier();",
};

static LANES: Lanes = Lanes {
    exchange: Exchange::Subgroup {
        extensions: &[
            "GL_KHR_shader_subgroup_basic",
            "GL_KHR_shader_subgroup_ballot",
            "GL_KHR_shader_subgroup_shuffle",
        ],
        extended: |scalar| match scalar {
            Scalar::I8 | Scalar::U8 => Some("GL_EXT_shader_subgroup_extended_types_int8"),
            Scalar::I16 | Scalar::U16 => Some("GL_EXT_shader_subgroup_extended_types_int16"),
            Scalar::I64 | Scalar::U64 => Some("GL_EXT_shader_subgroup_extended_types_int64"),
            Scalar::F16 => Some("GL_EXT_shader_subgroup_extended_types_float16"),
            _ => None,
        },
        read: "subgroupShuffle",
        all: true,
        ballot: |condition| format!("subgroupBallot({condition}).x"),
    },
    first_bit: "findLSB",
};

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
        Scalar::F16 => "float16_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

fn suffix(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F64 => "lf",
        _ => "",
    }
}

/// A vector of a size that the language has.
fn vector(size: u32, elem: Scalar) -> Option<String> {
    let prefix = match elem {
        Scalar::Bool => "b",
        Scalar::I8 => "i8",
        Scalar::I16 => "i16",
        Scalar::I32 => "i",
        Scalar::I64 => "i64",
        Scalar::U8 => "u8",
        Scalar::U16 => "u16",
        Scalar::U32 => "u",
        Scalar::U64 => "u64",
        Scalar::F16 => "f16",
        Scalar::F32 => "",
        Scalar::F64 => "d",
    };
    (2..=4).contains(&size).then(|| format!("{prefix}vec{size}"))
}

/// The variables that hold ids.
fn id(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::Thread => "gl_LocalInvocationID",
        Id::Group => "gl_WorkGroupID",
        Id::GroupSize => "gl_WorkGroupSize",
        Id::Groups => "gl_NumWorkGroups",
        Id::Global => "gl_GlobalInvocationID",
        Id::Number | Id::Lane | Id::Wave | Id::Waves => return None,
    })
}

/// What has to be switched on to compute with a type, and to have it in memory.
fn extensions(scalar: Scalar, stored: bool) -> &'static [&'static str] {
    use Scalar::{F16, F64, I8, I16, I64, U8, U16, U64};
    match (scalar, stored) {
        (I8 | U8, false) => &["GL_EXT_shader_explicit_arithmetic_types_int8"],
        (I16 | U16, false) => &["GL_EXT_shader_explicit_arithmetic_types_int16"],
        (F16, false) => &["GL_EXT_shader_explicit_arithmetic_types_float16"],
        (I64 | U64, false) => &["GL_EXT_shader_explicit_arithmetic_types_int64"],
        (I8 | U8, true) => &["GL_EXT_shader_8bit_storage", "GL_EXT_shader_explicit_arithmetic_types_int8"],
        (I16 | U16, true) => &["GL_EXT_shader_16bit_storage", "GL_EXT_shader_explicit_arithmetic_types_int16"],
        (F16, true) => &["GL_EXT_shader_16bit_storage", "GL_EXT_shader_explicit_arithmetic_types_float16"],
        (I64 | U64, true) => &["GL_EXT_shader_explicit_arithmetic_types_int64"],
        (F64, _) => &["GL_EXT_shader_explicit_arithmetic_types_float64"],
        _ => &[],
    }
}

/// What stands for parts of a snippet that depend on a float's format.
fn words(scalar: Scalar) -> Option<TypeWords> {
    Some(match scalar {
        Scalar::F16 => TypeWords {
            unsigned: Scalar::U16,
            signed: Scalar::I16,
            to_bits: "float16BitsToUint16",
            from_bits: "uint16BitsToFloat16",
            infinity: "uint16_t(0x7c00)",
            sign: "uint16_t(0x8000)",
            mantissa: 10,
        },
        Scalar::F32 => TypeWords {
            unsigned: Scalar::U32,
            signed: Scalar::I32,
            to_bits: "floatBitsToUint",
            from_bits: "uintBitsToFloat",
            infinity: "0x7f800000u",
            sign: "0x80000000u",
            mantissa: 23,
        },
        Scalar::F64 => TypeWords {
            unsigned: Scalar::U64,
            signed: Scalar::I64,
            to_bits: "doubleBitsToUint64",
            from_bits: "uint64BitsToDouble",
            infinity: "0x7ff0000000000000ul",
            sign: "0x8000000000000000ul",
            mantissa: 52,
        },
        _ => return None,
    })
}

/// The function that takes bits of one type as another.
fn bits_as(from: Scalar, to: Scalar) -> Option<&'static str> {
    use Scalar::{F16, F32, F64, I16, I32, I64, U16, U32, U64};
    Some(match (from, to) {
        (F32, I32) => "floatBitsToInt",
        (F32, U32) => "floatBitsToUint",
        (I32, F32) => "intBitsToFloat",
        (U32, F32) => "uintBitsToFloat",
        (F64, I64) => "doubleBitsToInt64",
        (F64, U64) => "doubleBitsToUint64",
        (I64, F64) => "int64BitsToDouble",
        (U64, F64) => "uint64BitsToDouble",
        (F16, I16) => "float16BitsToInt16",
        (F16, U16) => "float16BitsToUint16",
        (I16, F16) => "int16BitsToFloat16",
        (U16, F16) => "uint16BitsToFloat16",
        _ => return None,
    })
}

macro_rules! snippets {
    ( $( $id:literal needs [$($need:literal),*] names [$($name:literal),*] $text:expr; )* ) => {
        const SNIPPETS: &[Snippet] = &[ $( Snippet { id: $id, needs: &[$($need),*], names: &[$($name),*], text: $text } ),* ];
    };
}

snippets! {
    "is_nan" needs [] names ["is_nan"] include_str!("is_nan.glsl");
    "div" needs [] names ["div"] include_str!("div.glsl");
    "div_signed" needs [] names ["div"] include_str!("div_signed.glsl");
    "rem" needs [] names ["rem"] include_str!("rem.glsl");
    "rem_signed" needs [] names ["rem"] include_str!("rem_signed.glsl");
    "rem_float" needs [] names ["rem"] include_str!("rem_float.glsl");
    "shl" needs [] names ["shl"] include_str!("shl.glsl");
    "shr" needs [] names ["shr"] include_str!("shr.glsl");
    "least" needs [] names ["least"] "$T least($T a, $T b) { return b < a ? b : a; }\n";
    "most" needs [] names ["most"] "$T most($T a, $T b) { return a < b ? b : a; }\n";
    "min_num" needs ["is_nan"] names ["min_num"] include_str!("min_num.glsl");
    "max_num" needs ["is_nan"] names ["max_num"] include_str!("max_num.glsl");
    "minimum" needs ["is_nan", "min_num"] names ["minimum"] "$T minimum($T a, $T b) { return is_nan(a) ? a : is_nan(b) ? b : min_num(a, b); }\n";
    "maximum" needs ["is_nan", "max_num"] names ["maximum"] "$T maximum($T a, $T b) { return is_nan(a) ? a : is_nan(b) ? b : max_num(a, b); }\n";
    "saturate" needs [] names ["saturate_to_int", "saturate_to_uint", "saturate_to_int8_t", "saturate_to_uint8_t", "saturate_to_int16_t", "saturate_to_uint16_t", "saturate_to_int64_t", "saturate_to_uint64_t"] include_str!("saturate.glsl");
    "strong_mul" needs [] names ["strong_mul"] include_str!("strong_mul.glsl");
    "gated_mul" needs [] names ["gated_mul"] include_str!("gated_mul.glsl");
    "magnitude" needs [] names ["magnitude"] "$T magnitude($T a) { return a < $T(0) ? -a : a; }\n";
    "popcount" needs [] names ["popcount"] include_str!("popcount.glsl");
    "leading_zeros" needs [] names ["leading_zeros"] include_str!("leading_zeros.glsl");
    "trailing_zeros" needs [] names ["trailing_zeros"] include_str!("trailing_zeros.glsl");
    "copysign" needs [] names ["copysign"] "$T copysign($T a, $T b) { return $from(($to(a) & ~$sign) | ($to(b) & $sign)); }\n";
    "round_away" needs ["copysign"] names ["round_away"] include_str!("round_away.glsl");
    "fused" needs [] names ["fused"] "precise $T fused($T a, $T b, $T c) { return $T(double(a) * double(b) + double(c)); }\n";
    "cbrt" needs ["copysign"] names ["cbrt"] include_str!("cbrt.glsl");
    "expm1" needs [] names ["expm1"] include_str!("expm1.glsl");
    "log1p" needs [] names ["log1p"] include_str!("log1p.glsl");
    "log10" needs [] names ["log10"] "precise $T log10($T x) { return log(x) * $T(0.4342944819); }\n";
    "atan2" needs ["copysign", "is_nan"] names ["atan2"] include_str!("atan2.glsl");
    "power" needs ["is_nan"] names ["power"] include_str!("power.glsl");
    "scaled" needs [] names ["scaled_double", "exp_near_double", "exp_double"] include_str!("exp_double.glsl");
    "exp_double" needs ["scaled"] names [] "";
    "exp2_double" needs ["scaled"] names ["exp2_double"] include_str!("exp2_double.glsl");
    "log_double" needs [] names ["mantissa_double", "log_near_double", "log_double"] include_str!("log_double.glsl");
    "log2_double" needs ["log_double"] names ["log2_double"] include_str!("log2_double.glsl");
    "log10_double" needs ["log_double"] names ["log10_double"] "precise double log10_double(double x) { return log_double(x) * 0.4342944819032518lf; }\n";
    "log1p_double" needs ["log_double"] names ["log1p_double"] include_str!("log1p_double.glsl");
    "expm1_double" needs ["scaled"] names ["expm1_double"] include_str!("expm1_double.glsl");
    "sine" needs [] names ["sine_double"] include_str!("sin_double.glsl");
    "sin_double" needs ["sine"] names ["sin_double"] "precise double sin_double(double x) { return x == 0.0lf ? x : sine_double(x, 0); }\n";
    "cos_double" needs ["sine"] names ["cos_double"] "precise double cos_double(double x) { return sine_double(x, 1); }\n";
    "tan_double" needs ["sine"] names ["tan_double"] "precise double tan_double(double x) { return x == 0.0lf ? x : sine_double(x, 0) / sine_double(x, 1); }\n";
    "atan_double" needs [] names ["atan_double"] include_str!("atan_double.glsl");
    "atan2_double" needs ["atan_double"] names ["atan2_double"] include_str!("atan2_double.glsl");
    "asin_double" needs ["atan2_double"] names ["asin_double"] "precise double asin_double(double x) { return x == 0.0lf ? x : atan2_double(x, sqrt((1.0lf - x) * (1.0lf + x))); }\n";
    "acos_double" needs ["atan2_double"] names ["acos_double"] "precise double acos_double(double x) { return atan2_double(sqrt((1.0lf - x) * (1.0lf + x)), x); }\n";
    "hyperbolic" needs ["expm1_double", "log1p_double"] names ["sinh_double", "cosh_double", "tanh_double", "asinh_double", "acosh_double", "atanh_double"] include_str!("hyperbolic_double.glsl");
    "sinh_double" needs ["hyperbolic"] names [] "";
    "cosh_double" needs ["hyperbolic"] names [] "";
    "tanh_double" needs ["hyperbolic"] names [] "";
    "asinh_double" needs ["hyperbolic"] names [] "";
    "acosh_double" needs ["hyperbolic"] names [] "";
    "atanh_double" needs ["hyperbolic"] names [] "";
    "power_double" needs ["exp2_double", "log2_double"] names ["power_double"] include_str!("power_double.glsl");
    "cbrt_double" needs ["exp2_double", "log2_double"] names ["cbrt_double"] include_str!("cbrt_double.glsl");
    "element" needs [] names ["element"] include_str!("element.glsl");
    "to_index" needs [] names ["to_index"] include_str!("to_index.glsl");
}
