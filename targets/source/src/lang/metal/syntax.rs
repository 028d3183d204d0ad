//! How Metal writes values, memory and entry points.
//!
//! There are no variables of the program but constants: what shaders of other languages declare is
//! handed to the kernel, and by it to the functions that reach it.

use crate::lang::syntax::{C, Declared, EntryText, Memory, Small, Statements, Syntax, Uniforms, Values, Zero, guard};
use crate::ops::prec;
use crate::tree::Passed;
use caustic_dialects::reflect::Scalar;

/// Names of the parameters that hold ids.
pub const THREAD: &str = "local_id";
pub const THREAD_NUMBER: &str = "local_index";
pub const GROUP: &str = "group_id";
pub const GROUPS: &str = "group_count";
pub const GLOBAL: &str = "global_id";

/// The parameters that hold ids, what they are, and their types.
const IDS: [(&str, &str, &str); 5] = [
    (THREAD, "thread_position_in_threadgroup", "uint3"),
    (THREAD_NUMBER, "thread_index_in_threadgroup", "uint"),
    (GROUP, "threadgroup_position_in_grid", "uint3"),
    (GROUPS, "threadgroups_per_grid", "uint3"),
    (GLOBAL, "thread_position_in_grid", "uint3"),
];

/// What a text begins with. Without the pragma products and sums are put together.
const BEGIN: &str = "#include <metal_stdlib>\nusing namespace metal;\n\n#pragma METAL fp contract(off)\n";

pub static SYNTAX: Syntax = Syntax {
    statements: STATEMENTS,
    values: Values::Listed,
    splat: |word, value| format!("{word}({value})"),
    zero: Some(Zero { of: |word, _| format!("{word}{{}}"), large: true, vectors: false }),
    compare: None,
    not: None,
    mix: Some(|no, yes, condition| format!("select({no}, {yes}, {condition})")),
    matrix: None,
    truth: Scalar::U8,
    update: |function, at, args, old| {
        let call = format!("{function}({at}, {args}, memory_order_relaxed);");
        old.map_or(call.clone(), |(word, name)| format!("{word} {name} = {call}"))
    },
    pointed: Some(|of_group, word, place| {
        let space = if of_group { "threadgroup" } else { "device" };
        format!("({space} atomic_{word}*)&{place}")
    }),
    length: None,
    small: Small::Native,
    halves_called: false,
    empty_structs: false,
    texels: true,
    modifiers: &[],
    returns_arrays: false,
    wide_words: false,
    halves: |number| format!("as_type<uint2>(ulong({number}))"),
    joined: |low, high| format!("as_type<ulong>(uint2({low}, {high}))"),
    wide_updates: &[],
    memory: Memory {
        shared: "threadgroup",
        views: false,
        precise: false,
        scalar: true,
        pads: false,
        packed: Some("packed_"),
        words: false,
        blocks: false,
        single: true,
        register: None,
    },
    rewritten: |text| text.replace("precise ", ""),
    entry_name: None,
    ids: &IDS,
    begin: |_| BEGIN.to_string(),
    around: |around| {
        let (begin, end) = guard(around.name);
        (format!("{begin}\n{BEGIN}"), end)
    },
    entry: |entry| EntryText { head: format!("kernel void {}", entry.name), ..EntryText::default() },
    buffer,
    uniforms: Uniforms::Variable,
    handed: true,
};

const STATEMENTS: Statements = Statements {
    promotes: true,
    passed: |ty, name, how| match how {
        Passed::Value => format!("{ty} {name}"),
        Passed::Constant => format!("thread const {ty}& {name}"),
        Passed::InOut | Passed::Out => format!("thread {ty}& {name}"),
    },
    // Operators on vectors of truth values evaluate both sides in any case.
    on_truths: |sign| match sign {
        "&&" | "&" => Some(("&", prec::BIT_AND)),
        "||" | "|" => Some(("|", prec::BIT_OR)),
        _ => Some(("!=", prec::EQUAL)),
    },
    array: |word, sizes| sizes.iter().rev().fold(word.to_string(), |inner, n| format!("array<{inner}, {n}>")),
    precise: "",
    wide_switches: true,
    most_params: None,
    table: |ty, name, value| format!("constant {ty} {name} = {value};"),
    ..C
};

/// A parameter. Uniforms are the one that is a struct of constants.
fn buffer(b: &Declared<'_>) -> String {
    let space = match (b.written, b.single) {
        (true, _) => "device",
        (false, false) => "device const",
        (false, true) => "constant",
    };
    format!("{space} {}{} {}", b.word, if b.single { "&" } else { "*" }, b.name)
}
