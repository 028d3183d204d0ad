//! How GLSL writes values, memory and entry points.

use crate::lang::syntax::{Begin, C, Declared, Entry, EntryText, Memory, Small, Syntax, Uniforms, Values, guard};
use crate::tree::Compare;
use caustic_dialects::reflect::Scalar;
use std::fmt::Write;

/// Words of layouts, that compilers take for types where there are types of these names.
const LAYOUTS: &[&str] = &[
    "align",
    "binding",
    "buffer_reference",
    "buffer_reference_align",
    "component",
    "constant_id",
    "index",
    "local_size_x",
    "local_size_x_id",
    "local_size_y",
    "local_size_y_id",
    "local_size_z",
    "local_size_z_id",
    "location",
    "offset",
    "packed",
    "push_constant",
    "scalar",
    "set",
    "std140",
    "std430",
];

pub static SYNTAX: Syntax = Syntax {
    statements: C,
    values: Values::Constructed,
    splat: |word, value| format!("{word}({value})"),
    zero: None,
    compare: Some(|how| match how {
        Compare::Equal => "equal",
        Compare::NotEqual => "notEqual",
        Compare::Less => "lessThan",
        Compare::LessEqual => "lessThanEqual",
        Compare::Greater => "greaterThan",
        Compare::GreaterEqual => "greaterThanEqual",
    }),
    not: Some("not"),
    mix: Some(|no, yes, condition| format!("mix({no}, {yes}, {condition})")),
    matrix: None,
    truth: Scalar::U8,
    update: |function, at, args, old| match old {
        Some((word, name)) => format!("{word} {name} = {function}({at}, {args});"),
        None => format!("{function}({at}, {args});"),
    },
    pointed: None,
    length: None,
    small: Small::Native,
    halves_called: false,
    empty_structs: false,
    texels: true,
    modifiers: LAYOUTS,
    returns_arrays: false,
    wide_words: false,
    halves: |number| format!("unpackUint2x32(uint64_t({number}))"),
    joined: |low, high| format!("packUint2x32(uvec2({low}, {high}))"),
    wide_updates: &["GL_EXT_shader_atomic_int64"],
    memory: Memory {
        shared: "shared",
        views: true,
        precise: true,
        scalar: true,
        pads: true,
        packed: None,
        words: false,
        blocks: true,
        single: true,
        register: None,
    },
    rewritten: str::to_string,
    entry_name: Some("main"),
    ids: &[],
    begin,
    around: |text| {
        if text.bound {
            text.extensions.insert("GL_EXT_scalar_block_layout");
        }
        if text.aliased {
            text.extensions.insert("GL_EXT_spirv_intrinsics");
        }
        let (begin, end) = guard(&format!("{}_glsl", text.name));
        let enabled = text.extensions.iter().map(|e| format!("#extension {e} : require\n"));
        (begin + &enabled.collect::<String>(), end)
    },
    entry: |entry: &Entry<'_>| EntryText { head: format!("void {}()", entry.name), ..EntryText::default() },
    buffer,
    uniforms: Uniforms::Block {
        member: |offset, word, name| format!("layout(offset = {offset}) {word} {name};"),
        block: |binding, in_storage, name, members| {
            let declared = if in_storage { "readonly buffer" } else { "uniform" };
            format!("layout(scalar, set = 0, binding = {binding}) {declared} {name} {{\n{members}}};\n")
        },
    },
    handed: false,
};

/// SPIR-V's decoration of variables in the same memory.
const ALIASED: &str = "spirv_decorate(20) ";

/// SPIR-V's SignedZeroInfNanPreserve and RoundingModeRTE, each with its capability.
const FLOAT_MODES: [(u32, u32); 2] = [(4466, 4461), (4467, 4462)];

fn begin(begin: Begin<'_>) -> String {
    let mut out = String::from("#version 460\n");
    begin.extensions.insert("GL_EXT_scalar_block_layout");
    if !begin.floats.is_empty() || begin.aliased {
        begin.extensions.insert("GL_EXT_spirv_intrinsics");
    }
    for extension in &*begin.extensions {
        let _ = writeln!(out, "#extension {extension} : require");
    }
    // Zeros keep their signs, infinities and what is no number stay what they are, and what is
    // rounded is rounded to the nearest. Glslang keeps one width: that of `float`, if it is
    // used.
    if let Some(width) = begin.floats.get(&32).or_else(|| begin.floats.last()) {
        for (capability, mode) in FLOAT_MODES {
            let _ = writeln!(
                out,
                "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [{capability}], {mode}, {width});"
            );
        }
    }
    let [x, y, z] = begin.threads;
    out + &format!("\nlayout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;\n")
}

fn buffer(b: &Declared<'_>) -> String {
    let access = match (b.written, b.aliased) {
        (true, true) => ALIASED,
        (true, false) => "",
        (false, _) => "readonly ",
    };
    let exact = if b.exact { "precise " } else { "" };
    let (binding, block, word, name) = (b.binding, b.block, b.word, b.name);
    let many = if b.single { "" } else { "[]" };
    format!("layout(scalar, set = 0, binding = {binding}) {access}buffer {block} {{ {exact}{word} {name}{many}; }};\n")
}
