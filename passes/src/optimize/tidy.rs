//! What runs between the steps of other passes: folds, merges and removes what is not needed.

use super::canonicalize::CANONICALIZE;
use super::cse::CSE;
use super::dce::DCE;
use crate::manager::{Pipeline, RunOptions, run_pipeline};
use caustic_ir::{CancelToken, Diagnostic, Module, Name, Severity};
use rustc_hash::FxHashSet;

/// The passes, in order.
pub fn pipeline() -> Pipeline {
    let mut pipeline = Pipeline::new();
    pipeline.add(&CANONICALIZE).add(&CSE).add(&DCE);
    pipeline
}

/// Tidies the functions of these names; `cancel` ends it.
pub fn tidy(module: &mut Module, only: FxHashSet<Name>, cancel: &CancelToken) -> Result<(), Vec<Diagnostic>> {
    let (only, cancel) = (Some(only), cancel.clone());
    let options = RunOptions { verify_each: false, reproducer: false, only, cancel, ..RunOptions::default() };
    let outcome = run_pipeline(module, &pipeline(), &options, &mut ());
    if outcome.ok {
        return Ok(());
    }
    Err(outcome.diagnostics.into_iter().filter(|d| d.severity == Severity::Error).collect())
}
