//! How HLSL writes values, memory and entry points.
//!
//! Two compilers read a text, DXC and glslang, and agree about what stands here: a struct of
//! vectors in a buffer is laid out as C does it by one of them only, so that such a buffer is
//! words.

use crate::lang::syntax::{
    C, Declared, Entry, EntryText, Memory, Small, Statements, Syntax, Uniforms, Values, Zero, guard, mentions,
};
use caustic_dialects::reflect::Scalar;
use std::fmt::Write;

/// Names of the variables that hold ids.
pub const THREAD: &str = "sv_group_thread_id";
pub const GROUP: &str = "sv_group_id";
pub const GLOBAL: &str = "sv_dispatch_thread_id";
pub const THREAD_NUMBER: &str = "sv_group_index";

/// The variables that hold ids, what they are, and their types.
pub const IDS: [(&str, &str, &str); 4] = [
    (GLOBAL, "SV_DispatchThreadID", "uint3"),
    (GROUP, "SV_GroupID", "uint3"),
    (THREAD, "SV_GroupThreadID", "uint3"),
    (THREAD_NUMBER, "SV_GroupIndex", "uint"),
];

pub static SYNTAX: Syntax = Syntax {
    statements: Statements {
        param: |ty, name| declared(ty, name),
        passed: |ty, name, how| {
            let (word, sizes) = apart(ty);
            (C.passed)(word, &format!("{name}{sizes}"), how)
        },
        variable: |ty, name, value| format!("{} = {value};", declared(ty, name)),
        unassigned: |ty, name, value| format!("{} = {value};", declared(ty, name)),
        table: |ty, name, value| format!("static const {} = {value};", declared(ty, name)),
        ..C
    },
    values: Values::Made,
    splat: |word, value| {
        let simple = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        if simple { format!("({word}){value}") } else { format!("({word})({value})") }
    },
    zero: Some(Zero { of: |word, _| format!("({word})0"), large: false, vectors: false }),
    compare: None,
    not: None,
    mix: None,
    matrix: None,
    truth: Scalar::U32,
    update,
    pointed: None,
    length: Some(length),
    small: Small::Legalized,
    halves_called: false,
    empty_structs: false,
    texels: true,
    modifiers: &[],
    returns_arrays: false,
    wide_words: true,
    halves: str::to_string,
    joined: |low, high| format!("uint2({low}, {high})"),
    wide_updates: &[],
    memory: Memory {
        shared: "groupshared",
        views: false,
        precise: false,
        scalar: false,
        pads: false,
        packed: None,
        words: false,
        blocks: false,
        single: false,
        register: Some(register),
    },
    rewritten,
    entry_name: None,
    ids: &IDS,
    begin: |_| String::new(),
    around: |text| guard(&format!("{}_hlsl", text.name)),
    entry,
    buffer,
    uniforms: Uniforms::Words { block },
    handed: false,
};

/// A type without the sizes of an array, which stand behind the name, and these.
fn apart(ty: &str) -> (&str, &str) {
    ty.split_at(ty.find('[').unwrap_or(ty.len()))
}

fn declared(ty: &str, name: &str) -> String {
    let (word, sizes) = apart(ty);
    format!("{word} {name}{sizes}")
}

pub fn update(function: &str, at: &str, args: &str, old: Option<(&str, &str)>) -> String {
    match old {
        Some((word, name)) => format!("{word} {name}; {function}({at}, {args}, {name});"),
        None => format!("{function}({at}, {args});"),
    }
}

pub fn length(name: &str, buffer: &str) -> String {
    format!(
        "uint {name}() {{\n    uint number, rest;\n    {buffer}.GetDimensions(number, rest);\n    return number;\n}}\n"
    )
}

pub fn block(binding: u32, name: &str, members: &str) -> String {
    format!("[[vk::binding({binding}, 0)]] cbuffer {name} : register(b0) {{\n{members}}};\n")
}

/// Ids are parameters of the entry point, and variables too where other functions read them.
pub fn entry(entry: &Entry<'_>) -> EntryText {
    let [x, y, z] = entry.threads;
    let (mut declared, mut params, mut first) = (String::new(), Vec::new(), Vec::new());
    for (name, semantic, word) in IDS {
        if mentions(entry.outside, name) {
            let _ = writeln!(declared, "static {word} {name};");
            params.push(format!("{word} {name}_ : {semantic}"));
            first.push(format!("{name} = {name}_;"));
        } else if mentions(entry.inside, name) {
            params.push(format!("{word} {name} : {semantic}"));
        }
    }
    let head = format!("[numthreads({x}, {y}, {z})]\nvoid {}({})", entry.name, params.join(", "));
    EntryText { declared, head, first }
}

pub fn register(number: u32, written: bool) -> String {
    format!("{}{number}", if written { "u" } else { "t" })
}

pub fn buffer(b: &Declared<'_>) -> String {
    let (binding, register, word, name) = (b.binding, register(b.register, b.written), b.word, b.name);
    let kind = if b.written { "RWStructuredBuffer" } else { "StructuredBuffer" };
    format!("[[vk::binding({binding}, 0)]] {kind}<{word}> {name} : register({register});\n")
}

/// What stands in HLSL for the words of snippets on doubles that are GLSL's.
const REWRITES: &[(&str, &str)] = &[
    ("unpackDouble2x32", "words_of_double"),
    ("packDouble2x32", "double_of_words"),
    ("uvec2", "uint2"),
    ("roundEven(", "round_double("),
    (" floor(", " floor_double("),
    (" trunc(", " trunc_double("),
    ("sqrt(", "sqrt_double("),
    ("0lf", "0L"),
    ("1lf", "1L"),
    ("2lf", "2L"),
    ("3lf", "3L"),
    ("4lf", "4L"),
    ("5lf", "5L"),
    ("6lf", "6L"),
    ("7lf", "7L"),
    ("8lf", "8L"),
    ("9lf", "9L"),
];

/// A snippet of GLSL's, if it is one on doubles, in HLSL.
fn rewritten(text: &str) -> String {
    let is_on_doubles = REWRITES.iter().any(|(from, _)| from.ends_with("lf") && text.contains(from));
    if !is_on_doubles {
        return text.to_string();
    }
    REWRITES.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to))
}
