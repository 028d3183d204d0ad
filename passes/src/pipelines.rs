//! The ways a program usually takes, as pipelines of passes by name. `caustic-opt` can run every one of them, or any part.

use crate::manager::{PassRegistry, Pipeline, RunOptions, Sink, Timing, parse, run_pipeline};
use caustic_ir::{CancelToken, Diagnostic, Module, Name, Severity};
use rustc_hash::FxHashSet;

/// A named pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard {
    pub name: &'static str,
    pub doc: &'static str,
    pub text: &'static str,
}

/// What `--trap-oob` adds to a program, before anything else.
pub const CHECKS: Standard =
    Standard { name: "checks", doc: "Accesses by an index out of range become traps.", text: "any(check-indices)" };

/// `hl` to the form that is differentiated.
pub const NORMALIZE: Standard = Standard {
    name: "normalize",
    doc: "High-level code, generic code included, to structured SSA.",
    text: "specialize,any(normalize-exits),promote,inline-forced,any(canonicalize,cse,dce,raise-for,unroll,canonicalize,cse,dce,sink),verify-normalized",
};

/// What runs between the steps of differentiation.
pub const TIDY: Standard =
    Standard { name: "tidy", doc: "Folds, merges and removes what is not needed.", text: "any(canonicalize,cse,dce)" };

/// The first step of differentiation alone, to be looked at.
pub const LINEARIZE: Standard = Standard {
    name: "linearize",
    doc: "Tangents beside the values of every function that a derivative is asked for.",
    text: "ad-linearize,any(canonicalize,cse,dce)",
};

/// All derivatives that are asked for.
pub const DIFFERENTIATE: Standard = Standard {
    name: "differentiate",
    doc: "Serves every request for a derivative.",
    text: "differentiate,any(drop-detach)",
};

/// What makes the result fast.
pub const OPTIMIZE: Standard = Standard {
    name: "optimize",
    doc: "Inlines, folds, hoists and removes.",
    text: "symbol-dce,inline,choose-aggregation,any(canonicalize,cse,share-branches,licm,dce),symbol-dce",
};

/// [`OPTIMIZE`] for a GPU, whose waves run in step, whose groups have memory of their own, and on which everything is inlined that can be.
pub const OPTIMIZE_GPU: Standard = Standard {
    name: "optimize-gpu",
    doc: "The same for a GPU: what threads add to one place comes together first.",
    text: "symbol-dce,inline{small=2000},choose-aggregation,any(canonicalize,cse,share-branches,licm,dce),unroll-arrays,unroll-divisors,any(canonicalize,cse,dce),unroll-periods,any(canonicalize,cse,dce),lift-additions,sum-iterations,any(canonicalize,cse,dce,skip-zeros,canonicalize,cse,dce),coarsen,any(canonicalize,cse,dce),wave-additions,peer-additions,complete-waves,tile-additions,share-checks,filter-textures,any(canonicalize,cse,licm,dce),narrow-counters,symbol-dce",
};

/// What LLVM takes for this machine, between [`OPTIMIZE`] and [`STORAGE`]. Loops that do not look at sizes of buffers are unrolled and keep what
/// they sum up in registers.
pub const OPTIMIZE_LLVM: Standard = Standard {
    name: "optimize-llvm",
    doc: "Sizes of buffers are looked at once for several reads.",
    text: "share-checks{together=true},any(canonicalize,cse,licm,dce)",
};

/// What compiled targets take, after [`OPTIMIZE`].
pub const STORAGE: Standard =
    Standard { name: "storage", doc: "Arrays and tapes to local storage.", text: "any(mark-ranges,lower-storage)" };

/// What targets take whose lanes wait for those of a mask, before [`INSTANCES`].
pub const MASKS: Standard =
    Standard { name: "masks", doc: "Gives wave operations the lanes that take part.", text: "wave-masks" };

/// What targets take that run the threads of a group one after the other, last of all.
pub const INSTANCES: Standard = Standard {
    name: "instances",
    doc: "Tells dynamic instances of barriers and wave operations apart.",
    text: "mark-instances",
};

/// The passes of a pipeline that exist; every name in this file is checked by a test.
pub fn pipeline(standard: Standard) -> Result<Pipeline, Diagnostic> {
    parse::parse_pipeline(standard.text, &PassRegistry::new(crate::all()))
}

/// Runs one of them. Findings that are no errors are dropped: they belong to runs of a tool.
pub fn run(module: &mut Module, standard: Standard, verify_each: bool) -> Result<(), Vec<Diagnostic>> {
    run_timed(module, standard, verify_each).map(|_| ())
}

/// [`run`], and where the time went.
pub fn run_timed(module: &mut Module, standard: Standard, verify_each: bool) -> Result<Timing, Vec<Diagnostic>> {
    run_with(module, standard, RunOptions { verify_each, ..RunOptions::default() }, &mut ())
}

/// [`run`] with these options and with a sink for dumps, and where the time went. No reproducer is made. A run that was
/// cancelled is an error without a diagnostic.
pub fn run_with(
    module: &mut Module,
    standard: Standard,
    options: RunOptions,
    sink: &mut dyn Sink,
) -> Result<Timing, Vec<Diagnostic>> {
    let pipeline = pipeline(standard).map_err(|e| vec![e])?;
    let options = RunOptions { reproducer: false, ..options };
    let outcome = run_pipeline(module, &pipeline, &options, sink);
    if outcome.ok {
        return Ok(outcome.timing);
    }
    Err(outcome.diagnostics.into_iter().filter(|d| d.severity == Severity::Error).collect())
}

/// [`TIDY`] on the functions of these names.
pub fn tidy(module: &mut Module, only: FxHashSet<Name>) -> Result<(), Vec<Diagnostic>> {
    tidy_under(module, only, &CancelToken::default())
}

/// [`tidy`], which `cancel` ends.
pub fn tidy_under(module: &mut Module, only: FxHashSet<Name>, cancel: &CancelToken) -> Result<(), Vec<Diagnostic>> {
    let cancel = cancel.clone();
    let options = RunOptions { verify_each: false, only: Some(only), cancel, ..RunOptions::default() };
    run_with(module, TIDY, options, &mut ()).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pipeline_names_passes_that_exist() {
        for standard in [
            CHECKS,
            NORMALIZE,
            TIDY,
            LINEARIZE,
            DIFFERENTIATE,
            OPTIMIZE,
            OPTIMIZE_GPU,
            OPTIMIZE_LLVM,
            STORAGE,
            MASKS,
            INSTANCES,
        ] {
            if let Err(e) = pipeline(standard) {
                panic!("{}: {e}", standard.name);
            }
        }
    }
}
