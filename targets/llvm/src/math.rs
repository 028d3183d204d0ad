//! Functions of floats on a GPU: which library has them, and putting the library's code into a
//! module.
//!
//! The module calls placeholders, `caustic.math.sin.f32`; [`link`] gives each a body that calls
//! libclc's or libdevice's function.
//!
//! `unsafe`: LLVM's functions on a library whose code is read as it is asked for, which the crate
//! over them does not have.

use crate::approximate;
use crate::gpu::PtxOptions;
use crate::ir::{Ir, Value};
use caustic_dialects::{arith, math as m};
use caustic_ir::codes;
use caustic_ir::{Body, Diagnostic, Input, Loc, ValueId};
use caustic_native::Leaf;
use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use inkwell::llvm_sys::core::LLVMIsDeclaration;
use inkwell::llvm_sys::{LLVMOpcode as Opcode, LLVMRealPredicate as FloatCc};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::values::{AsValueRef, FunctionValue};
use std::io;
use std::path::{Path, PathBuf};

/// The C name of an op's function; of an f64, with an `f` at the end of an f32.
pub fn function(op: &str) -> Option<&'static str> {
    Some(match op {
        m::Cbrt::NAME => "cbrt",
        m::Sin::NAME => "sin",
        m::Cos::NAME => "cos",
        m::Tan::NAME => "tan",
        m::Asin::NAME => "asin",
        m::Acos::NAME => "acos",
        m::Atan::NAME => "atan",
        m::Sinh::NAME => "sinh",
        m::Cosh::NAME => "cosh",
        m::Tanh::NAME => "tanh",
        m::Asinh::NAME => "asinh",
        m::Acosh::NAME => "acosh",
        m::Atanh::NAME => "atanh",
        m::Exp::NAME => "exp",
        m::Exp2::NAME => "exp2",
        m::ExpM1::NAME => "expm1",
        m::Log::NAME => "log",
        m::Log2::NAME => "log2",
        m::Log10::NAME => "log10",
        m::Log1p::NAME => "log1p",
        m::Atan2::NAME => "atan2",
        m::PowF::NAME => "pow",
        _ => return None,
    })
}

/// `|x|^y` for a `y` that is a number and not zero: what OpenCL calls so is that of an `x` above zero.
pub const POWER_OF_SIZE: &str = "powr";

/// `x^y` for a constant `y`, made of the power of the size of `x`: that needs a look at the sign of
/// `x` at most, which LLVM mostly knows, where a power in general branches.
pub fn constant_power(ir: &mut Ir, x: Value, y: Value, power_of_size: impl FnOnce(&mut Ir) -> Value) -> Option<Value> {
    let exponent = ir.as_float(y).filter(|e| e.is_finite() && *e != 0.0)?;
    let size = power_of_size(ir);
    let ty = ir.ty(Leaf::F32);
    if exponent.fract() != 0.0 {
        // Below zero only whole powers are numbers; those of an infinity are those of its size.
        let (zero, least) = (ir.float(Leaf::F32, 0.0), ir.float(Leaf::F32, f64::NEG_INFINITY));
        let (below, some) = (ir.fcmp(FloatCc::LLVMRealOLT, x, zero), ir.fcmp(FloatCc::LLVMRealOGT, x, least));
        let none = ir.binary(Opcode::LLVMAnd, below, some);
        let nan = ir.float(Leaf::F32, f64::NAN);
        return Some(ir.select(none, nan, size));
    }
    let odd = exponent.rem_euclid(2.0) == 1.0;
    Some(if odd { ir.intrinsic("llvm.copysign", &[ty], &[size, x]) } else { size })
}

/// Whether code subtracts squares, as `1 - tanh^2` does: then functions of which that may be are
/// to be good to the last digits.
pub fn subtracts_squares(body: &Body) -> bool {
    body.walk_all().into_iter().any(|op| {
        let is_square = |&v: &ValueId| {
            let square = body.def_op(v).and_then(|def| arith::MulF::cast(body, def));
            square.is_some_and(|m| m.lhs(body) == m.rhs(body))
        };
        let apart = |&v: &ValueId| {
            let minus = body.def_op(v).and_then(|def| arith::NegF::cast(body, def));
            minus.map_or(v, |minus| minus.operand(body))
        };
        let operands = body.operands(op);
        arith::SubF::is(body, op) && operands.iter().any(is_square)
            || m::Fma::is(body, op) && apart(&operands[0]) == apart(&operands[1])
    })
}

const PREFIX: &str = "caustic.math.";

pub fn placeholder(function: &str, leaf: Leaf) -> String {
    format!("{PREFIX}{function}.{}", if leaf == Leaf::F64 { "f64" } else { "f32" })
}

/// Where Debian's package libclc-19 puts the functions for this machine.
const LIBCLC: &str = "/usr/lib/clc/nvptx64--.bc";

fn missing(message: String) -> Diagnostic {
    Diagnostic::error(codes::E0854, Loc::unknown(), message)
        .with_note("install Debian's package libclc-19, or give CUDA's libdevice.10.bc")
        .with_input(Input::Libdevice)
}

/// Gives the placeholders in `module` their code.
pub fn link<'c>(
    context: &'c Context,
    module: &Module<'c>,
    options: &PtxOptions,
    machine_tanh: bool,
) -> Result<(), Diagnostic> {
    let library = |function: &str| match approximate::function(function, options.floats.is_fast()) {
        Some(_) if function == "tanh" && machine_tanh => Some(approximate::MACHINE_TANH.0.to_string()),
        found => found,
    };
    let wanted: Vec<_> = module
        .get_functions()
        .filter_map(|f| {
            let name = f.get_name().to_string_lossy().into_owned();
            let (function, leaf) = name.strip_prefix(PREFIX)?.rsplit_once('.')?;
            Some((f, function.to_string(), leaf == "f64"))
        })
        .collect();
    let (own, wanted): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(_, function, double)| {
        // Who names a library wants its functions.
        let ours = options.floats.is_fast() || options.libdevice.is_none();
        ours && !double && library(function).is_some()
    });
    let symbols: Vec<String> = own.iter().filter_map(|(_, function, _)| library(function)).collect();
    if !own.is_empty() {
        approximate::link(context, module, &symbols)?;
    }
    for ((f, ..), symbol) in own.into_iter().zip(symbols) {
        let theirs = module.get_function(&symbol).ok_or_else(|| missing(format!("there is no `{symbol}`")))?;
        give_body(context, f, theirs)?;
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let path: PathBuf = options.libdevice.clone().unwrap_or_else(|| Path::new(LIBCLC).into());
    // What else keeps a file from being read is said by who reads it.
    if path.metadata().is_err_and(|e| e.kind() == io::ErrorKind::NotFound) {
        return Err(missing(format!("the functions of floats for GPUs are not here: {}", path.display())));
    }
    let library = read(context, &path)?;
    let libdevice = options.libdevice.is_some();
    for (f, function, double) in wanted {
        let arguments = f.get_type().count_param_types() as usize;
        let symbol = if libdevice {
            let function = if function == POWER_OF_SIZE { "pow" } else { &function };
            format!("__nv_{function}{}", if double { "" } else { "f" })
        } else {
            // As C++ would call OpenCL's overloads.
            format!("_Z{}{function}{}", function.len(), (if double { "d" } else { "f" }).repeat(arguments))
        };
        let theirs = library.get_function(&symbol);
        let theirs = theirs.ok_or_else(|| missing(format!("{} has no `{symbol}`", path.display())))?;
        let ours =
            module.get_function(&symbol).unwrap_or_else(|| module.add_function(&symbol, theirs.get_type(), None));
        ours.set_call_conventions(theirs.get_call_conventions());
        give_body(context, f, ours)?;
    }
    library.set_triple(&module.get_triple());
    library.set_data_layout(&module.get_data_layout());
    // Such functions are taken over, and their code is read, only if something calls them.
    library.get_functions().filter(|f| !is_declaration(*f)).for_each(|f| f.set_linkage(Linkage::LinkOnceODR));
    module.link_in_module(library).map_err(|e| missing(format!("{} does not fit: {e}", path.display())))
}

/// How bitcode begins, plain or in a wrapper.
const MAGIC: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];

/// A library of thousands of functions, whose code is not read yet.
fn read<'c>(context: &'c Context, path: &Path) -> Result<Module<'c>, Diagnostic> {
    let wrong = |why: &dyn std::fmt::Display| missing(format!("{} cannot be read: {why}", path.display()));
    let buffer = MemoryBuffer::create_from_file(path).map_err(|e| wrong(&e))?;
    // LLVM ends the process where the first bytes are others.
    if !MAGIC.iter().any(|magic| buffer.as_slice().starts_with(magic)) {
        return Err(wrong(&"it is no bitcode of LLVM"));
    }
    let mut module = std::ptr::null_mut();
    // SAFETY: the buffer, whole, becomes the module's own; the module, if there is one, nobody
    // else's.
    unsafe {
        let buffer = std::mem::ManuallyDrop::new(buffer);
        if LLVMGetBitcodeModuleInContext2(context.as_ctx_ref(), buffer.as_mut_ptr(), &mut module) != 0 {
            return Err(wrong(&"it is no bitcode of LLVM"));
        }
        Ok(Module::new(module))
    }
}

fn is_declaration(f: FunctionValue<'_>) -> bool {
    // SAFETY: the function's module is alive.
    unsafe { LLVMIsDeclaration(f.as_value_ref()) != 0 }
}

/// Makes `f` a call of another function.
fn give_body<'c>(context: &'c Context, f: FunctionValue<'c>, of: FunctionValue<'c>) -> Result<(), Diagnostic> {
    let internal = |e: &dyn std::fmt::Display| Diagnostic::internal(Loc::unknown(), format!("LLVM: {e}"));
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(f, "entry"));
    let args: Vec<_> = f.get_param_iter().map(Into::into).collect();
    let call = builder.build_call(of, &args, "").map_err(|e| internal(&e))?;
    call.set_call_convention(of.get_call_conventions());
    let value = call.try_as_basic_value().basic();
    let value = value.ok_or_else(|| missing(format!("`{}` has no result", of.get_name().to_string_lossy())))?;
    builder.build_return(Some(&value)).map_err(|e| internal(&e))?;
    f.set_linkage(Linkage::Internal);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_bitcode_is_refused_before_llvm_ends_the_process() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/math.rs");
        let refused = read(&Context::create(), &own).expect_err("Rust is no bitcode");
        assert!(refused.message.ends_with("math.rs cannot be read: it is no bitcode of LLVM"), "{}", refused.message);
    }
}
