//! The way of a program through the crates: front end, passes, target. Each step is one function; the commands in
//! [`crate::run`] put them together.

use crate::cli::{Backend, CodeOptions, EmitOptions, SourceOptions, Stage, Target};
use crate::sources::Sources;
use caustic_dialects::signature::DIFFERENTIABLE;
use caustic_dialects::{agg, gpu, reflect};
use caustic_frontend::SourceLoader;
use caustic_ir::text::{self, PrintOptions};
use caustic_ir::{Diagnostic, Fault, Loc, Module, Name, Registry, SymbolOp, Type};
use caustic_passes::analysis::cost::{CPU, GPU};
use caustic_passes::analysis::stage;
use caustic_passes::autodiff::{self, Corners, Policy, derivative_symbol, given};
use caustic_passes::optimize::symbol_dce::{self, Roots};
use caustic_passes::pipelines::{self, Standard};
use caustic_runtime::{Executor, KernelInterface, Launch, Trap};
use std::borrow::Cow;

/// A step's failure: what it found.
pub type Errors = Vec<Diagnostic>;

/// A program after the front end: the module it made, unless a finding is an error.
pub struct FrontEnd {
    pub module: Option<Module>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Source to `hl`; a `.mlir` file is a module at any level, taken as it stands.
pub fn front_end(source: &SourceOptions, sources: &mut Sources<'_>) -> FrontEnd {
    if source.file.ends_with(".mlir") {
        return resume(&source.file, sources);
    }
    let options = caustic_frontend::Options {
        defines: source.defines.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect(),
        conformances: source.conformances.clone(),
        matrix_layout: source.matrix_layout,
        version: source.version,
        global_types: source.global_types.clone(),
        stand_ins: source.stand_ins,
        entry: source.entry.clone(),
        entry_types: source.entry_types.clone(),
    };
    let compiled = caustic_frontend::compile(sources, &source.file, &options);
    sources.keep(compiled.files);
    FrontEnd { module: compiled.module, diagnostics: compiled.diagnostics }
}

/// Reads a module as text. Every pass leaves alone what is behind it already, so the way can be gone on from anywhere.
fn resume(file: &str, sources: &mut Sources<'_>) -> FrontEnd {
    let text = match sources.load(file) {
        Ok(text) => text,
        Err(message) => {
            let finding = Diagnostic::error("E0110", Loc::span(Name::new(file), (1, 1), (1, 1)), message);
            return FrontEnd { module: None, diagnostics: vec![finding] };
        }
    };
    sources.keep(vec![(file.to_string(), text.as_str().into())]);
    let registry = Registry::new(caustic_dialects::all());
    let parsed = text::parse_module(&text, file, &registry).and_then(|module| {
        let found = caustic_ir::verify::verify_module(&module);
        if found.is_empty() { Ok(module) } else { Err(found) }
    });
    match parsed {
        Ok(module) => FrontEnd { module: Some(module), diagnostics: Vec::new() },
        // Here wrong IR is the input's fault, not a pass's.
        Err(found) => {
            let diagnostics = found.into_iter().map(|d| Diagnostic { fault: Fault::User, ..d }).collect();
            FrontEnd { module: None, diagnostics }
        }
    }
}

/// The pipelines on the way from `hl`, each with the stage that it reaches.
const WAY: [(Stage, Standard); 3] = [
    (Stage::Ad, pipelines::NORMALIZE),
    (Stage::Reverse, pipelines::DIFFERENTIATE),
    (Stage::Lowered, pipelines::OPTIMIZE),
];

/// A program with checks before its accesses by index, if they are `wanted`.
pub fn checked(mut module: Module, wanted: bool) -> Result<Module, Errors> {
    if wanted {
        pipelines::run(&mut module, pipelines::CHECKS, cfg!(debug_assertions))?;
    }
    Ok(module)
}

/// `hl` to `stage`, by the passes of that stage and of those before it.
pub fn lower(module: Module, stage: Stage) -> Result<Module, Errors> {
    continue_from(module, Stage::Hl, stage)
}

/// A module that is at stage `from`, brought to stage `to`.
pub fn continue_from(mut module: Module, from: Stage, to: Stage) -> Result<Module, Errors> {
    // A debug build checks the module after every pass.
    let verify = cfg!(debug_assertions);
    for (_, pipeline) in WAY.into_iter().filter(|(reached, _)| from < *reached && *reached <= to) {
        pipelines::run(&mut module, pipeline, verify)?;
    }
    if to == Stage::Forward {
        pipelines::run(&mut module, pipelines::LINEARIZE, verify)?;
    }
    Ok(module)
}

/// From [`Stage::Reverse`] to what a GPU is given, in place of [`Stage::Lowered`].
pub fn optimize_for_gpu(mut module: Module) -> Result<Module, Errors> {
    pipelines::run(&mut module, pipelines::OPTIMIZE_GPU, cfg!(debug_assertions))?;
    Ok(module)
}

/// Removes what the entry point does not need. The program has been checked as a whole by then.
pub fn keep_only(module: &mut Module, entry: Name) {
    for other in module.symbols_mut().iter_mut().filter(|s| s.name != entry) {
        other.remove_attr(reflect::ENTRY);
    }
    symbol_dce::run(module, &Roots { entries_only: true, named: vec![entry] });
}

/// Asks for both derivatives of each differentiable function that `wanted` takes, so that they can be looked at without a program that uses
/// them. The module is normalized.
pub fn request_derivatives(module: &mut Module, wanted: impl Fn(&SymbolOp) -> bool) {
    let takes_part = |s: &&SymbolOp| s.attr(DIFFERENTIABLE).is_some() && s.body.entry().is_some() && wanted(s);
    let [no_forward, no_backward] = [stage::FORWARD, stage::REVERSE].map(|mode| given::lacking(module, mode));
    let requests: Vec<SymbolOp> = module
        .symbols()
        .iter()
        .filter(takes_part)
        .flat_map(|s| {
            let forward = if no_forward.contains(&s.name) { None } else { derivative_symbol(s, true) };
            let backward = if no_backward.contains(&s.name) { None } else { derivative_symbol(s, false) };
            forward.into_iter().chain(backward)
        })
        .collect();
    for request in requests {
        if !module.contains(request.name) {
            module.put(request);
        }
    }
}

/// How derivatives are to be made, if not as usual.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Derivatives {
    /// States that a loop without a constant trip count keeps at most for its reverse derivative; `None` stores one for each iteration.
    pub snapshots: Option<u32>,
    /// At corners what IEEE arithmetic gives (`--ad-singular ieee`).
    pub strict_ieee: bool,
    /// For a GPU, where storing costs more beside computing.
    pub gpu: bool,
}

/// The library's form of it.
fn policy(how: Derivatives) -> Policy {
    Policy {
        costs: if how.gpu { &GPU } else { &CPU },
        snapshots: how.snapshots.map(i64::from),
        corners: if how.strict_ieee { Corners::Ieee } else { Corners::Zero },
        ..Policy::default()
    }
}

/// What is decided about the reverse derivatives that a normalized module asks for.
pub fn checkpoints(module: Module, how: Derivatives) -> Result<autodiff::Report, Errors> {
    let made = |mut module: Module, how: Derivatives| {
        let mut report = autodiff::Report::default();
        autodiff::differentiate_reporting(&mut module, &policy(how), &mut report)?;
        Ok(report)
    };
    let report = made(module.clone(), how)?;
    match for_gpu(how) {
        // As for a kernel: what would store without end works from snapshots.
        Some(how) if how.gpu && report.stored.iter().any(|r| !r.counted) => made(module, how),
        _ => Ok(report),
    }
}

/// A normalized module with its derivatives made in another way than the usual; as it is, if none is asked for.
pub fn differentiate(mut module: Module, how: Derivatives) -> Result<Module, Errors> {
    if how != Derivatives::default() {
        serve(&mut module, how)?;
    }
    Ok(module)
}

/// Makes all derivatives that a normalized module asks for. A debug build checks the module then, as it does after every pass; one that was not valid before,
/// such as a widened program that reads textures, is left to who runs it.
pub fn serve(module: &mut Module, how: Derivatives) -> Result<(), Errors> {
    let valid = cfg!(debug_assertions) && caustic_ir::verify::verify_module(module).is_empty();
    autodiff::differentiate(module, &policy(how))?;
    let found = if valid { caustic_ir::verify::verify_module(module) } else { Vec::new() };
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Gives wave operations masks, for a machine whose lanes wait for those of a mask.
pub fn mask_waves(mut module: Module) -> Result<Module, Errors> {
    pipelines::run(&mut module, pipelines::MASKS, cfg!(debug_assertions))?;
    Ok(module)
}

/// Runs a dispatch of the kernel on `backend`, where that is LLVM compiled as `code` says; the reference evaluator draws the order of threads by `schedule`.
/// The module is lowered.
pub fn dispatch(
    backend: Backend,
    module: &Module,
    interface: &KernelInterface,
    launch: &Launch<'_>,
    schedule: Option<u64>,
    #[cfg_attr(not(feature = "llvm"), expect(unused_variables))] code: CodeOptions,
) -> Result<Result<(), Trap>, Errors> {
    // A debug build checks the module after every pass.
    let verify = cfg!(debug_assertions);
    match backend {
        Backend::Interp => {
            let mut module = Cow::Borrowed(module);
            if gpu::has_convergent_ops(&module) {
                pipelines::run(module.to_mut(), pipelines::INSTANCES, verify)?;
            }
            let interp = caustic_interp::Interp::new(&module);
            Ok(caustic_interp::Kernel::new(&interp, interface).in_any_order(schedule).run(launch))
        }
        Backend::Cranelift => {
            let interruptible = launch.traps.stop.is_some();
            let options = caustic_cranelift::Options { interruptible, ..caustic_cranelift::Options::default() };
            let mut module = module.clone();
            pipelines::run(&mut module, pipelines::STORAGE, verify)?;
            pipelines::run(&mut module, pipelines::INSTANCES, verify)?;
            let kernel = caustic_cranelift::compile_kernel(&module, interface, options).map_err(|e| vec![e])?;
            Ok(kernel.run(launch))
        }
        #[cfg(feature = "llvm")]
        Backend::Llvm => {
            let interruptible = launch.traps.stop.is_some();
            let options = caustic_llvm::Options { interruptible, ..llvm_options(code) };
            let mut module = module.clone();
            for standard in [pipelines::OPTIMIZE_LLVM, pipelines::STORAGE, pipelines::INSTANCES] {
                pipelines::run(&mut module, standard, verify)?;
            }
            let kernel = caustic_llvm::compile_kernel(&module, interface, options).map_err(|e| vec![e])?;
            Ok(kernel.run(launch))
        }
        _ => Err(vec![Diagnostic::internal(
            Loc::unknown(),
            format!("the back end `{}` does not exist yet", backend.name()),
        )]),
    }
}

#[cfg(feature = "llvm")]
fn llvm_options(code: CodeOptions) -> caustic_llvm::Options {
    caustic_llvm::Options {
        lanes: code.lanes,
        floats: code.floats,
        lines: code.lines,
        ..caustic_llvm::Options::default()
    }
}

/// How derivatives are made for a machine whose threads cannot store without end, if that is another way: from a number of snapshots.
pub fn for_gpu(how: Derivatives) -> Option<Derivatives> {
    how.snapshots.is_none().then_some(Derivatives { snapshots: Some(GPU_SNAPSHOTS), ..how })
}

/// Whether a function stores a number of values that is known only when it runs.
pub fn has_tapes(module: &Module) -> bool {
    fn holds_tape(ty: Type) -> bool {
        agg::as_tape(ty).is_some()
            || agg::as_slot(ty).is_some_and(holds_tape)
            || agg::as_array(ty).is_some_and(|(_, elem)| holds_tape(elem))
            || agg::StructType::of(ty).is_some_and(|s| s.fields().any(|f| holds_tape(f.ty)))
    }
    let values = |s: &SymbolOp| {
        let ops = s.body.walk_all();
        ops.into_iter().any(|op| s.body.results(op).iter().any(|&v| holds_tape(s.body.ty(v))))
    };
    module.symbols().iter().any(values)
}

/// With 8 states and binomial runs a loop of 10,000 iterations runs each of them 5 times.
const GPU_SNAPSHOTS: u32 = 8;

/// A kernel compiled for a target, and what its launcher has to know.
pub struct Emitted {
    pub text: String,
    pub description: String,
    /// Of what is no text, and the header that declares it.
    pub binary: Option<(Vec<u8>, String)>,
}

/// The lowered kernel for a target.
#[cfg(feature = "llvm")]
pub fn emit(
    module: &Module,
    interface: &KernelInterface,
    target: Target,
    options: &EmitOptions,
) -> Result<Emitted, Errors> {
    let mut module = module.clone();
    let verify = cfg!(debug_assertions);
    // What other targets are given has been through it.
    if matches!(target, Target::LlvmIr | Target::Asm) {
        pipelines::run(&mut module, pipelines::OPTIMIZE_LLVM, verify)?;
    }
    pipelines::run(&mut module, pipelines::STORAGE, verify)?;
    let one = |e| vec![e];
    match target {
        Target::Ptx => {
            let mut ptx_options = caustic_llvm::PtxOptions::default();
            ptx_options.libdevice = options.libdevice.clone().map(Into::into);
            ptx_options.arch = options.arch.clone().unwrap_or(ptx_options.arch);
            ptx_options.floats = options.code.floats;
            ptx_options.lines = options.code.lines;
            pipelines::run(&mut module, pipelines::MASKS, verify)?;
            let ptx = caustic_llvm::compile_ptx(&module, interface, &ptx_options).map_err(one)?;
            Ok(Emitted { description: ptx.description(), text: ptx.text, binary: None })
        }
        Target::LlvmIr | Target::Asm => {
            pipelines::run(&mut module, pipelines::INSTANCES, verify)?;
            let text =
                caustic_llvm::compile_text(&module, interface, target == Target::Asm, llvm_options(options.code))
                    .map_err(one)?;
            Ok(Emitted { text, description: interface.to_json(), binary: None })
        }
        Target::Obj | Target::So => {
            pipelines::run(&mut module, pipelines::INSTANCES, verify)?;
            let object = caustic_llvm::compile_object(&module, interface, llvm_options(options.code)).map_err(one)?;
            let bytes = if target == Target::So { shared_library(&object.bytes).map_err(one)? } else { object.bytes };
            let (text, description) = (String::new(), interface.to_json());
            Ok(Emitted { text, description, binary: Some((bytes, object.header)) })
        }
    }
}

/// An object as a shared library, by the system's linker.
#[cfg(feature = "llvm")]
fn shared_library(object: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    let failed = |why: String| {
        Diagnostic::error("E0853", Loc::unknown(), format!("a shared library cannot be linked here: {why}"))
            .with_note("it takes a C compiler, `cc`; an object file (`--target obj`) takes none")
    };
    let folder = std::env::temp_dir().join(format!("caustic-link-{}", std::process::id()));
    let link = || -> Result<Vec<u8>, String> {
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let (from, to) = (folder.join("kernel.o"), folder.join("kernel.so"));
        std::fs::write(&from, object).map_err(|e| e.to_string())?;
        let mut cc = std::process::Command::new("cc");
        cc.arg("-shared").arg("-o").arg(&to).arg(&from).args(["-Wl,--as-needed", "-lmvec", "-lm"]);
        let run = cc.output().map_err(|e| e.to_string())?;
        if !run.status.success() {
            return Err(String::from_utf8_lossy(&run.stderr).into_owned());
        }
        std::fs::read(&to).map_err(|e| e.to_string())
    };
    let linked = link();
    // What is left behind in the folder for such files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    linked.map_err(failed)
}

#[cfg(not(feature = "llvm"))]
pub fn emit(_: &Module, _: &KernelInterface, _: Target, _: &EmitOptions) -> Result<Emitted, Errors> {
    Err(vec![Diagnostic::internal(Loc::unknown(), "this build has no LLVM")])
}

/// The module as text; with a name only that function and those that differentiation made of it. The error says what there is
/// instead.
pub fn print(module: &Module, function: Option<&str>) -> Result<String, String> {
    let options = PrintOptions::default();
    let Some(function) = function else { return Ok(text::print_module(module, &options)) };
    let mut only = Module::new();
    for symbol in module.symbols().iter().filter(|s| belongs_to(&s.name, function)) {
        only.put(symbol.clone());
    }
    if !only.symbols().is_empty() {
        return Ok(text::print_module(&only, &options));
    }
    let known: Vec<&str> = module.symbols().iter().map(|s| s.name.as_str()).collect();
    Err(match caustic_ir::nearest::nearest(function, known.iter().copied()) {
        Some(near) => format!("there is no function `{function}`; did you mean `{near}`?"),
        None => format!("there is no function `{function}`; there are {}", known.join(", ")),
    })
}

/// Whether `symbol` is `function`, or is named after it: `f.primal`, `bwd_diff(f)`.
fn belongs_to(symbol: &str, function: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    symbol
        .match_indices(function)
        .any(|(at, _)| !symbol[..at].ends_with(is_word) && !symbol[at + function.len()..].starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::belongs_to;

    #[test]
    fn derivatives_belong_to_their_function() {
        for symbol in ["f", "f.primal", "bwd_diff(f)", "fwd_diff(bwd_diff(f))"] {
            assert!(belongs_to(symbol, "f"), "{symbol}");
        }
        for symbol in ["ff", "f2", "bwd_diff(g)", "g_f", ""] {
            assert!(!belongs_to(symbol, "f"), "{symbol}");
        }
    }
}
