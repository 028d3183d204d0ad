//! How Slang writes values, memory and entry points.
//!
//! Arrays are values: braces make them wherever a type is expected. A type has the sizes of arrays
//! behind it, the innermost first.

use crate::lang::hlsl;
use crate::lang::syntax::{C, Memory, Small, Statements, Syntax, Uniforms, Values, Zero};
use crate::tree::Passed;
use caustic_dialects::reflect::Scalar;

pub(super) use crate::lang::hlsl::{GLOBAL, GROUP, THREAD, THREAD_NUMBER};

/// Words that may stand before the type of a parameter.
const MODIFIERS: &[&str] = &[
    "line",
    "lineadj",
    "point",
    "triangle",
    "triangleadj",
    "sample",
    "linear",
    "centroid",
    "center",
    "noperspective",
    "nointerpolation",
    "precise",
    "patch",
    "primitive",
    "vertex",
    "payload",
    "indices",
    "vertices",
    "primitives",
    "dynamic_uniform",
    "row_major",
    "column_major",
    "volatile",
    "shared",
];

pub static SYNTAX: Syntax = Syntax {
    statements: STATEMENTS,
    values: Values::Braces,
    splat: |word, value| format!("{word}({value})"),
    zero: Some(Zero {
        of: |word, is_array| if is_array { "{}".to_string() } else { format!("({word})0") },
        large: true,
        vectors: false,
    }),
    compare: None,
    not: None,
    mix: Some(|no, yes, condition| format!("select({condition}, {yes}, {no})")),
    matrix: Some(|rows, columns, word| format!("{word}{rows}x{columns}")),
    truth: Scalar::U8,
    update: hlsl::update,
    pointed: None,
    length: Some(hlsl::length),
    small: Small::Native,
    halves_called: true,
    empty_structs: true,
    texels: false,
    modifiers: MODIFIERS,
    returns_arrays: true,
    wide_words: false,
    halves: |number| format!("uint2(uint({number}), uint(uint64_t({number}) >> 32))"),
    joined: |low, high| format!("(uint64_t({high}) << 32 | uint64_t({low}))"),
    wide_updates: &[],
    memory: Memory {
        shared: "groupshared",
        views: false,
        precise: false,
        scalar: true,
        pads: false,
        packed: None,
        words: false,
        blocks: false,
        single: false,
        register: Some(hlsl::register),
    },
    rewritten: |text| text.replace("precise ", ""),
    entry_name: None,
    ids: &hlsl::IDS,
    begin: |_| String::new(),
    // A module has no guard.
    around: |_| (String::new(), String::new()),
    entry: hlsl::entry,
    buffer: hlsl::buffer,
    uniforms: Uniforms::Words { block: hlsl::block },
    handed: false,
};

const STATEMENTS: Statements = Statements {
    passed: |ty, name, how| match how {
        Passed::Value | Passed::Constant => format!("{ty} {name}"),
        Passed::InOut => format!("inout {ty} {name}"),
        Passed::Out => format!("out {ty} {name}"),
    },
    // Operators on vectors of truth values evaluate both sides in any case.
    on_truths: |sign| match sign {
        "&&" | "&" => Some(("&&", crate::ops::prec::AND)),
        "||" | "|" => Some(("||", crate::ops::prec::OR)),
        _ => Some(("!=", crate::ops::prec::EQUAL)),
    },
    array: |word, sizes| format!("{word}{}", sizes.iter().rev().map(|n| format!("[{n}]")).collect::<String>()),
    precise: "",
    most_params: None,
    table: |ty, name, value| format!("static const {ty} {name} = {value};"),
    ..C
};
