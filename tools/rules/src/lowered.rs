//! The programs whose code says which rows would matter: sources in folders, with their
//! derivatives, as targets take them.

use caustic_frontend::{Options, SourceLoader};
use caustic_ir::Module;
use caustic_passes::autodiff::{Policy, differentiate};
use caustic_passes::egraph::ask::Theory;
use caustic_passes::pipelines::{self, NORMALIZE, OPTIMIZE};
use std::path::{Path, PathBuf};

/// Files by their paths, and what they include beside them.
struct Files;

impl SourceLoader for Files {
    fn load(&mut self, name: &str) -> Result<String, String> {
        std::fs::read_to_string(name).map_err(|e| e.to_string())
    }

    fn resolve(&mut self, included: &str, from: &str) -> Option<String> {
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(included);
        [beside, PathBuf::from(included)].into_iter().find(|p| p.is_file()).map(|p| p.to_string_lossy().into_owned())
    }
}

/// The sources in these files and folders, in the order of their names.
pub fn sources(paths: &[&str]) -> Vec<String> {
    let mut todo: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    let mut out = Vec::new();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            todo.extend(entries.map(|e| e.path()));
        } else if path.extension().is_some_and(|e| e == "slang") {
            out.push(path.to_string_lossy().into_owned());
        }
    }
    out.sort();
    out
}

/// A program with its derivatives, optimized; `None` if it does not compile.
pub fn module(file: &str) -> Option<Module> {
    let mut module = caustic_frontend::compile(&mut Files, file, &Options::default()).module?;
    pipelines::run(&mut module, NORMALIZE, false).ok()?;
    differentiate(&mut module, &Policy::default()).ok()?;
    pipelines::run(&mut module, OPTIMIZE, false).ok()?;
    Some(module)
}

/// How often each left side of a theory stands in a program.
pub fn occurrences(module: &Module, theory: &Theory<'_>, out: &mut Vec<u64>) {
    for symbol in module.symbols() {
        let found = theory.occurrences(symbol);
        out.resize(found.len().max(out.len()), 0);
        out.iter_mut().zip(found).for_each(|(sum, n)| *sum += n);
    }
}
