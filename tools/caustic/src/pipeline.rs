//! The way of a program through the crates: front end, passes, target. Each step is one function; the commands in
//! [`crate::run`] put them together.

use crate::cli::{Backend, GradcheckOptions, SourceOptions, Stage};
use caustic_ir::{Diagnostic, Loc, Module};
use caustic_runtime::{Executor, KernelInterface};
use caustic_tool::FileSystem;

/// A program after the front end: the module it made (whole only if no finding is an error) and what it found.
pub struct FrontEnd {
    pub module: Module,
    pub diagnostics: Vec<Diagnostic>,
}

/// Source to `hl`.
pub fn front_end(_source: &SourceOptions, _files: &dyn FileSystem) -> FrontEnd {
    FrontEnd { module: Module::new(), diagnostics: vec![missing("the front end")] }
}

/// `hl` to `stage`, by that stage's passes.
pub fn lower(module: Module, stage: Stage) -> Result<Module, Vec<Diagnostic>> {
    match stage {
        Stage::Hl => Ok(module),
        _ => Err(vec![missing("the pass pipeline")]),
    }
}

/// A lowered module made ready to run.
pub fn executor(
    backend: Backend,
    _module: Module,
    _interface: &KernelInterface,
) -> Result<Box<dyn Executor>, Vec<Diagnostic>> {
    Err(vec![missing(&format!("the back end `{}`", backend.name()))])
}

fn missing(what: &str) -> Diagnostic {
    Diagnostic::internal(Loc::unknown(), format!("{what} is not wired in"))
}

/// The module as text, or one function of it; the error says which functions there are.
pub fn print(_module: &Module, _function: Option<&str>) -> Result<String, String> {
    Err("printing is not wired in".into())
}

/// The table of a gradient check, and whether every function passed.
pub fn gradcheck(_module: Module, _options: &GradcheckOptions) -> Result<(String, bool), Vec<Diagnostic>> {
    Err(vec![missing("the gradient check")])
}
