//! HLSL, shader model 6: its words and types, and the functions that a program gets as many of as
//! it uses.
//!
//! A snippet that is the same in GLSL is GLSL's. None has the name of a function of the language.

mod syntax;

pub(super) use syntax::{GLOBAL, GROUP, IDS, THREAD, THREAD_NUMBER, block, buffer, entry, length, register, update};

use super::{Exchange, Lanes, Language, Shader, Snippet, Threads, TypeWords, Waiting};
use crate::ops::Column;
use crate::tree::Id;
use caustic_dialects::agg::EXCHANGE;
use caustic_dialects::reflect::Scalar;

pub static LANGUAGE: Language = Language {
    name: "hlsl",
    spelled: |row| row.hlsl.spelling,
    column: |_| Column::AsCpp,
    threads: Threads::Shader,
    function: "",
    inline: "",
    printf: "printf",
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
    lines: Some(&[]),
    shader: Some(&SHADER),
};

static SHADER: Shader = Shader {
    shading: |row| row.hlsl,
    vector,
    words,
    extensions: |_, _| &[],
    bits_as,
    lacks: |_| None,
    printing: &[],
    no_name_begins: None,
    literal: |scalar| match scalar {
        Scalar::U32 => "u",
        _ => "",
    },
    length: |function| format!("{function}()"),
    atomic,
    thread_number: syntax::THREAD_NUMBER,
    waiting: &WAITING,
    lanes: &LANES,
    syntax: &syntax::SYNTAX,
};

pub(super) static WAITING: Waiting = Waiting {
    barrier: &["AllMemoryBarrierWithGroupSync();"],
    group: &["GroupMemoryBarrier();"],
    memory: &["AllMemoryBarrier();"],
    group_barrier: "GroupMemoryBarrierWithGroupSync();",
};

pub(super) static LANES: Lanes = Lanes {
    exchange: Exchange::Subgroup {
        extensions: &[],
        extended: |_| None,
        read: "WaveReadLaneAt",
        all: true,
        ballot: |condition| format!("WaveActiveBallot({condition}).x"),
    },
    first_bit: "firstbitlow",
};

fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 | Scalar::I16 | Scalar::I32 => "int",
        Scalar::U8 | Scalar::U16 | Scalar::U32 => "uint",
        // Two words, the lower first.
        Scalar::I64 | Scalar::U64 => "uint2",
        Scalar::F16 | Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

fn suffix(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F64 => "L",
        _ => "f",
    }
}

/// A vector of a size that the language has.
fn vector(size: u32, elem: Scalar) -> Option<String> {
    let is_number = !matches!(elem, Scalar::I64 | Scalar::U64);
    (is_number && (2..=4).contains(&size)).then(|| format!("{}{size}", scalar(elem)))
}

/// The variables that hold ids.
fn id(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::Thread => syntax::THREAD,
        Id::Group => syntax::GROUP,
        Id::Global => syntax::GLOBAL,
        Id::GroupSize | Id::Groups | Id::Number | Id::Lane | Id::Wave | Id::Waves => return None,
    })
}

/// The functions that update integers.
pub(super) fn atomic(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "add" => "InterlockedAdd",
        EXCHANGE => "InterlockedExchange",
        "and" => "InterlockedAnd",
        "or" => "InterlockedOr",
        "xor" => "InterlockedXor",
        "minsi" | "minui" => "InterlockedMin",
        "maxsi" | "maxui" => "InterlockedMax",
        "cas" => "InterlockedCompareExchange",
        _ => return None,
    })
}

/// What stands for parts of a snippet that depend on a float's format.
fn words(scalar: Scalar) -> Option<TypeWords> {
    Some(match scalar {
        Scalar::F32 => TypeWords {
            unsigned: Scalar::U32,
            signed: Scalar::I32,
            to_bits: "asuint",
            from_bits: "asfloat",
            infinity: "0x7f800000u",
            sign: "0x80000000u",
            mantissa: 23,
        },
        _ => return None,
    })
}

/// The function that takes bits of one type as another.
fn bits_as(from: Scalar, to: Scalar) -> Option<&'static str> {
    use Scalar::{F16, F32, F64, I32, I64, U16, U32, U64};
    Some(match (from, to) {
        (F32, I32) => "asint",
        (F32, U32) => "asuint",
        (I32 | U32, F32) => "asfloat",
        (F16, U16) => "f32tof16",
        (U16, F16) => "f16tof32",
        (F64, I64 | U64) => "words_of_double",
        (I64 | U64, F64) => "double_of_words",
        _ => return None,
    })
}

macro_rules! snippets {
    ( $( $id:literal needs [$($need:literal),*] names [$($name:literal),*] $text:expr; )* ) => {
        const SNIPPETS: &[Snippet] = &[ $( Snippet { id: $id, needs: &[$($need),*], names: &[$($name),*], text: $text } ),* ];
    };
}

snippets! {
    "is_nan" needs [] names ["is_nan"] include_str!("../glsl/is_nan.glsl");
    "div" needs [] names ["div"] include_str!("../glsl/div.glsl");
    "div_signed" needs [] names ["div"] include_str!("../glsl/div_signed.glsl");
    "rem" needs [] names ["rem"] include_str!("../glsl/rem.glsl");
    "rem_signed" needs [] names ["rem"] include_str!("../glsl/rem_signed.glsl");
    "rem_float" needs [] names ["rem"] include_str!("../glsl/rem_float.glsl");
    "shl" needs [] names ["shl"] include_str!("../glsl/shl.glsl");
    "shr" needs [] names ["shr"] include_str!("../glsl/shr.glsl");
    "least" needs [] names ["least"] "$T least($T a, $T b) { return b < a ? b : a; }\n";
    "most" needs [] names ["most"] "$T most($T a, $T b) { return a < b ? b : a; }\n";
    "min_num" needs ["is_nan"] names ["min_num"] include_str!("../glsl/min_num.glsl");
    "max_num" needs ["is_nan"] names ["max_num"] include_str!("../glsl/max_num.glsl");
    "minimum" needs ["is_nan", "min_num"] names ["minimum"] "$T minimum($T a, $T b) { return is_nan(a) ? a : is_nan(b) ? b : min_num(a, b); }\n";
    "maximum" needs ["is_nan", "max_num"] names ["maximum"] "$T maximum($T a, $T b) { return is_nan(a) ? a : is_nan(b) ? b : max_num(a, b); }\n";
    "saturate" needs [] names ["saturate_to_int", "saturate_to_uint"] include_str!("../glsl/saturate.glsl");
    "strong_mul" needs [] names ["strong_mul"] include_str!("../glsl/strong_mul.glsl");
    "gated_mul" needs [] names ["gated_mul"] include_str!("../glsl/gated_mul.glsl");
    "magnitude" needs [] names ["magnitude"] "$T magnitude($T a) { return a < $T(0) ? -a : a; }\n";
    "popcount" needs [] names ["popcount"] include_str!("../glsl/popcount.glsl");
    "leading_zeros" needs [] names ["leading_zeros"] include_str!("../glsl/leading_zeros.glsl");
    "trailing_zeros" needs [] names ["trailing_zeros"] include_str!("../glsl/trailing_zeros.glsl");
    "copysign" needs [] names ["copysign"] "$T copysign($T a, $T b) { return $from(($to(a) & ~$sign) | ($to(b) & $sign)); }\n";
    "round_away" needs ["copysign"] names ["round_away"] include_str!("../glsl/round_away.glsl");
    "fused" needs [] names ["fused"] "precise $T fused($T a, $T b, $T c) { return $T(double(a) * double(b) + double(c)); }\n";
    "cbrt" needs ["copysign"] names ["cbrt"] include_str!("../glsl/cbrt.glsl");
    "expm1" needs [] names ["expm1"] include_str!("../glsl/expm1.glsl");
    "log1p" needs [] names ["log1p"] include_str!("../glsl/log1p.glsl");
    "log10" needs [] names ["decimal_log"] "precise $T decimal_log($T x) { return log(x) * $T(0.4342944819f); }\n";
    "atan2" needs ["copysign", "is_nan"] names ["arc_tangent"] include_str!("atan2.hlsl");
    "asinh" needs ["copysign"] names ["asinh"] include_str!("asinh.hlsl");
    "acosh" needs [] names ["acosh"] include_str!("acosh.hlsl");
    "atanh" needs ["copysign"] names ["atanh"] include_str!("atanh.hlsl");
    "power" needs ["is_nan"] names ["power"] include_str!("../glsl/power.glsl");
    "element" needs [] names ["element"] include_str!("../glsl/element.glsl");
    "cut_i8" needs [] names ["cut_i8"] "int cut_i8(int x) { return (x << 24) >> 24; }\n";
    "cut_u8" needs [] names ["cut_u8"] "uint cut_u8(uint x) { return x & 0xffu; }\n";
    "cut_i16" needs [] names ["cut_i16"] "int cut_i16(int x) { return (x << 16) >> 16; }\n";
    "cut_u16" needs [] names ["cut_u16"] "uint cut_u16(uint x) { return x & 0xffffu; }\n";
    "to_half" needs [] names ["to_half"] include_str!("to_half.hlsl");
    "wide_add" needs [] names ["wide_add"] include_str!("wide/add.hlsl");
    "wide_sub" needs [] names ["wide_sub"] include_str!("wide/sub.hlsl");
    "wide_mul" needs [] names ["wide_mul"] include_str!("wide/mul.hlsl");
    "wide_equal" needs [] names ["wide_equal"] "bool wide_equal(uint2 a, uint2 b) { return a.x == b.x && a.y == b.y; }\n";
    "wide_less" needs [] names ["wide_less"] include_str!("wide/less.hlsl");
    "wide_less_signed" needs [] names ["wide_less_signed"] include_str!("wide/less_signed.hlsl");
    "wide_divided" needs ["wide_less", "wide_sub"] names ["wide_divided"] include_str!("wide/divided.hlsl");
    "wide_div" needs ["wide_divided"] names ["wide_div"] include_str!("wide/div.hlsl");
    "wide_rem" needs ["wide_divided"] names ["wide_rem"] include_str!("wide/rem.hlsl");
    "wide_negative" needs ["wide_sub"] names ["wide_negative", "wide_magnitude"] include_str!("wide/negative.hlsl");
    "wide_magnitude" needs ["wide_negative"] names [] "";
    "wide_div_signed" needs ["wide_div", "wide_negative"] names ["wide_div_signed"] include_str!("wide/div_signed.hlsl");
    "wide_rem_signed" needs ["wide_rem", "wide_negative"] names ["wide_rem_signed"] include_str!("wide/rem_signed.hlsl");
    "wide_shl" needs [] names ["wide_shl"] include_str!("wide/shl.hlsl");
    "wide_shr" needs [] names ["wide_shr"] include_str!("wide/shr.hlsl");
    "wide_shr_signed" needs [] names ["wide_shr_signed"] include_str!("wide/shr_signed.hlsl");
    "wide_least" needs ["wide_less"] names ["wide_least"] "uint2 wide_least(uint2 a, uint2 b) { return wide_less(b, a) ? b : a; }\n";
    "wide_most" needs ["wide_less"] names ["wide_most"] "uint2 wide_most(uint2 a, uint2 b) { return wide_less(a, b) ? b : a; }\n";
    "wide_least_signed" needs ["wide_less_signed"] names ["wide_least_signed"] "uint2 wide_least_signed(uint2 a, uint2 b) { return wide_less_signed(b, a) ? b : a; }\n";
    "wide_most_signed" needs ["wide_less_signed"] names ["wide_most_signed"] "uint2 wide_most_signed(uint2 a, uint2 b) { return wide_less_signed(a, b) ? b : a; }\n";
    "wide_popcount" needs [] names ["wide_popcount"] "uint2 wide_popcount(uint2 a) { return uint2(countbits(a.x) + countbits(a.y), 0u); }\n";
    "wide_zeros" needs [] names ["wide_leading_zeros", "wide_trailing_zeros"] include_str!("wide/zeros.hlsl");
    "wide_leading_zeros" needs ["wide_zeros"] names [] "";
    "wide_trailing_zeros" needs ["wide_zeros"] names [] "";
    "wide_of_int" needs [] names ["wide_of_int"] "uint2 wide_of_int(int a) { return uint2(uint(a), a < 0 ? 0xffffffffu : 0u); }\n";
    "wide_to_float" needs ["wide_shl"] names ["wide_to_float"] include_str!("wide/to_float.hlsl");
    "wide_to_float_signed" needs ["wide_to_float", "wide_negative"] names ["wide_to_float_signed"] include_str!("wide/to_float_signed.hlsl");
    "saturate_to_wide" needs ["is_nan"] names ["saturate_to_wide"] include_str!("wide/saturate.hlsl");
    "saturate_to_wide_signed" needs ["saturate_to_wide", "wide_negative"] names ["saturate_to_wide_signed"] include_str!("wide/saturate_signed.hlsl");
    "to_index" needs [] names ["to_index"] include_str!("wide/to_index.hlsl");
    "wide_to_double" needs [] names ["wide_to_double", "wide_to_double_signed"] include_str!("double/of_wide.hlsl");
    "double_of_words" needs [] names ["double_of_words"] "double double_of_words(uint2 a) { return asdouble(a.x, a.y); }\n";
    "is_nan_f64" needs [] names [] "bool is_nan(double x) { return (asuint(float(x)) & 0x7fffffffu) > 0x7f800000u; }\n";
    "words_of_double" needs ["is_nan_f64"] names ["words_of_double"] include_str!("double/words.hlsl");
    "whole_double" needs [] names ["trunc_double", "floor_double", "ceil_double", "round_double"] include_str!("double/whole.hlsl");
    "trunc_double" needs ["whole_double"] names [] "";
    "floor_double" needs ["whole_double"] names [] "";
    "ceil_double" needs ["whole_double"] names [] "";
    "round_double" needs ["whole_double"] names [] "";
    "copysign_f64" needs [] names [] include_str!("double/copysign.hlsl");
    "rem_float_f64" needs ["is_nan_f64", "copysign_f64", "double_of_words"] names [] include_str!("double/rem.hlsl");
    "min_num_f64" needs ["is_nan_f64"] names [] include_str!("double/min_num.hlsl");
    "max_num_f64" needs ["is_nan_f64"] names [] include_str!("double/max_num.hlsl");
    "round_away_f64" needs ["whole_double", "copysign_f64"] names [] include_str!("double/round_away.hlsl");
    "saturate_f64" needs ["is_nan_f64"] names [] include_str!("double/saturate.hlsl");
    "saturate_to_wide_f64" needs ["is_nan_f64"] names [] include_str!("double/saturate_wide.hlsl");
    "saturate_to_wide_signed_f64" needs ["saturate_to_wide_f64", "wide_negative"] names [] include_str!("double/saturate_wide_signed.hlsl");
    "half_of_double" needs ["to_half", "is_nan_f64"] names [] include_str!("double/to_half.hlsl");
    "scaled" needs ["double_of_words", "round_double"] names ["scaled_double", "exp_near_double", "exp_double"] include_str!("../glsl/exp_double.glsl");
    "exp_double" needs ["scaled"] names [] "";
    "exp2_double" needs ["scaled"] names ["exp2_double"] include_str!("../glsl/exp2_double.glsl");
    "log_double" needs ["words_of_double", "double_of_words"] names ["mantissa_double", "log_near_double", "log_double"] include_str!("../glsl/log_double.glsl");
    "sqrt_double" needs ["scaled", "log_double"] names ["sqrt_double", "rsqrt_double"] include_str!("double/sqrt.hlsl");
    "rsqrt_double" needs ["sqrt_double"] names [] "";
    "log2_double" needs ["log_double"] names ["log2_double"] include_str!("../glsl/log2_double.glsl");
    "decimal_log_double" needs ["log_double"] names ["decimal_log_double"] "precise double decimal_log_double(double x) { return log_double(x) * 0.4342944819032518lf; }\n";
    "log1p_double" needs ["log_double"] names ["log1p_double"] include_str!("../glsl/log1p_double.glsl");
    "expm1_double" needs ["scaled"] names ["expm1_double"] include_str!("../glsl/expm1_double.glsl");
    "sine" needs ["floor_double", "round_double", "double_of_words"] names ["sine_double"] include_str!("../glsl/sin_double.glsl");
    "sin_double" needs ["sine"] names ["sin_double"] "precise double sin_double(double x) { return x == 0.0lf ? x : sine_double(x, 0); }\n";
    "cos_double" needs ["sine"] names ["cos_double"] "precise double cos_double(double x) { return sine_double(x, 1); }\n";
    "tan_double" needs ["sine"] names ["tan_double"] "precise double tan_double(double x) { return x == 0.0lf ? x : sine_double(x, 0) / sine_double(x, 1); }\n";
    "atan_double" needs ["sqrt_double", "words_of_double"] names ["atan_double"] include_str!("../glsl/atan_double.glsl");
    "arc_tangent_double" needs ["atan_double"] names ["atan2_double", "arc_tangent_double"] concat!(include_str!("../glsl/atan2_double.glsl"), "double arc_tangent_double(double y, double x) { return atan2_double(y, x); }\n");
    "asin_double" needs ["arc_tangent_double"] names ["asin_double"] "precise double asin_double(double x) { return x == 0.0lf ? x : atan2_double(x, sqrt((1.0lf - x) * (1.0lf + x))); }\n";
    "acos_double" needs ["arc_tangent_double"] names ["acos_double"] "precise double acos_double(double x) { return atan2_double(sqrt((1.0lf - x) * (1.0lf + x)), x); }\n";
    "hyperbolic" needs ["expm1_double", "log1p_double", "sqrt_double"] names ["sinh_double", "cosh_double", "tanh_double", "asinh_double", "acosh_double", "atanh_double"] include_str!("../glsl/hyperbolic_double.glsl");
    "sinh_double" needs ["hyperbolic"] names [] "";
    "cosh_double" needs ["hyperbolic"] names [] "";
    "tanh_double" needs ["hyperbolic"] names [] "";
    "asinh_double" needs ["hyperbolic"] names [] "";
    "acosh_double" needs ["hyperbolic"] names [] "";
    "atanh_double" needs ["hyperbolic"] names [] "";
    "power_double" needs ["exp2_double", "log2_double", "trunc_double"] names ["power_double"] include_str!("../glsl/power_double.glsl");
    "cbrt_double" needs ["exp2_double", "log2_double"] names ["cbrt_double"] include_str!("../glsl/cbrt_double.glsl");
}
