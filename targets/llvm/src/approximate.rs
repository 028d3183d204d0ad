//! Division of floats on NVIDIA's processors, and their approximate instructions where the program
//! may be computed fast.
//!
//! LLVM sees an ordinary `fdiv` until it has optimized the kernel; then each becomes the code of
//! `approximate.ll`, so that quotients by the same number share its reciprocal. It must not know
//! where the module came from.

use caustic_ir::{Diagnostic, Loc};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;
use inkwell::targets::TargetMachine;
use inkwell::values::{BasicMetadataValueEnum, BasicValue, CallSiteValue, InstructionOpcode, InstructionValue};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{families, math, optimize, quotients};

const LIBRARY: &str = include_str!("approximate.ll");

pub fn internal(message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::internal(Loc::unknown(), format!("LLVM: {message}"))
}

/// Functions of f32 that the library has, by their names in C, and whether only for programs that
/// may be computed fast.
const FUNCTIONS: [(&str, bool); 11] = [
    ("exp2", false),
    ("exp", false),
    ("log", false),
    ("pow", false),
    (math::POWER_OF_SIZE, false),
    ("tanh", false),
    ("log2", true),
    ("log10", true),
    ("tan", true),
    ("sin", false),
    ("cos", false),
];

/// The function of the library that stands for one of C, of f32.
pub fn function(name: &str, fast: bool) -> Option<String> {
    FUNCTIONS.iter().find(|(n, only_fast)| *n == name && (fast || !only_fast))?;
    Some(format!("caustic.{name}.{}", if fast { "fast" } else { "exact" }))
}

/// The machine's own `tanh`, and the first architecture that has it. A kernel that computes
/// derivatives from it needs a better one.
pub const MACHINE_TANH: (&str, u32) = ("caustic.tanh.machine", 75);

/// What stands for exact quotients, which `quotients` computes together.
pub const DIVISION: &str = "caustic.div.exact";
pub const RECIPROCAL: &str = "caustic.rcp.exact";

/// Puts functions of the library into a module, and those that they call.
pub fn link<'c>(context: &'c Context, module: &Module<'c>, wanted: &[String]) -> Result<(), Diagnostic> {
    let text = MemoryBuffer::create_from_memory_range_copy(needed(wanted).as_bytes(), "approximate.ll");
    let library = context.create_module_from_ir(text).map_err(internal)?;
    library.set_triple(&module.get_triple());
    library.set_data_layout(&module.get_data_layout());
    module.link_in_module(library).map_err(internal)
}

/// The library's text without the functions that nobody wants: reading and inlining all of them
/// takes as long as a small kernel does.
fn needed(wanted: &[String]) -> String {
    let all = LIBRARY.to_string() + &families::text();
    let (mut out, mut functions) = (String::new(), FxHashMap::default());
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in all.split_inclusive('\n') {
        match open {
            None if line.starts_with("define") => open = names(line).next().map(|name| (name, at)),
            // What is no function is small.
            None if !line.starts_with(';') => out += line,
            Some((name, start)) if line.starts_with('}') => {
                functions.insert(name, &all[start..at + line.len()]);
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    let mut work: Vec<&str> = wanted.iter().map(String::as_str).collect();
    while let Some(name) = work.pop() {
        // What has been taken is asked for no more.
        let Some(text) = functions.remove(name) else { continue };
        out += text;
        work.extend(names(text));
    }
    out
}

/// The library's symbols that a text names.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let end = |c: char| !c.is_ascii_alphanumeric() && c != '.';
    text.split('@').skip(1).filter_map(move |rest| rest.split(end).next()).filter(|name| name.starts_with("caustic."))
}

/// The function that stands for an instruction, and the first operand that it takes.
pub fn instead(op: InstructionValue<'_>, fast: bool) -> Option<(&'static str, u32)> {
    if op.get_opcode() == InstructionOpcode::FRem {
        return Some((remainder(op)?, 0));
    }
    if let Some(conversion) = conversion(op) {
        return Some((conversion, 0));
    }
    if !op.get_type().is_float_type() || op.get_type().into_float_type().get_bit_width() != 32 {
        return None;
    }
    match op.get_opcode() {
        InstructionOpcode::FDiv => {
            let dividend = op.get_operand(0)?.value()?.into_float_value();
            let one = dividend.get_constant().is_some_and(|(value, _)| value == 1.0);
            Some(match (one, fast) {
                (true, true) => ("caustic.rcp.fast", 1),
                (true, false) => (RECIPROCAL, 1),
                (false, true) => ("caustic.div.fast", 0),
                (false, false) => (DIVISION, 0),
            })
        }
        InstructionOpcode::Call if fast => {
            let callee = CallSiteValue::try_from(op).ok()?.get_called_fn_value()?;
            (callee.get_name().to_bytes() == b"llvm.sqrt.f32").then_some(("caustic.sqrt.fast", 0))
        }
        _ => None,
    }
}

/// The function that stands for a conversion to an integer: the machine's instruction gives the
/// nearest integer that there is, and 0 for NaN, which LLVM does not know.
fn conversion(op: InstructionValue<'_>) -> Option<&'static str> {
    if op.get_opcode() != InstructionOpcode::Call {
        return None;
    }
    match CallSiteValue::try_from(op).ok()?.get_called_fn_value()?.get_name().to_bytes() {
        b"llvm.fptosi.sat.i32.f32" => Some("caustic.int.signed"),
        b"llvm.fptoui.sat.i32.f32" => Some("caustic.int.unsigned"),
        _ => None,
    }
}

/// The function that stands for a remainder, which LLVM computes by a rounded quotient.
fn remainder(op: InstructionValue<'_>) -> Option<&'static str> {
    op.get_type().is_float_type().then_some(())?;
    let divisor = op.get_operand(1)?.value().filter(|v| v.is_float_value())?.into_float_value();
    match divisor.get_type().get_bit_width() {
        16 => return Some("caustic.rem.f16"),
        64 => return Some("caustic.rem.f64"),
        _ => {}
    }
    let by = divisor.get_constant().map_or(0.0, |(value, _)| value.abs());
    let power_of_two = (1.0..=f64::from(126).exp2()).contains(&by) && by.to_bits().trailing_zeros() >= 52;
    Some(if power_of_two { "caustic.rem.two" } else { "caustic.rem.f32" })
}

/// Replaces what an optimized module computes by the library, and tidies up.
pub fn lower<'c>(
    context: &'c Context,
    module: &Module<'c>,
    machine: &TargetMachine,
    kernel: &str,
    fast: bool,
) -> Result<(), Diagnostic> {
    let instructions = |m: &Module<'c>| -> Vec<InstructionValue<'c>> {
        let blocks = m.get_functions().flat_map(|f| f.get_basic_blocks());
        blocks.flat_map(|b| b.get_instructions()).collect()
    };
    let found: Vec<_> = instructions(module).into_iter().filter_map(|op| Some((op, instead(op, fast)?))).collect();
    if found.is_empty() {
        return Ok(());
    }
    let divides = found.iter().any(|(_, (function, _))| [DIVISION, RECIPROCAL].contains(function));
    let mut wanted: Vec<String> = found.iter().map(|(_, (function, _))| function.to_string()).collect();
    if divides {
        wanted.extend(families::names(module.get_function("llvm.sqrt.f32").is_some()));
    }
    link(context, module, &wanted)?;
    let builder = context.create_builder();
    let done = if fast { FxHashSet::default() } else { quotients::lower(&builder, module)? };
    for (op, (function, first)) in found.into_iter().filter(|(op, _)| !done.contains(op)) {
        let f = module.get_function(function).ok_or_else(|| internal(format!("no `{function}`")))?;
        builder.position_before(&op);
        // Operands that were replaced themselves are what stands for them by now.
        let count = first + f.count_params();
        let args: Option<Vec<BasicMetadataValueEnum<'_>>> =
            (first..count).map(|i| Some(op.get_operand(i)?.value()?.into())).collect();
        let args = args.ok_or_else(|| internal("an instruction without its operands"))?;
        let call = builder.build_call(f, &args, "").map_err(internal)?;
        let value = call.try_as_basic_value().basic().ok_or_else(|| internal("a call without a value"))?;
        op.replace_all_uses_with(&value.as_instruction_value().ok_or_else(|| internal("a call that is none"))?);
        op.erase_from_basic_block();
    }
    optimize::tidy_for_gpu(module, machine, kernel)
}
