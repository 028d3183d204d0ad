//! Slang: its words and types, and the functions that a program gets as many of as it uses.
//!
//! Operators and functions are defined for all operands, as in the reference. A snippet that is the
//! same in GLSL is GLSL's.

mod syntax;

use super::hlsl::{LANES, WAITING};
use super::{Language, Shader, Snippet, Threads, TypeWords};
use crate::ops::Column;
use crate::tree::Id;
use caustic_dialects::reflect::Scalar;

pub static LANGUAGE: Language = Language {
    name: "slang",
    spelled: |row| row.slang.spelling,
    column: |_| Column::AsCpp,
    threads: Threads::Shader,
    function: "",
    inline: "",
    printf: "printf",
    id,
    rewrites: &[],
    reserved: &[],
    // A program's names are names in Slang: they only may not hide what the text itself uses.
    macros: &[include_str!("keywords.txt")],
    globals: &[],
    scalar,
    suffix: |scalar| match scalar {
        Scalar::F16 => "h",
        Scalar::F64 => "L",
        _ => "f",
    },
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
    shading: |row| row.slang,
    vector,
    words,
    extensions: |_, _| &[],
    bits_as,
    lacks: |_| None,
    printing: &[],
    no_name_begins: None,
    literal: |scalar| match scalar {
        Scalar::U32 => "u",
        Scalar::I64 => "LL",
        Scalar::U64 => "ULL",
        _ => "",
    },
    length: |function| format!("{function}()"),
    atomic: super::hlsl::atomic,
    thread_number: syntax::THREAD_NUMBER,
    waiting: &WAITING,
    lanes: &LANES,
    syntax: &syntax::SYNTAX,
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
        Scalar::F16 => "half",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// A vector of a size that has a name.
fn vector(size: u32, elem: Scalar) -> Option<String> {
    (2..=4).contains(&size).then(|| format!("{}{size}", scalar(elem)))
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

/// What stands for parts of a snippet that depend on a float's format.
fn words(scalar: Scalar) -> Option<TypeWords> {
    Some(match scalar {
        Scalar::F16 => TypeWords {
            unsigned: Scalar::U16,
            signed: Scalar::I16,
            to_bits: "asuint16",
            from_bits: "asfloat16",
            infinity: "uint16_t(0x7c00)",
            sign: "uint16_t(0x8000)",
            mantissa: 10,
        },
        Scalar::F32 => TypeWords {
            unsigned: Scalar::U32,
            signed: Scalar::I32,
            to_bits: "asuint",
            from_bits: "asfloat",
            infinity: "0x7f800000u",
            sign: "0x80000000u",
            mantissa: 23,
        },
        Scalar::F64 => TypeWords {
            unsigned: Scalar::U64,
            signed: Scalar::I64,
            to_bits: "bit_cast<uint64_t>",
            from_bits: "bit_cast<double>",
            infinity: "0x7ff0000000000000ULL",
            sign: "0x8000000000000000ULL",
            mantissa: 52,
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
        Scalar::I16 => "asint16",
        Scalar::U16 => "asuint16",
        Scalar::F16 => "asfloat16",
        Scalar::I32 => "asint",
        Scalar::U32 => "asuint",
        Scalar::F32 => "asfloat",
        Scalar::I64 => "bit_cast<int64_t>",
        Scalar::U64 => "bit_cast<uint64_t>",
        Scalar::F64 => "bit_cast<double>",
        _ => return None,
    })
}

macro_rules! snippets {
    ( $( $id:literal needs [$($need:literal),*] names [$($name:literal),*] $text:expr; )* ) => {
        const SNIPPETS: &[Snippet] = &[ $( Snippet { id: $id, needs: &[$($need),*], names: &[$($name),*], text: $text } ),* ];
    };
}

snippets! {
    "is_nan" needs [] names ["is_nan"] "bool is_nan($T x) { return isnan(x); }\n";
    "minimum" needs [] names ["minimum"] "$T minimum($T a, $T b) { return isnan(a) ? a : isnan(b) ? b : min(a, b); }\n";
    "maximum" needs [] names ["maximum"] "$T maximum($T a, $T b) { return isnan(a) ? a : isnan(b) ? b : max(a, b); }\n";
    "strong_mul" needs [] names ["strong_mul"] include_str!("../glsl/strong_mul.glsl");
    "gated_mul" needs [] names ["gated_mul"] include_str!("../glsl/gated_mul.glsl");
    "popcount" needs [] names ["popcount"] include_str!("../glsl/popcount.glsl");
    "leading_zeros" needs [] names ["leading_zeros"] include_str!("../glsl/leading_zeros.glsl");
    "trailing_zeros" needs [] names ["trailing_zeros"] include_str!("../glsl/trailing_zeros.glsl");
    "cbrt" needs [] names ["cbrt"] include_str!("../glsl/cbrt.glsl");
    "expm1" needs [] names ["expm1"] include_str!("../glsl/expm1.glsl");
    "log1p" needs [] names ["log1p"] include_str!("../glsl/log1p.glsl");
    "element" needs [] names ["element"] include_str!("../glsl/element.glsl");
    "to_index" needs [] names ["to_index"] include_str!("../glsl/to_index.glsl");
}
