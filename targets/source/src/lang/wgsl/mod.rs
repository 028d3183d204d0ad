//! WGSL: its words and types.
//!
//! Ops that the language defines for fewer operands have been written with others before (the
//! passes `legalize-…`), so that most rows are operators and functions of the language. It has no
//! functions of one name for several types, no numbers but those of 32 bits, and no vectors in
//! memory that are laid out as C's.

mod syntax;

use super::{Exchange, Lanes, Language, Shader, Snippet, Threads, TypeWords, Waiting};
use crate::ops::Column;
use crate::tree::Id;
use caustic_dialects::reflect::Scalar;

pub static LANGUAGE: Language = Language {
    name: "wgsl",
    spelled: |row| row.wgsl.spelling,
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
    suffix: |_| "f",
    snippets: SNIPPETS,
    vector: |shape, elem| match shape {
        [n] => vector(*n, elem).unwrap_or_default(),
        _ => String::new(),
    },
    requires: &[],
    lines: None,
    shader: Some(&SHADER),
};

static SHADER: Shader = Shader {
    shading: |row| row.wgsl,
    vector,
    words,
    extensions: |_, _| &[],
    bits_as,
    syntax: &syntax::SYNTAX,
    lacks,
    printing: &[],
    no_name_begins: None,
    literal: |scalar| if scalar == Scalar::U32 { "u" } else { "" },
    length: |buffer| format!("arrayLength(&{buffer})"),
    atomic: |kind| super::atomic(kind, "atomicCompareExchangeWeak"),
    thread_number: "local_index",
    waiting: &WAITING,
    lanes: &LANES,
};

/// Threads wait for all of the group at both.
static WAITING: Waiting = Waiting {
    barrier: &["storageBarrier();", "workgroupBarrier();"],
    group: &[],
    memory: &[],
    group_barrier: "workgroupBarrier();",
};

/// The language promises of its subgroups neither how many lanes they have, nor that these are
/// threads in a row, nor that they come together again behind branches.
static LANES: Lanes = Lanes { exchange: Exchange::Memory, first_bit: "countTrailingZeros" };

fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        // Small numbers are cut or rounded after each operation, large ones are two words.
        Scalar::I8 | Scalar::I16 | Scalar::I32 => "i32",
        Scalar::U8 | Scalar::U16 | Scalar::U32 => "u32",
        Scalar::I64 | Scalar::U64 => "vec2u",
        Scalar::F16 | Scalar::F32 => "f32",
        Scalar::F64 => "f64",
    }
}

/// What the language does not compute with.
fn lacks(scalar: Scalar) -> Option<&'static str> {
    (scalar == Scalar::F64).then_some("a double")
}

fn vector(size: u32, elem: Scalar) -> Option<String> {
    if !(2..=4).contains(&size) {
        return None;
    }
    let word = scalar(elem);
    match elem {
        Scalar::Bool => Some(format!("vec{size}<{word}>")),
        Scalar::I64 | Scalar::U64 | Scalar::F64 => None,
        _ => Some(format!("vec{size}{}", &word[..1])),
    }
}

/// The parameters of the entry point that hold ids.
fn id(id: Id) -> Option<&'static str> {
    Some(match id {
        Id::Thread => "local_id",
        Id::Group => "group_id",
        Id::Groups => "group_count",
        Id::Global => "global_id",
        Id::GroupSize | Id::Number | Id::Lane | Id::Wave | Id::Waves => return None,
    })
}

/// What stands for parts of a snippet that depend on a float's format.
fn words(scalar: Scalar) -> Option<TypeWords> {
    matches!(scalar, Scalar::F16 | Scalar::F32).then_some(TypeWords {
        unsigned: Scalar::U32,
        signed: Scalar::I32,
        to_bits: "bitcast<u32>",
        from_bits: "float_of_bits",
        infinity: "0x7f800000u",
        sign: "0x80000000u",
        mantissa: 23,
    })
}

/// The function that takes bits of one type as another.
fn bits_as(from: Scalar, to: Scalar) -> Option<&'static str> {
    use Scalar::{F32, I32, U32};
    Some(match (from, to) {
        (F32, I32) => "bitcast<i32>",
        (F32, U32) => "bitcast<u32>",
        (I32 | U32, F32) => "bitcast<f32>",
        _ => return None,
    })
}

macro_rules! snippets {
    ( $( $id:literal needs [$($need:literal),*] names [$($name:literal),*] $text:expr; )* ) => {
        const SNIPPETS: &[Snippet] = &[ $( Snippet { id: $id, needs: &[$($need),*], names: &[$($name),*], text: $text } ),* ];
    };
}

// What is computed of literals has to be finite before a program runs; what a function gives is
// computed when it runs.
snippets! {
    "float_of_bits" needs [] names ["float_of_bits"] "fn float_of_bits(bits: u32) -> f32 { return bitcast<f32>(bits); }\n";
    "at_run_time" needs [] names ["at_run_time"] "fn at_run_time(a: f32) -> f32 { return a; }\n";
    "is_nan" needs [] names ["is_nan"] "fn is_nan(a: f32) -> bool { return (bitcast<u32>(a) & 0x7fffffffu) > 0x7f800000u; }\n";
    "min_num" needs ["is_nan"] names ["min_num"] include_str!("min_num.wgsl");
    "max_num" needs ["is_nan"] names ["max_num"] include_str!("max_num.wgsl");
    "minimum" needs ["is_nan", "min_num"] names ["minimum"] include_str!("minimum.wgsl");
    "maximum" needs ["is_nan", "max_num"] names ["maximum"] include_str!("maximum.wgsl");
    "div" needs [] names ["div_i32", "div_u32"] include_str!("div.wgsl");
    "rem" needs [] names ["rem_i32", "rem_u32"] include_str!("rem.wgsl");
    "saturate" needs ["is_nan"] names ["saturate_to_i32", "saturate_to_u32"] include_str!("saturate.wgsl");
    "strong_mul" needs [] names ["strong_mul"] include_str!("strong_mul.wgsl");
    "gated_mul" needs [] names ["gated_mul"] include_str!("gated_mul.wgsl");
    "copysign" needs [] names ["copysign"] include_str!("copysign.wgsl");
    "round_away" needs ["copysign"] names ["round_away"] include_str!("round_away.wgsl");
    "half_bits" needs [] names ["half_bits"] include_str!("half_bits.wgsl");
    "float_of_half" needs [] names ["float_of_half"] include_str!("float_of_half.wgsl");
    "to_half" needs ["half_bits", "float_of_half"] names ["to_half"] "fn to_half(x: f32) -> f32 { return float_of_half(half_bits(x)); }\n";
    "add64" needs [] names ["add64"] include_str!("add64.wgsl");
    "sub64" needs [] names ["sub64"] include_str!("sub64.wgsl");
    "mul64" needs [] names ["mul64"] include_str!("mul64.wgsl");
    "shl64" needs [] names ["shl64"] include_str!("shl64.wgsl");
    "shr64" needs [] names ["shr64"] include_str!("shr64.wgsl");
    "sar64" needs [] names ["sar64"] include_str!("sar64.wgsl");
    "less64" needs [] names ["less_int64", "less_uint64"] include_str!("less64.wgsl");
    "div64" needs ["shl64", "shr64", "sub64", "less64"] names ["divided64", "abs64", "div_int64", "rem_int64", "div_uint64", "rem_uint64"] include_str!("div64.wgsl");
    "extremes64" needs ["less64"] names ["min_int64", "max_int64", "min_uint64", "max_uint64"] include_str!("extremes64.wgsl");
    "bits64" needs [] names ["ones64", "leading64", "trailing64"] include_str!("bits64.wgsl");
    "float64" needs ["shl64", "shr64", "sub64"] names ["float_of_int64", "float_of_uint64", "int64_of_float", "uint64_of_float", "uint64_of_magnitude"] include_str!("float64.wgsl");
    "widened" needs [] names ["widened"] "fn widened(a: i32) -> vec2u { return vec2u(u32(a), u32(a >> 31u)); }\n";
    "to_index" needs [] names ["to_index"] "// An index of 64 bits; one that no array has stays out of range.\nfn to_index(i: vec2u) -> u32 { return select(0xffffffffu, i.x, (i.y == 0u) && (i.x <= 0x7fffffffu)); }\n";
    "float_of_double" needs ["float_of_bits"] names ["float_of_double"] include_str!("float_of_double.wgsl");
    "double_bits" needs [] names ["double_bits"] include_str!("double_bits.wgsl");
    "unit_bits" needs [] names ["unit_bits"] include_str!("unit_bits.wgsl");
    "element" needs [] names ["element"] include_str!("element.wgsl");
}
