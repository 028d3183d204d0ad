//! From `hl` to normalized SSA (step 1 of differentiation in the design): the form that
//! differentiation takes and the targets run.
//!
//! 1. [`exits`]: break, continue and early return become flags and structured control flow.
//! 2. [`promote`]: variables and addresses become SSA values, `hl` becomes `func`, `scf` and `agg`.
//! 3. [`inline`]: calls of functions marked `[ForceInline]` become their bodies.
//! 4. [`uplift_while_to_for`]: loops that count become `scf.for`.
//! 5. [`unroll`]: loops marked `[ForceUnroll]` become straight-line code.
//!
//! Before the first of them [`check_indices`] may put checks into the program.
//!
//! [`verify`] states the form reached and checks it. Each step works on one function with a
//! read-only view of the rest of the module at most, so functions are normalized in parallel; the
//! result does not depend on it.
//!
//! Nothing here knows derivatives, source syntax or targets.

pub mod bind_pointers;
pub mod check_indices;
mod depth;
pub mod exits;
mod flow;
pub mod inline;
mod keep_loops;
pub mod promote;
pub mod unroll;
pub mod uplift_while_to_for;
pub mod verify;

pub use verify::{verify_module, verify_normalized};

use crate::manager::PassDef;
use caustic_ir::{Diagnostic, Module, SymbolOp};
use rayon::prelude::*;

/// The passes of this folder, in the order in which they run.
pub static PASSES: &[&PassDef] = &[
    &check_indices::CHECK_INDICES,
    &exits::NORMALIZE_EXITS,
    &promote::PROMOTE,
    &inline::INLINE_FORCED,
    &uplift_while_to_for::UPLIFT_WHILE_TO_FOR,
    &unroll::UNROLL,
    &bind_pointers::BIND_POINTERS,
    &verify::VERIFY_NORMALIZED,
];

/// Runs `step` on every symbol; diagnostics come in the order of the symbols.
fn each_symbol<T: Send>(
    module: &mut Module,
    step: impl Fn(&mut SymbolOp) -> caustic_ir::Result<T> + Sync,
) -> Result<(), Vec<Diagnostic>> {
    let found: Vec<Diagnostic> = module.symbols_mut().par_iter_mut().filter_map(|symbol| step(symbol).err()).collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// All steps in order without any optimization between them, and the check of what came out. Tools
/// run the pipeline of the same name (`crate::pipelines`), which has the same steps.
pub fn run(module: &mut Module) -> Result<(), Vec<Diagnostic>> {
    each_symbol(module, exits::run)?;
    promote_all(module)?;
    inline::run(module)?;
    each_symbol(module, |symbol| Ok(uplift_while_to_for::run(symbol)))?;
    each_symbol(module, |symbol| {
        keep_loops::unmark(symbol);
        unroll::run(symbol)
    })?;
    let found = verify_module(module);
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Promotes every function, and gives requests for derivatives the types that their calls now have.
pub fn promote_all(module: &mut Module) -> Result<(), Vec<Diagnostic>> {
    let callees = promote::callees(module);
    each_symbol(module, |symbol| promote::run(symbol, &callees))
}
