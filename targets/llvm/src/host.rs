//! LLVM for this machine: optimized code in memory.

use crate::assembler::{Machine, Unit};
use crate::debug::Lines;
use crate::ir::{Function, Ir, Opcode, Ty, Value};
use crate::wide::Plan;
use crate::{elementary, embed, optimize, wide};
use caustic_ir::{CancelToken, Diagnostic, Loc, Module, Name};
use caustic_native::calls::{reachable, resources};
use caustic_native::{Code, Entry, EntryFn, Failure, Helper, Kernel, Leaf, Tables};
use caustic_runtime::{Floats, KernelInterface};
use inkwell::context::Context;
use inkwell::llvm_sys::error::{LLVMConsumeError, LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::execution_engine::LLVMCreateGDBRegistrationListener;
use inkwell::llvm_sys::orc2::ee::*;
use inkwell::llvm_sys::orc2::lljit::*;
use inkwell::llvm_sys::orc2::*;
use inkwell::targets::TargetMachine;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::{CStr, CString, c_char, c_void};

#[derive(Clone, Debug)]
pub struct Options {
    /// Asked before each function and between the steps of the whole module. LLVM itself does not
    /// look at it.
    pub cancel: CancelToken,
    /// Whether loops look at [`caustic_runtime::Traps::stop`].
    pub interruptible: bool,
    /// Bytes that a thread may have for large arrays and tapes.
    pub storage_bytes: usize,
    /// How many threads of a kernel run together, even if a group has fewer; 1 is one after the
    /// other. `None` leaves it to the compiler.
    pub lanes: Option<usize>,
    /// `Fast` has functions of f64 by vectors, within 4 ulp.
    pub floats: Floats,
    /// Whether the code has tables of the source lines that its instructions are from.
    pub lines: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cancel: CancelToken::new(),
            interruptible: false,
            storage_bytes: 1 << 30,
            lanes: None,
            floats: Floats::Exact,
            lines: false,
        }
    }
}

/// This machine.
pub struct Host;

impl Machine for Host {
    const HOSTED: bool = true;

    fn math(ir: &mut Ir, name: &'static str, leaf: Leaf, args: &[Value]) -> Option<Value> {
        if leaf == Leaf::F32
            && let Some(value) = elementary::call(ir, name, args)
        {
            return Some(value);
        }
        let name = crate::math::function(name)?;
        let name = if leaf == Leaf::F32 { format!("{name}f") } else { name.to_string() };
        let ty = ir.ty(leaf);
        let ty = ir.function_type(&vec![ty; args.len()], ty, false);
        let f = ir.declare(&name, ty);
        // Errors are told by results; nobody reads `errno`.
        for attribute in ["nounwind", "willreturn", "nofree", "nosync", "nocallback"] {
            ir.attribute(f, -1, attribute, 0);
        }
        // No memory at all.
        ir.attribute(f, -1, "memory", 0);
        Some(ir.call(f, args))
    }

    fn round_to_f16(ir: &mut Ir, value: Value) -> Value {
        let (double, float, half) = (ir.ty(Leaf::F64), ir.ty(Leaf::F32), ir.ty(Leaf::F16));
        let ty = ir.function_type(&[double], float, false);
        let f = ir.declare(Helper::NarrowF16.symbol(), ty);
        let rounded = ir.call(f, &[value]);
        ir.cast(Opcode::LLVMFPTrunc, rounded, half)
    }

    fn fail(ir: &mut Ir, context: Value, failure: Failure, site: u32) {
        let (pointer, word) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I32));
        let ty = ir.function_type(&[pointer, word, word], word, false);
        let f = ir.declare(Helper::Fail.symbol(), ty);
        let (kind, site) = (ir.int(Leaf::I32, failure as i64), ir.int(Leaf::I32, i64::from(site)));
        ir.call(f, &[context, kind, site]);
    }

    fn attributes(ir: &Ir, f: Function) {
        ir.attribute(f, -1, "nounwind", 0);
        // What needs more than a page of stack touches each, so that it cannot step over the guard
        // page.
        ir.text_attribute(f, "probe-stack", "inline-asm");
        // The machine's estimates, made better by a step of Newton's, are NaN at zeros and
        // infinities and far off at subnormal numbers: `rsqrt(0)`, and `normalize` of a short
        // vector.
        ir.text_attribute(f, "reciprocal-estimates", "none");
    }
}

/// Owns the instructions.
struct Memory(LLVMOrcLLJITRef);

// SAFETY: after compilation the code is only run, never changed.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: nothing runs the code any more, since running borrows what owns this.
        unsafe {
            let error = LLVMOrcDisposeLLJIT(self.0);
            if !error.is_null() {
                LLVMConsumeError(error);
            }
        }
    }
}

fn check(error: LLVMErrorRef) -> Result<(), Diagnostic> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the message is ours to free.
    let message = unsafe {
        let raw = LLVMGetErrorMessage(error);
        let message = CStr::from_ptr(raw).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(raw);
        message
    };
    Err(Diagnostic::internal(Loc::unknown(), format!("LLVM: {message}")))
}

/// The entry point of `interface`, ready to run.
pub fn compile_kernel(module: &Module, interface: &KernelInterface, options: Options) -> Result<Kernel, Diagnostic> {
    let machine = optimize::host_machine()?;
    let context = Context::create();
    let (built, plan) = build_kernel(&context, module, interface, &options)?;
    let code = finish(module, &[interface.entry], &options, &machine, built)?;
    let kernel = Kernel::new(code, module, interface);
    Ok(match plan {
        Some(Plan { lanes, apart: true }) => kernel.of_lanes(lanes as u32),
        Some(Plan { lanes, apart: false }) => kernel.of_whole_groups(lanes as u32),
        None => kernel,
    })
}

/// The kernel's code, and how its threads run together.
fn build_kernel<'c>(
    context: &'c Context,
    module: &Module,
    interface: &KernelInterface,
    options: &Options,
) -> Result<(Built<'c>, Option<Plan>), Diagnostic> {
    let (order, cyclic) = reachable(module, &[interface.entry]);
    let Some(plan) = wide::plan(module, interface, &order, &cyclic, options.lanes) else {
        return Ok((build(context, module, &[interface.entry], options)?, None));
    };
    let llvm = context.create_module("caustic");
    // SAFETY: both outlive the unit, which ends here.
    let ir = unsafe { Ir::new(context.raw(), llvm.as_mut_ptr()) };
    let mut unit = unit(module, ir, interface.entry, options);
    unit.name_resources(resources(module, &order).into_iter())?;
    wide::build(&mut unit, interface, plan, &entry_name(0))?;
    let tables = unit.tables;
    Ok((Built { module: llvm, tables, cyclic }, Some(plan)))
}

/// Compiles the functions `roots`, which can be called afterwards, and whatever they call.
pub fn compile(module: &Module, roots: &[Name], options: Options) -> Result<Code, Diagnostic> {
    let machine = optimize::host_machine()?;
    let context = Context::create();
    let built = build(&context, module, roots, &options)?;
    finish(module, roots, &options, &machine, built)
}

/// Optimized code in memory.
fn finish(
    module: &Module,
    roots: &[Name],
    options: &Options,
    machine: &TargetMachine,
    built: Built<'_>,
) -> Result<Code, Diagnostic> {
    options.cancel.check()?;
    optimize::run(&built.module, machine)?;
    options.cancel.check()?;
    let frames = optimize::frame_bound(&built.module);
    let object = optimize::object(&built.module, machine)?;
    options.cancel.check()?;
    let jit = link(object, options.lines)?;
    let mut entries = FxHashMap::default();
    for (number, &root) in roots.iter().enumerate() {
        let name = CString::new(entry_name(number)).unwrap_or_default();
        let mut address: LLVMOrcExecutorAddress = 0;
        // SAFETY: the JIT is alive.
        check(unsafe { LLVMOrcLLJITLookup(jit.0, &mut address, name.as_ptr()) })?;
        // SAFETY: the entry was compiled with this signature.
        let code = unsafe { std::mem::transmute::<usize, EntryFn>(address as usize) };
        let stack = (!built.cyclic.contains(&root)).then_some(frames);
        entries.extend(Entry::new(module, root, code, stack).map(|entry| (root, entry)));
    }
    Ok(Code::new(built.tables, entries, frames, options.storage_bytes, Box::new(jit)))
}

/// The kernel as LLVM's text or as this machine's assembly, optimized.
pub fn compile_text(
    module: &Module,
    interface: &KernelInterface,
    assembly: bool,
    options: Options,
) -> Result<String, Diagnostic> {
    let machine = optimize::host_machine()?;
    let context = Context::create();
    let (built, _) = build_kernel(&context, module, interface, &options)?;
    options.cancel.check()?;
    optimize::run(&built.module, &machine)?;
    options.cancel.check()?;
    if assembly { optimize::assembly(&built.module, &machine) } else { Ok(built.module.print_to_string().to_string()) }
}

/// A kernel for programs in C.
pub struct Object {
    /// A file of this machine's objects.
    pub bytes: Vec<u8>,
    /// What declares it in C.
    pub header: String,
}

/// The kernel as an object file that needs nothing of this compiler.
pub fn compile_object(module: &Module, interface: &KernelInterface, options: Options) -> Result<Object, Diagnostic> {
    let machine = optimize::host_machine()?;
    let context = Context::create();
    let built = embed::build(&context, module, interface, &options)?;
    options.cancel.check()?;
    optimize::run(&built.module, &machine)?;
    options.cancel.check()?;
    let bytes = optimize::object(&built.module, &machine)?.as_slice().to_vec();
    let counted = crate::gpu::counted(module, &reachable(module, &[interface.entry]).0);
    let loc = module.get(interface.entry).map_or(Loc::unknown(), |s| s.loc);
    let name = crate::names::in_c(&interface.entry, loc)?;
    let header = crate::header::of(interface, &name, |param| counted.contains(&param.symbol));
    Ok(Object { bytes, header })
}

/// A module of LLVM's, not optimized yet.
pub(crate) struct Built<'c> {
    pub module: inkwell::module::Module<'c>,
    pub tables: Tables,
    /// Functions that may be under way several times.
    pub cyclic: FxHashSet<Name>,
}

/// A module to be built for this machine; `entry` is the function that it is for.
pub(crate) fn unit<'m>(module: &'m Module, ir: Ir, entry: Name, options: &Options) -> Unit<'m> {
    let mut unit = Unit::new(module, ir, options.interruptible, options.cancel.clone());
    unit.ir.floats = options.floats;
    if options.lines {
        unit.ir.keep_lines(Lines::Tables, module.get(entry).map_or(Loc::unknown(), |s| s.loc));
    }
    unit
}

fn entry_name(number: usize) -> String {
    format!("entry.{number}")
}

pub(crate) fn build<'c>(
    context: &'c Context,
    module: &Module,
    roots: &[Name],
    options: &Options,
) -> Result<Built<'c>, Diagnostic> {
    let llvm = context.create_module("caustic");
    // SAFETY: both outlive the unit, which ends here.
    let ir = unsafe { Ir::new(context.raw(), llvm.as_mut_ptr()) };
    let first = roots.first().copied().unwrap_or_else(|| Name::from(""));
    let mut unit = unit(module, ir, first, options);
    let (order, cyclic) = reachable(module, roots);
    unit.name_resources(resources(module, &order).into_iter())?;
    for &name in &order {
        unit.build::<Host>(name, cyclic.contains(&name))?;
    }
    for (number, &root) in roots.iter().enumerate() {
        wrapper(&mut unit, root, &entry_name(number))?;
    }
    let tables = unit.tables;
    Ok(Built { module: llvm, tables, cyclic })
}

/// A function with which the host calls another, whatever its signature.
pub(crate) fn wrapper(unit: &mut Unit<'_>, root: Name, name: &str) -> Result<(), Diagnostic> {
    let loc = unit.symbol(root, Loc::unknown())?.loc;
    let callee = unit.callee::<Host>(root, loc)?;
    let ir = &mut unit.ir;
    let (pointer, status) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I32));
    let ty = ir.function_type(&[pointer; 3], status, false);
    let f = ir.declare(name, ty);
    Host::attributes(ir, f);
    ir.describe(f, name, loc);
    let block = ir.block(f);
    ir.switch_to(block);
    let [context, words, out] = [0, 1, 2].map(|i| ir.param(f, i));
    let word_at = |ir: &mut Ir, base: Value, i: usize| {
        let offset = ir.int(Leaf::I64, i as i64 * 8);
        ir.at(base, offset)
    };
    let mut args = vec![context];
    for (i, &leaf) in callee.params.iter().flatten().enumerate() {
        let at = word_at(ir, words, i);
        // As the host writes words: an i1 is a byte, an f16 an f32.
        args.push(match leaf {
            Leaf::I1 => {
                let (byte, bit) = (ir.ty(Leaf::I8), ir.ty(Leaf::I1));
                let byte = ir.load(byte, at, 8);
                ir.cast(Opcode::LLVMTrunc, byte, bit)
            }
            Leaf::F16 => {
                let (single, half) = (ir.ty(Leaf::F32), ir.ty(Leaf::F16));
                let single = ir.load(single, at, 8);
                ir.cast(Opcode::LLVMFPTrunc, single, half)
            }
            leaf => {
                let ty = ir.ty(leaf);
                ir.load(ty, at, 8)
            }
        });
    }
    let record = ir.call(callee.function, &args);
    for (i, &leaf) in callee.results.iter().enumerate() {
        let at = word_at(ir, out, i);
        let value = ir.extract(record, i + 1);
        let as_ty: Option<(Opcode, Ty)> = match leaf {
            Leaf::I1 => Some((Opcode::LLVMZExt, ir.ty(Leaf::I8))),
            Leaf::F16 => Some((Opcode::LLVMFPExt, ir.ty(Leaf::F32))),
            _ => None,
        };
        let value = as_ty.map_or(value, |(op, ty)| ir.cast(op, value, ty));
        ir.store(value, at, 8);
    }
    let stopped = ir.extract(record, 0);
    let stopped = ir.cast(Opcode::LLVMZExt, stopped, status);
    ir.ret(Some(stopped));
    Ok(())
}

/// Where objects are put in memory that a debugger is told of.
extern "C" fn told_to_debuggers(
    _: *mut c_void,
    session: LLVMOrcExecutionSessionRef,
    _: *const c_char,
) -> LLVMOrcObjectLayerRef {
    // SAFETY: the session is the caller's; the listener, of which there is one, lives as long as
    // the process.
    unsafe {
        let layer = LLVMOrcCreateRTDyldObjectLinkingLayerWithSectionMemoryManager(session);
        LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(layer, LLVMCreateGDBRegistrationListener());
        layer
    }
}

/// Puts an object into memory, with the helpers that it calls.
fn link(object: inkwell::memory_buffer::MemoryBuffer<'static>, lines: bool) -> Result<Memory, Diagnostic> {
    // SAFETY: each handle is used as LLVM's documentation of its C interface says; what
    // `LLVMOrc…Add…` and `…Define` take is theirs.
    unsafe {
        let mut jit = std::ptr::null_mut();
        let builder = LLVMOrcCreateLLJITBuilder();
        if lines {
            LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, told_to_debuggers, std::ptr::null_mut());
        }
        check(LLVMOrcCreateLLJIT(&mut jit, builder))?;
        let memory = Memory(jit);
        let library = LLVMOrcLLJITGetMainJITDylib(jit);
        let mut symbols: Vec<LLVMOrcCSymbolMapPair> = Helper::ALL
            .iter()
            .map(|helper| {
                let name = CString::new(helper.symbol()).unwrap_or_default();
                LLVMOrcCSymbolMapPair {
                    Name: LLVMOrcLLJITMangleAndIntern(jit, name.as_ptr()),
                    Sym: LLVMJITEvaluatedSymbol {
                        Address: helper.address() as u64,
                        Flags: LLVMJITSymbolFlags { GenericFlags: 1, TargetFlags: 0 },
                    },
                }
            })
            .collect();
        check(LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len())))?;
        let mut process = std::ptr::null_mut();
        check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&mut process, 0, None, std::ptr::null_mut()))?;
        LLVMOrcJITDylibAddGenerator(library, process);
        let buffer = object.as_mut_ptr();
        std::mem::forget(object);
        check(LLVMOrcLLJITAddObjectFile(jit, library, buffer))?;
        Ok(memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_dialects::func;
    use caustic_ir::{Attr, Builder, SymbolOp, Type};

    #[test]
    fn a_set_flag_ends_the_compilation() {
        let mut symbol = SymbolOp::new(func::Func::DEF, Name::new("f"), Loc::unknown());
        symbol.set_attr("function_type", Attr::ty(Type::function(&[], &[])));
        let root = symbol.body.root();
        let block = symbol.body.add_block(root, &[]);
        func::Return::build(&mut Builder::at_end(&mut symbol.body, block, Loc::unknown()), &[], &[]);
        let mut module = Module::new();
        module.put(symbol);
        let options = Options::default();
        let compiled = || compile(&module, &[Name::new("f")], options.clone());
        assert!(compiled().is_ok());
        options.cancel.cancel();
        assert!(compiled().is_err());
    }
}
