//! Compiling a module for this machine and calling its functions.

use crate::machine::Clif;
use crate::module::{Built, Callee, ModuleCx};
use crate::rare;
use caustic_ir::{CancelToken, Diagnostic, Loc, Module, Name};
use caustic_native::calls::{reachable, resources, stack_need};
use caustic_native::{Code, Entry, EntryFn, Helper, Kernel, Leaf, Leaves};
use caustic_runtime::KernelInterface;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Signature, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module as _};
use rustc_hash::FxHashMap;

/// How the code generator optimizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OptLevel {
    None,
    #[default]
    Speed,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// Asked before each function.
    pub cancel: CancelToken,
    pub opt_level: OptLevel,
    /// Checks the generated code before it is compiled; a defect becomes a diagnostic instead of
    /// wrong code.
    pub verify: bool,
    /// Whether loops look at [`caustic_runtime::Traps::stop`].
    pub interruptible: bool,
    /// Bytes that a thread may have for large arrays and tapes.
    pub storage_bytes: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cancel: CancelToken::new(),
            opt_level: OptLevel::Speed,
            verify: cfg!(debug_assertions),
            interruptible: false,
            storage_bytes: 1 << 30,
        }
    }
}

/// Addresses that are kept for the code of a module, in bytes: half of what an instruction reaches.
/// Memory is taken as code needs it.
const CODE_SPACE: usize = 1 << 30;

/// Functions that wait for being compiled, at most: they take more memory than what comes of them.
const BATCH: usize = 64;

fn internal(message: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::internal(Loc::unknown(), message.to_string())
}

fn machine(options: &Options) -> Result<JITModule, Diagnostic> {
    let mut flags = settings::builder();
    let opt_level = match options.opt_level {
        OptLevel::None => "none",
        OptLevel::Speed => "speed",
    };
    let chosen = [
        ("opt_level", opt_level),
        ("enable_verifier", if options.verify { "true" } else { "false" }),
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("preserve_frame_pointers", "true"),
        // A frame larger than a page touches each of its pages in order, so that it cannot step
        // over the guard page.
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("unwind_info", "false"),
    ];
    for (name, value) in chosen {
        flags.set(name, value).map_err(internal)?;
    }
    let isa = cranelift_native::builder().map_err(internal)?.finish(settings::Flags::new(flags)).map_err(internal)?;
    let mut builder = JITBuilder::with_isa(isa, cranelift_module::default_libcall_names());
    // Where a process has much memory, pieces of code that are mapped one by one come to lie
    // further apart than they can reach.
    if let Ok(together) = ArenaMemoryProvider::new_with_size(CODE_SPACE) {
        builder.memory_provider(Box::new(together));
    }
    builder.symbols(Helper::ALL.iter().map(|h| (h.symbol(), h.address())));
    Ok(JITModule::new(builder))
}

/// Owns the instructions.
struct Memory(Option<JITModule>);

// SAFETY: after compilation the code is only run, never changed.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(code) = self.0.take() {
            // SAFETY: nothing runs the code any more, since running borrows what owns this.
            unsafe { code.free_memory() };
        }
    }
}

/// The entry point of `interface`, ready to run.
pub fn compile_kernel(module: &Module, interface: &KernelInterface, options: Options) -> Result<Kernel, Diagnostic> {
    Ok(Kernel::new(compile(module, &[interface.entry], options)?, module, interface))
}

/// Compiles the functions `roots`, which can be called afterwards, and whatever they call.
pub fn compile(module: &Module, roots: &[Name], options: Options) -> Result<Code, Diagnostic> {
    let mut cx = ModuleCx::new(module, machine(&options)?, options.interruptible);
    let (order, cyclic) = reachable(module, roots);
    for name in resources(module, &order) {
        cx.tables.global(module, name, Loc::unknown())?;
    }
    let mut frames = FxHashMap::default();
    for batch in order.chunks(BATCH) {
        let build = |name: &Name| {
            options.cancel.check()?;
            cx.build(*name, cyclic.contains(name))
        };
        let built: Result<Vec<Built>, Diagnostic> = batch.iter().map(build).collect();
        options.cancel.check()?;
        frames.extend(batch.iter().copied().zip(cx.define(built?)?));
    }
    let need = stack_need(module, &order, &frames);
    let mut wrappers: Vec<(Name, FuncId, Callee)> = Vec::new();
    for (number, &root) in roots.iter().enumerate() {
        let callee = cx.callee(root, Loc::unknown())?;
        let (id, built) = wrapper(&mut cx, &callee, number)?;
        *frames.entry(root).or_default() += cx.define(vec![built])?.iter().sum::<u64>();
        wrappers.push((root, id, callee));
    }
    let rare = rare::functions(&mut cx)?;
    cx.define(rare)?;
    cx.jit.finalize_definitions().map_err(internal)?;

    let mut entries = FxHashMap::default();
    for (name, id, _) in wrappers {
        // SAFETY: the wrapper was compiled with this signature.
        let code = unsafe { std::mem::transmute::<*const u8, EntryFn>(cx.jit.get_finalized_function(id)) };
        let stack = (!cyclic.contains(&name)).then(|| need.get(&name).copied().unwrap_or(0) + 256);
        entries.extend(Entry::new(module, name, code, stack).map(|entry| (name, entry)));
    }
    let frames = frames.values().sum::<u64>();
    Ok(Code::new(cx.tables, entries, frames, options.storage_bytes, Box::new(Memory(Some(cx.jit)))))
}

/// A function with which the host calls another, whatever its signature.
fn wrapper(cx: &mut ModuleCx<'_>, callee: &Callee, number: usize) -> Result<(FuncId, Built), Diagnostic> {
    let mut sig = Signature::new(cx.call_conv);
    sig.params.extend([AbiParam::new(types::I64); 3]);
    sig.returns.push(AbiParam::new(types::I32));
    let id = cx.jit.declare_function(&format!("entry {number}"), Linkage::Local, &sig).map_err(internal)?;
    // The shape is that of no IR function, so the signature is set by hand.
    let shape = Callee { id, params: [Leaves::from_slice(&[Leaf::I64; 2])].into(), results: Leaves::new() };
    let built = cx.build_with(&shape, Loc::unknown(), |mut b, cx| {
        let block = b.create_block();
        b.append_block_params_for_function_params(block);
        b.switch_to_block(block);
        let (context, words, out) = match *b.block_params(block) {
            [context, words, out] => (context, words, out),
            _ => return Err(internal("the wrapper's parameters")),
        };
        let mut args = vec![context];
        if callee.returns_in_memory() {
            args.push(out);
        }
        for (i, leaf) in callee.params.iter().flatten().enumerate() {
            args.push(b.ins().load(leaf.clif(), MemFlagsData::trusted(), words, (i * 8) as i32));
        }
        let f = cx.jit.declare_func_in_func(callee.id, b.func);
        let call = b.ins().call(f, &args);
        let returned = b.inst_results(call).to_vec();
        if !callee.returns_in_memory() {
            for (i, &v) in returned[1..].iter().enumerate() {
                b.ins().store(MemFlagsData::trusted(), v, out, (i * 8) as i32);
            }
        }
        b.ins().return_(&returned[..1]);
        b.seal_all_blocks();
        let config = cx.frontend_config();
        b.finalize(config);
        Ok(())
    })?;
    Ok((id, built))
}
