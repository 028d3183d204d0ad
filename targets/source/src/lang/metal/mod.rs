//! Metal, MSL 3: its words and types, and the functions that a program gets as many of as it uses.
//!
//! A snippet that is the same in GLSL is GLSL's. What is out of an integer's range is undefined, as
//! in C++, so that signed sums, differences and products are functions.

mod syntax;

use super::{Exchange, Lanes, Language, Shader, Snippet, Threads, TypeWords, Waiting};
use crate::ops::Column;
use crate::tree::Id;
use caustic_dialects::agg::EXCHANGE;
use caustic_dialects::reflect::Scalar;

pub static LANGUAGE: Language = Language {
    name: "metal",
    spelled: |row| row.metal.spelling,
    column: |_| Column::AsCpp,
    threads: Threads::Shader,
    function: "",
    inline: "",
    printf: "",
    id,
    rewrites: &[],
    reserved: &[],
    macros: &[include_str!("keywords.txt"), include_str!("builtins.txt")],
    globals: &[],
    scalar,
    suffix: |scalar| if scalar == Scalar::F16 { "h" } else { "f" },
    snippets: SNIPPETS,
    vector: |shape, elem| match shape {
        [n] => vector(*n, elem).unwrap_or_default(),
        _ => String::new(),
    },
    // Without it compilers put sums and products together, and take it that nothing is infinite.
    requires: &["-fno-fast-math"],
    lines: Some(&[]),
    shader: Some(&SHADER),
};

static SHADER: Shader = Shader {
    shading: |row| row.metal,
    vector,
    words,
    extensions: |_, _| &[],
    bits_as,
    lacks: |scalar| (scalar == Scalar::F64).then_some("a double"),
    printing: &[],
    no_name_begins: None,
    literal: |scalar| match scalar {
        Scalar::U32 => "u",
        Scalar::I64 => "l",
        Scalar::U64 => "ul",
        _ => "",
    },
    length: |buffer| format!("lengths.{buffer}"),
    atomic,
    thread_number: syntax::THREAD_NUMBER,
    waiting: &WAITING,
    lanes: &LANES,
    syntax: &syntax::SYNTAX,
};

static WAITING: Waiting = Waiting {
    barrier: &["threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);"],
    group: &[],
    memory: &[],
    group_barrier: "threadgroup_barrier(mem_flags::mem_threadgroup);",
};

static LANES: Lanes = Lanes {
    exchange: Exchange::Subgroup {
        extensions: &[],
        extended: |_| None,
        read: "simd_shuffle",
        all: false,
        ballot: |condition| format!("uint(ulong(simd_ballot({condition})))"),
    },
    first_bit: "ctz",
};

fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "char",
        Scalar::I16 => "short",
        Scalar::I32 => "int",
        Scalar::I64 => "long",
        Scalar::U8 => "uchar",
        Scalar::U16 => "ushort",
        Scalar::U32 => "uint",
        Scalar::U64 => "ulong",
        Scalar::F16 => "half",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// The functions that update integers; what they are given besides is the printer's.
fn atomic(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "add" => "atomic_fetch_add_explicit",
        EXCHANGE => "atomic_exchange_explicit",
        "and" => "atomic_fetch_and_explicit",
        "or" => "atomic_fetch_or_explicit",
        "xor" => "atomic_fetch_xor_explicit",
        "minsi" | "minui" => "atomic_fetch_min_explicit",
        "maxsi" | "maxui" => "atomic_fetch_max_explicit",
        "cas" => "atomic_compare_exchange_weak_explicit",
        _ => return None,
    })
}

/// A vector of a size that the language has.
fn vector(size: u32, elem: Scalar) -> Option<String> {
    (elem != Scalar::F64 && (2..=4).contains(&size)).then(|| format!("{}{size}", scalar(elem)))
}

/// The parameters that hold ids.
fn id(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::Thread => syntax::THREAD,
        Id::Group => syntax::GROUP,
        Id::Groups => syntax::GROUPS,
        Id::Global => syntax::GLOBAL,
        Id::GroupSize | Id::Number | Id::Lane | Id::Wave | Id::Waves => return None,
    })
}

/// What stands for parts of a snippet that depend on a float's format.
fn words(scalar: Scalar) -> Option<TypeWords> {
    Some(match scalar {
        Scalar::F16 => TypeWords {
            unsigned: Scalar::U16,
            signed: Scalar::I16,
            to_bits: "as_type<ushort>",
            // Bits that were computed are wider.
            from_bits: "half_of_bits",
            infinity: "ushort(0x7c00)",
            sign: "ushort(0x8000)",
            mantissa: 10,
        },
        Scalar::F32 => TypeWords {
            unsigned: Scalar::U32,
            signed: Scalar::I32,
            to_bits: "as_type<uint>",
            from_bits: "as_type<float>",
            infinity: "0x7f800000u",
            sign: "0x80000000u",
            mantissa: 23,
        },
        _ => return None,
    })
}

/// The function that takes bits of one type as another.
fn bits_as(from: Scalar, to: Scalar) -> Option<&'static str> {
    if from == to || from.size() != to.size() || [from, to].contains(&Scalar::Bool) {
        return None;
    }
    Some(match to {
        Scalar::I16 => "as_type<short>",
        Scalar::U16 => "as_type<ushort>",
        Scalar::F16 => "as_type<half>",
        Scalar::I32 => "as_type<int>",
        Scalar::U32 => "as_type<uint>",
        Scalar::F32 => "as_type<float>",
        Scalar::I64 => "as_type<long>",
        Scalar::U64 => "as_type<ulong>",
        _ => return None,
    })
}

macro_rules! snippets {
    ( $( $id:literal needs [$($need:literal),*] names [$($name:literal),*] $text:expr; )* ) => {
        const SNIPPETS: &[Snippet] = &[ $( Snippet { id: $id, needs: &[$($need),*], names: &[$($name),*], text: $text } ),* ];
    };
}

snippets! {
    "half_of_bits" needs [] names ["half_of_bits"] "half half_of_bits(uint bits) { return as_type<half>(ushort(bits)); }\n";
    "is_nan" needs [] names ["is_nan"] include_str!("../glsl/is_nan.glsl");
    "add" needs [] names ["add"] "// Sums wrap.\n$T add($T a, $T b) { return $T($U(a) + $U(b)); }\n";
    "sub" needs [] names ["sub"] "// Differences wrap.\n$T sub($T a, $T b) { return $T($U(a) - $U(b)); }\n";
    "mul" needs [] names ["mul"] "// Products wrap.\n$T mul($T a, $T b) { return $T($U(a) * $U(b)); }\n";
    "div" needs [] names ["div"] "// A quotient by zero is zero.\n$T div($T a, $T b) { return b == 0 ? $T(0) : $T(a / b); }\n";
    "div_signed" needs [] names ["div"] include_str!("div.metal");
    "rem" needs [] names ["rem"] "// A remainder by zero is zero.\n$T rem($T a, $T b) { return b == 0 ? $T(0) : $T(a % b); }\n";
    "rem_signed" needs [] names ["rem"] "// A remainder by zero is zero, as by -1.\n$T rem($T a, $T b) { return b == 0 || b == -1 ? $T(0) : $T(a % b); }\n";
    "rem_float" needs [] names ["rem"] include_str!("../glsl/rem_float.glsl");
    "shl" needs [] names ["shl"] "// Amounts count modulo the width.\n$T shl($T a, $T b) { return $T($U(a) << ($U(b) & $last)); }\n";
    "shr" needs [] names ["shr"] "// Amounts count modulo the width.\n$T shr($T a, $T b) { return $T(a >> ($U(b) & $last)); }\n";
    "least" needs [] names ["least"] "$T least($T a, $T b) { return b < a ? b : a; }\n";
    "most" needs [] names ["most"] "$T most($T a, $T b) { return a < b ? b : a; }\n";
    "min_num" needs ["is_nan"] names ["min_num"] include_str!("../glsl/min_num.glsl");
    "max_num" needs ["is_nan"] names ["max_num"] include_str!("../glsl/max_num.glsl");
    "minimum" needs ["is_nan", "min_num"] names ["minimum"] "$T minimum($T a, $T b) { return is_nan(a) ? a : is_nan(b) ? b : min_num(a, b); }\n";
    "maximum" needs ["is_nan", "max_num"] names ["maximum"] "$T maximum($T a, $T b) { return is_nan(a) ? a : is_nan(b) ? b : max_num(a, b); }\n";
    "saturate" needs [] names ["saturate_to_int", "saturate_to_uint", "saturate_to_char", "saturate_to_uchar", "saturate_to_short", "saturate_to_ushort", "saturate_to_long", "saturate_to_ulong"] include_str!("../glsl/saturate.glsl");
    "strong_mul" needs [] names ["strong_mul"] include_str!("../glsl/strong_mul.glsl");
    "gated_mul" needs [] names ["gated_mul"] include_str!("../glsl/gated_mul.glsl");
    "magnitude" needs [] names ["magnitude"] "$T magnitude($T a) { return a < 0 ? $T($U(0) - $U(a)) : a; }\n";
    "round_away" needs [] names ["round_away"] include_str!("../glsl/round_away.glsl");
    "cbrt" needs [] names ["cbrt"] include_str!("../glsl/cbrt.glsl");
    "expm1" needs [] names ["expm1"] include_str!("../glsl/expm1.glsl");
    "log1p" needs [] names ["log1p"] include_str!("../glsl/log1p.glsl");
    "float_of_double" needs [] names ["float_of_double"] include_str!("float_of_double.metal");
    "double_bits" needs [] names ["double_bits"] include_str!("double_bits.metal");
    "unit_bits" needs [] names ["unit_bits"] include_str!("unit_bits.metal");
    "element" needs [] names ["element"] include_str!("../glsl/element.glsl");
    "to_index" needs [] names ["to_index"] include_str!("../glsl/to_index.glsl");
}
