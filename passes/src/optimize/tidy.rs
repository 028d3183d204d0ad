//! What runs between the steps of other passes: folds, merges and removes what is not needed.

use super::canonicalize::{CANONICALIZE, CanonicalizeOptions};
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

/// Tidies the functions of these names; `cancel` ends it. What makes a number that is not finite
/// may have to stay.
pub fn tidy(
    module: &mut Module,
    only: FxHashSet<Name>,
    cancel: &CancelToken,
    keep_non_finite: bool,
) -> Result<(), Vec<Diagnostic>> {
    let folding = CanonicalizeOptions { keep_non_finite, ..CanonicalizeOptions::default() };
    let (only, cancel) = (Some(only), cancel.clone());
    let options = RunOptions { verify_each: false, reproducer: false, only, cancel, ..RunOptions::default() };
    let outcome = run_pipeline(module, &pipeline().with(&(&folding).into()), &options, &mut ());
    if outcome.ok {
        return Ok(());
    }
    Err(outcome.diagnostics.into_iter().filter(|d| d.severity == Severity::Error).collect())
}
