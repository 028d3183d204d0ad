//! The way of a program through the crates: front end, passes, target. Each step is one function; the commands in
//! [`crate::run`] put them together.

use crate::cli::{Backend, SourceOptions, Stage};
use crate::sources::Sources;
use caustic_ir::text::PrintOptions;
use caustic_ir::{Diagnostic, Loc, Module, Name};
use caustic_passes::{autodiff, normalize};
use caustic_runtime::{Executor, KernelInterface, Launch, Trap};

/// A step's failure: what it found.
pub type Errors = Vec<Diagnostic>;

/// A program after the front end: the module it made, unless a finding is an error.
pub struct FrontEnd {
    pub module: Option<Module>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Source to `hl`.
pub fn front_end(source: &SourceOptions, sources: &mut Sources<'_>) -> FrontEnd {
    let options = caustic_frontend::Options {
        defines: source.defines.iter().map(|(name, value)| (name.clone(), Some(value.clone()))).collect(),
    };
    let compiled = caustic_frontend::compile(sources, &source.file, &options);
    sources.keep(compiled.files);
    FrontEnd { module: compiled.module, diagnostics: compiled.diagnostics }
}

/// `hl` to `stage`, by the passes of that stage and of those before it.
pub fn lower(mut module: Module, stage: Stage) -> Result<Module, Errors> {
    if stage == Stage::Hl {
        return Ok(module);
    }
    normalize::run(&mut module)?;
    if stage == Stage::Ad {
        return Ok(module);
    }
    autodiff::differentiate(&mut module, &autodiff::RecomputeInLoops, &mut tidy)?;
    Ok(module)
}

/// What runs between the steps of differentiation: dead code must go before a step looks at it.
pub fn tidy(_module: &mut Module) -> Result<(), Errors> {
    Ok(())
}

/// Runs a dispatch of the kernel on `backend`. The module is lowered.
pub fn dispatch(
    backend: Backend,
    module: &Module,
    interface: &KernelInterface,
    launch: &Launch<'_>,
) -> Result<Result<(), Trap>, Errors> {
    match backend {
        Backend::Interp => {
            let interp = caustic_interp::Interp::new(module);
            Ok(caustic_interp::Kernel::new(&interp, interface).run(launch))
        }
        other => {
            Err(vec![Diagnostic::internal(Loc::unknown(), format!("the back end `{}` is not wired in", other.name()))])
        }
    }
}

/// The module as text, or one function of it; the error says what there is instead.
pub fn print(module: &Module, function: Option<&str>) -> Result<String, String> {
    let Some(function) = function else { return Ok(caustic_ir::text::print_module(module, &PrintOptions::default())) };
    let mut only = Module::new();
    let name = Name::new(function);
    match module.get(name) {
        Some(symbol) => {
            only.put(symbol.clone());
            Ok(caustic_ir::text::print_module(&only, &PrintOptions::default()))
        }
        None => {
            let known: Vec<&str> = module.symbols().iter().map(|s| s.name.as_str()).collect();
            Err(match caustic_ir::nearest::nearest(function, known.iter().copied()) {
                Some(near) => format!("there is no function `{function}`; did you mean `{near}`?"),
                None => format!("there is no function `{function}`; there are {}", known.join(", ")),
            })
        }
    }
}
