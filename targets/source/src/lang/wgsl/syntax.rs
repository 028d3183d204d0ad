//! How WGSL writes statements, values, memory and entry points.

use crate::lang::syntax::{
    Entry, EntryText, Memory, Small, Statements, Syntax, Uniforms, Values, Zero, bare, mentions,
};
use crate::ops::prec;
use crate::tree::Passed;
use caustic_dialects::reflect::Scalar;
use std::fmt::Write;

pub static SYNTAX: Syntax = Syntax {
    statements: STATEMENTS,
    values: Values::Constructed,
    splat: |word, value| format!("{word}({value})"),
    zero: Some(Zero { of: |word, _| format!("{word}()"), large: true, vectors: true }),
    compare: None,
    not: None,
    mix: None,
    matrix: None,
    truth: Scalar::Bool,
    update: |function, at, args, old| match old {
        Some((_, name)) => format!("let {name} = {function}(&{at}, {args});"),
        None => format!("{function}(&{at}, {args});"),
    },
    pointed: None,
    length: None,
    small: Small::Cut,
    halves_called: false,
    empty_structs: false,
    texels: true,
    modifiers: &[],
    returns_arrays: false,
    wide_words: true,
    halves: str::to_string,
    joined: |low, high| format!("vec2u({low}, {high})"),
    wide_updates: &[],
    memory: Memory {
        shared: "var<workgroup>",
        views: false,
        precise: false,
        scalar: false,
        pads: false,
        packed: None,
        words: true,
        blocks: false,
        single: true,
        register: None,
    },
    rewritten: str::to_string,
    entry_name: Some("main"),
    ids: &IDS,
    begin: |_| String::new(),
    around: |_| (String::new(), String::new()),
    entry,
    buffer: |b| {
        let access = if b.written { "read_write" } else { "read" };
        let ty = if b.single { b.word.to_string() } else { format!("array<{}>", b.word) };
        format!("@group(0) @binding({}) var<storage, {access}> {}: {ty};\n", b.binding, b.name)
    },
    uniforms: Uniforms::Variable,
    handed: false,
};

/// Compilers take 127, and count some twice.
const MOST_NESTED: usize = 110;

const STATEMENTS: Statements = Statements {
    param: |ty, name| format!("{name}: {ty}"),
    structure: |name, members| {
        let members: String = members.iter().map(|member| format!("    {member},\n")).collect();
        format!("struct {name} {{\n{members}}}\n")
    },
    head: |result, name, params| {
        let result = result.map_or(String::new(), |ty| format!(" -> {ty}"));
        format!("fn {name}({}){result}", params.join(", "))
    },
    passed: |ty, name, how| match how {
        Passed::Value => format!("{name}: {ty}"),
        // In the body it is what it leads to.
        Passed::Constant | Passed::InOut | Passed::Out => {
            let name = name.trim_start_matches("(*").trim_end_matches(')');
            format!("{name}: ptr<function, {ty}>")
        }
    },
    variable: |ty, name, value| format!("var {name}: {ty} = {value};"),
    unassigned: |ty, name, value| format!("let {name}: {ty} = {value};"),
    table: |ty, name, value| format!("const {name}: {ty} = {value};"),
    constant: |ty, name, value| format!("let {name}: {ty} = {value};"),
    when: |condition, statement| format!("if ({}) {{ {statement} }}", bare(condition)),
    repeat: |name, count, statement| {
        format!("for (var {name}: u32 = 0u; {name} < {count}; {name}++) {{ {statement} }}")
    },
    forever: "loop",
    labels: |all| format!("case {}:", all.join(", ")),
    wide_switches: false,
    most_nested: Some(MOST_NESTED),
    most_params: Some(255),
    choose: |condition, yes, no| format!("select({no}, {yes}, {condition})"),
    chooses_by_call: true,
    unequal_is_ordered: true,
    array: |word, sizes| sizes.iter().rev().fold(word.to_string(), |inner, n| format!("array<{inner}, {n}>")),
    precise: "",
    on_truths: |sign| match sign {
        "&&" | "&" => Some(("&", prec::BIT_AND)),
        "||" | "|" => Some(("|", prec::BIT_OR)),
        _ => Some(("!=", prec::EQUAL)),
    },
    strict: true,
    overloads: false,
    promotes: false,
};

/// The ids that an entry point may be given: their names, the language's attributes, their types.
const IDS: [(&str, &str, &str); 5] = [
    ("local_id", "local_invocation_id", "vec3u"),
    ("local_index", "local_invocation_index", "u32"),
    ("group_id", "workgroup_id", "vec3u"),
    ("group_count", "num_workgroups", "vec3u"),
    ("global_id", "global_invocation_id", "vec3u"),
];

/// Ids are parameters of the entry point, and variables too where other functions read them.
fn entry(entry: &Entry<'_>) -> EntryText {
    let [x, y, z] = entry.threads;
    let (mut declared, mut params, mut first) = (String::new(), Vec::new(), Vec::new());
    for (name, attribute, ty) in IDS {
        if mentions(entry.outside, name) {
            let _ = writeln!(declared, "var<private> {name}: {ty};");
            params.push(format!("@builtin({attribute}) {name}_: {ty}"));
            first.push(format!("{name} = {name}_;"));
            // What the entry point is given is known to be uniform, a variable is not.
            if mentions(entry.inside, name) {
                first.push(format!("let {name} = {name}_;"));
            }
        } else if mentions(entry.inside, name) {
            params.push(format!("@builtin({attribute}) {name}: {ty}"));
        }
    }
    let head = format!("@compute @workgroup_size({x}, {y}, {z})\nfn {}({})", entry.name, params.join(", "));
    EntryText { declared, head, first }
}
