//! The way of a program through the crates, step by step: front end, passes.
//! [`Program`](crate::Program) puts the steps together; who needs one of them alone finds it here.
//!
//! A step that was cancelled fails without a diagnostic.

use crate::available;
use crate::context::Context;
use crate::options::{Bounds, Derivatives, Machine, Options, Stage};
use caustic_dialects::signature::DIFFERENTIABLE;
use caustic_dialects::{agg, reflect};
use caustic_frontend::sema::samples::Unsampled;
use caustic_frontend::source::Origins;
use caustic_frontend::{Compiled, SourceLoader};
use caustic_ir::codes;
use caustic_ir::text;
use caustic_ir::{Diagnostic, Fault, Loc, Module, Name, OpId, Registry, SymbolOp, Type};
use caustic_passes::analysis::costs;
use caustic_passes::analysis::custom_derivatives;
use caustic_passes::analysis::stage;
use caustic_passes::autodiff::{self, custom, derivative_symbol};
use caustic_passes::manager::{Pipeline, Timing};
use caustic_passes::optimize::symbol_dce::{self, Roots};
use caustic_passes::pipelines::{self, Standard};
use std::sync::Arc;

/// A step's failure: what it found. Nothing, if it was cancelled.
pub type Errors = Vec<Diagnostic>;

/// A program after the front end.
pub struct FrontEnd {
    /// The module, unless a diagnostic is an error.
    pub module: Option<Module>,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that were read, by their names.
    pub files: Vec<(String, Arc<str>)>,
    /// What the places of diagnostics do not say.
    pub origins: Origins,
    /// Generic functions without an instance for a gradient check.
    pub unsampled: Vec<Unsampled>,
    /// The files of the program's own module.
    pub own_files: Vec<String>,
}

/// Source to `hl`; a `.mlir` file is a module at any level, taken as it stands.
pub fn front_end(file: &str, options: &Options, sources: &mut dyn SourceLoader, cx: &Context) -> FrontEnd {
    if file.ends_with(".mlir") {
        return cx.step("read", || resume(file, sources));
    }
    let options = caustic_frontend::Options {
        defines: options.defines.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect(),
        conformances: options.conformances.clone(),
        matrix_layout: options.matrix_layout,
        version: options.version,
        global_types: options.global_types.clone(),
        stand_ins: options.stand_ins,
        sample_generics: options.sample_generics,
        entry: options.entry.clone(),
        entry_types: options.entry_types.clone(),
        threads: options.threads,
        cancel: cx.cancel.clone(),
    };
    let mut compiled = caustic_frontend::compile(sources, file, &options);
    for (name, wall) in std::mem::take(&mut compiled.steps) {
        cx.took(Timing { name: name.to_string(), wall, children: Vec::new() });
    }
    let Compiled { module, diagnostics, files, origins, unsampled, main_files, .. } = compiled;
    FrontEnd { module, diagnostics, files, origins, unsampled, own_files: main_files }
}

/// Reads a module as text. Every pass leaves alone what is behind it already, so the way can be
/// gone on from anywhere.
fn resume(file: &str, sources: &mut dyn SourceLoader) -> FrontEnd {
    let origins = Origins::default();
    let text = match sources.load(file) {
        Ok(text) => text,
        Err(message) => {
            let found = Diagnostic::error(codes::E0110, Loc::span(Name::new(file), (1, 1), (1, 1)), message);
            return FrontEnd {
                module: None,
                diagnostics: vec![found],
                files: Vec::new(),
                origins,
                unsampled: Vec::new(),
                own_files: Vec::new(),
            };
        }
    };
    let files = vec![(file.to_string(), text.as_str().into())];
    let registry = Registry::new(caustic_dialects::all());
    let parsed = text::parse_module(&text, file, &registry).and_then(|module| {
        let found = caustic_ir::verify::verify_module(&module);
        if found.is_empty() { Ok(module) } else { Err(found) }
    });
    match parsed {
        Ok(module) => FrontEnd {
            module: Some(module),
            diagnostics: Vec::new(),
            files,
            origins,
            unsampled: Vec::new(),
            own_files: vec![file.to_string()],
        },
        // Here wrong IR is the input's fault, not a pass's.
        Err(found) => {
            let diagnostics = found.into_iter().map(|d| Diagnostic { fault: Fault::User, ..d }).collect();
            let (unsampled, own_files) = (Vec::new(), Vec::new());
            FrontEnd { module: None, diagnostics, files, origins, unsampled, own_files }
        }
    }
}

/// The pipelines on the way from `hl`, each with the stage that it reaches.
const WAY: [(Stage, Standard); 3] = [
    (Stage::Ad, pipelines::NORMALIZE),
    (Stage::Reverse, pipelines::DIFFERENTIATE),
    (Stage::Lowered, pipelines::OPTIMIZE),
];

/// A program with checks before its accesses to arrays by index, where the context wants checks.
///
/// # Errors
/// What a pass finds.
pub fn checked(mut module: Module, cx: &Context) -> Result<Module, Errors> {
    if cx.checks_bounds {
        cx.run(&mut module, pipelines::CHECKS)?;
    }
    Ok(module)
}

/// `hl` to `stage`, by the passes of that stage and of those before it. Derivatives may be asked
/// for on the way.
///
/// # Errors
/// What a pass finds.
pub fn lower(mut module: Module, stage: Stage, cx: &Context) -> Result<Module, Errors> {
    custom_derivatives::ask_later(&mut module, true);
    continue_from(module, Stage::Hl, stage, cx)
}

/// A module that is at stage `from`, brought to stage `to`.
///
/// # Errors
/// What a pass finds.
pub fn continue_from(mut module: Module, from: Stage, to: Stage, cx: &Context) -> Result<Module, Errors> {
    for (reached, pipeline) in WAY.into_iter().filter(|(reached, _)| from < *reached && *reached <= to) {
        cx.run(&mut module, pipeline)?;
        if reached == Stage::Reverse {
            custom_derivatives::ask_later(&mut module, false);
            if cx.checks_bounds {
                cx.run(&mut module, pipelines::CHECKS_OF_RESOURCES)?;
            }
        }
    }
    if to == Stage::Forward {
        cx.run(&mut module, pipelines::LINEARIZE)?;
    }
    Ok(module)
}

/// From [`Stage::Reverse`] to what a GPU is given, in place of [`Stage::Lowered`].
///
/// # Errors
/// What a pass finds.
pub fn optimize_for_gpu(mut module: Module, cx: &Context) -> Result<Module, Errors> {
    cx.run(&mut module, pipelines::OPTIMIZE_GPU)?;
    Ok(module)
}

/// Removes what the entry point does not need. The program has been checked as a whole by then.
pub fn keep_only(module: &mut Module, entry: Name) {
    for other in module.symbols_mut().iter_mut().filter(|s| s.name != entry) {
        other.remove_attr(reflect::ENTRY);
    }
    symbol_dce::run(module, &Roots { entries_only: true, named: vec![entry] });
}

/// An entry point and what it needs, from `hl` to `last`.
///
/// # Errors
/// What a pass finds.
pub fn lower_kernel(
    mut module: Module,
    entry: Name,
    how: Derivatives,
    last: Stage,
    cx: &Context,
) -> Result<Module, Errors> {
    keep_only(&mut module, entry);
    let cx = &cx.of_kernel(entry);
    // What its derivatives are is known from the start.
    let mut module = continue_from(module, Stage::Hl, Stage::Ad, cx)?;
    // Some calls are gone by now, and what they called.
    symbol_dce::run(&mut module, &Roots { entries_only: true, named: vec![entry] });
    cx.run(&mut module, pipelines::CLOSE)?;
    let module = differentiate(module, how, cx)?;
    if last < Stage::Reverse {
        return continue_from(module, Stage::Ad, last, cx);
    }
    let module = continue_from(module, Stage::Ad, Stage::Reverse, cx)?;
    // Most of what derivatives call that is only declared gives a value that nobody reads.
    if available::check_derived(&module, entry).is_err() {
        let mut simpler = module.clone();
        cx.run(&mut simpler, pipelines::OPTIMIZE)?;
        available::check_derived(&simpler, entry)?;
    }
    continue_from(module, Stage::Reverse, last, cx)
}

/// The same for a GPU, optimized for it.
///
/// # Errors
/// What a pass finds.
pub fn lower_for_gpu(
    module: Module,
    entry: Name,
    how: Derivatives,
    bounds: Bounds,
    cx: &Context,
) -> Result<Module, Errors> {
    let optimize = match bounds {
        Bounds::Buffers => pipelines::OPTIMIZE_GPU_TRUSTING_POINTERS,
        Bounds::Zero | Bounds::Trap => pipelines::OPTIMIZE_GPU,
        Bounds::Trust => pipelines::OPTIMIZE_GPU_TRUSTING,
    };
    lower_without_tapes(module, entry, how, optimize, cx)
}

/// The same for code that cannot store without end, such as that for a program in C, by this
/// pipeline after differentiation: what would need a tape works from snapshots.
///
/// # Errors
/// What a pass finds.
pub fn lower_without_tapes(
    module: Module,
    entry: Name,
    how: Derivatives,
    optimize: Standard,
    cx: &Context,
) -> Result<Module, Errors> {
    let lower = |module: Module, how: Derivatives| {
        let mut module = lower_kernel(module, entry, how, Stage::Reverse, cx)?;
        cx.of_kernel(entry).run(&mut module, optimize).map(|()| module)
    };
    let lowered = lower(module.clone(), how)?;
    match from_snapshots(how) {
        Some(how) if has_tapes(&lowered) => lower(module, how),
        _ => Ok(lowered),
    }
}

/// The same for source text, whose functions stay as they are written, in a language that may have
/// no doubles. For a GPU what would store
/// without end works from snapshots; if it stores so even then, its functions are inlined, by which
/// more trip counts are known.
///
/// # Errors
/// What a pass finds.
pub fn lower_for_source(
    module: Module,
    entry: Name,
    how: Derivatives,
    doubles: bool,
    cx: &Context,
) -> Result<Module, Errors> {
    let lower = |how, last| lower_kernel(module.clone(), entry, how, last, cx);
    let lowered = without_tapes_in_source(how, doubles, lower, cx)?;
    if how.machine != Machine::Gpu {
        return Ok(lowered);
    }
    let refused = lowered.symbols().iter().find_map(|s| {
        let keeps = |op: &OpId| s.body.results(*op).iter().any(|&r| holds_tape(s.body.ty(r)));
        let loops = s.body.walk_all().into_iter().filter(|&op| costs::is_loop(&s.body, op));
        let loops: Vec<OpId> = loops.filter(keeps).collect();
        // A loop around another one hands on what that keeps.
        let inside = |op: OpId| s.body.op(op).regions.iter().flat_map(|&r| s.body.walk(r)).collect::<Vec<_>>();
        let innermost = loops.iter().find(|&&op| !inside(op).iter().any(|inner| loops.contains(inner)));
        innermost.map(|&op| agg::no_tape(Some(&lowered), &s.body, op))
    });
    refused.map_or(Ok(lowered), |refused| Err(vec![refused]))
}

/// The same for the functions of a normalized module that are not private, and the derivatives that
/// it asks for.
///
/// # Errors
/// What a pass finds.
pub fn library_for_source(module: Module, how: Derivatives, doubles: bool, cx: &Context) -> Result<Module, Errors> {
    let lower = |how: Derivatives, last: Stage| {
        differentiate(module.clone(), how, cx).and_then(|module| continue_from(module, Stage::Ad, last, cx))
    };
    without_tapes_in_source(how, doubles, lower, cx)
}

fn without_tapes_in_source(
    how: Derivatives,
    doubles: bool,
    lower: impl Fn(Derivatives, Stage) -> Result<Module, Errors>,
    cx: &Context,
) -> Result<Module, Errors> {
    let lower = |how: Derivatives, inlined: bool| -> Result<Module, Errors> {
        let mut module = lower(how, if inlined { Stage::Lowered } else { Stage::Reverse })?;
        if !doubles {
            cx.run(&mut module, pipelines::SINGLE_TEXTURES)?;
        }
        cx.run(&mut module, pipelines::OPTIMIZE_SOURCE)?;
        Ok(module)
    };
    let lowered = lower(how, false)?;
    if how.machine != Machine::Gpu || !has_tapes(&lowered) {
        return Ok(lowered);
    }
    let snapshots = from_snapshots(how).unwrap_or(how);
    for (how, inlined) in [(snapshots, false), (how, true), (snapshots, true)] {
        let again = lower(how, inlined)?;
        if !has_tapes(&again) {
            return Ok(again);
        }
    }
    Ok(lowered)
}

/// Asks for both derivatives of each differentiable function that `wanted` takes, so that they can
/// be looked at without a program that uses them. The module is normalized.
pub fn request_derivatives(module: &mut Module, wanted: impl Fn(&SymbolOp) -> bool) {
    let takes_part = |s: &&SymbolOp| s.attr(DIFFERENTIABLE).is_some() && s.body.entry().is_some() && wanted(s);
    let [no_forward, no_backward] = [stage::FORWARD, stage::REVERSE].map(|mode| custom::lacking(module, mode));
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

/// What is decided about the reverse derivatives that a normalized module asks for.
///
/// # Errors
/// A derivative cannot be made.
pub fn checkpoints(module: Module, how: Derivatives, cx: &Context) -> Result<autodiff::Report, Errors> {
    let report = serve(&mut module.clone(), how, cx)?;
    match from_snapshots(how) {
        // As for a kernel: what would store without end works from snapshots.
        Some(how) if how.machine == Machine::Gpu && report.stored.iter().any(|r| !r.counted) => {
            serve(&mut module.clone(), how, cx)
        }
        _ => Ok(report),
    }
}

/// A normalized module with its derivatives made in another way than the usual; as it is, if none
/// is asked for.
///
/// # Errors
/// A derivative cannot be made.
pub fn differentiate(mut module: Module, how: Derivatives, cx: &Context) -> Result<Module, Errors> {
    if how != Derivatives::default() {
        serve(&mut module, how, cx)?;
    }
    Ok(module)
}

/// Makes all derivatives that a normalized module asks for, and gives what was decided about them.
/// A debug build checks the module then, as it does after every pass; one that was not valid
/// before, such as a widened program that reads textures, is left to who runs it.
///
/// # Errors
/// A derivative cannot be made.
pub fn serve(module: &mut Module, how: Derivatives, cx: &Context) -> Result<autodiff::Report, Errors> {
    let verify = cfg!(debug_assertions) && caustic_ir::verify::verify_module(module).is_empty();
    let mut pipeline = Pipeline::new();
    pipeline.add_run((&how).into());
    let mut outcome = cx.run_pipeline(module, pipelines::DIFFERENTIATE.name, &pipeline, verify)?;
    let told = outcome.take_told();
    told.ok_or_else(|| vec![Diagnostic::internal(Loc::unknown(), "differentiation told nothing of what it decided")])
}

/// How derivatives are made for code that cannot store without end, if that is another way: from
/// a number of snapshots.
pub fn from_snapshots(how: Derivatives) -> Option<Derivatives> {
    how.snapshots.is_none().then_some(Derivatives { snapshots: Some(GPU_SNAPSHOTS), ..how })
}

/// With 8 states and binomial runs a loop of 10,000 iterations runs each of them 5 times.
const GPU_SNAPSHOTS: i64 = 8;

fn holds_tape(ty: Type) -> bool {
    agg::as_tape(ty).is_some()
        || agg::as_slot(ty).is_some_and(holds_tape)
        || agg::as_array(ty).is_some_and(|(_, elem)| holds_tape(elem))
        || agg::StructType::of(ty).is_some_and(|s| s.fields().any(|f| holds_tape(f.ty)))
}

/// Whether a function stores a number of values that is known only when it runs.
pub fn has_tapes(module: &Module) -> bool {
    let values = |s: &SymbolOp| {
        let ops = s.body.walk_all();
        ops.into_iter().any(|op| s.body.results(op).iter().any(|&v| holds_tape(s.body.ty(v))))
    };
    module.symbols().iter().any(values)
}
