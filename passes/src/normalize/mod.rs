//! From `hl` to normalized SSA (step 1 of differentiation in the design): the form that differentiation takes and the targets run.
//!
//! 1. [`exits`]: break, continue and early return become flags and structured control flow.
//! 2. [`promote`]: variables and addresses become SSA values, `hl` becomes `func`, `scf` and `agg`.
//! 3. [`raise_for`]: loops that count become `scf.for`.
//! 4. [`unroll`]: loops marked `[ForceUnroll]` become straight-line code.
//! 5. [`inline`]: calls of functions marked `[ForceInline]` become their bodies.
//!
//! [`verify`] states the form reached and checks it. Each step works on one function with a read-only view of the rest of the module
//! at most, so functions are normalized in parallel; the result does not depend on it.
//!
//! Nothing here knows derivatives, source syntax or targets.

pub mod carried;
mod consts;
mod depth;
pub mod exits;
mod flow;
pub mod inline;
pub mod promote;
pub mod raise_for;
mod trip_count;
pub mod unroll;
pub mod verify;
mod walk;

pub use verify::{verify_module, verify_normalized};

use caustic_ir::{Diagnostic, Module, SymbolOp};
use rayon::prelude::*;

/// Runs `step` on every symbol; diagnostics come in the order of the symbols.
pub fn each_symbol(
    module: &mut Module,
    step: impl Fn(&mut SymbolOp) -> caustic_ir::Result<()> + Sync,
) -> Result<(), Vec<Diagnostic>> {
    let found: Vec<Diagnostic> = module.symbols_mut().par_iter_mut().filter_map(|symbol| step(symbol).err()).collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// `hl` to `func`, `scf` and `agg`: the first two steps.
pub fn to_ssa(module: &mut Module) -> Result<(), Vec<Diagnostic>> {
    each_symbol(module, exits::run)?;
    let callees = promote::Callees::of(module);
    each_symbol(module, |symbol| promote::run(symbol, &callees))
}

/// The loop steps.
pub fn loops(module: &mut Module) -> Result<(), Vec<Diagnostic>> {
    each_symbol(module, raise_for::run)?;
    each_symbol(module, unroll::run)
}

/// All steps in order, and the check of what came out.
pub fn run(module: &mut Module) -> Result<(), Vec<Diagnostic>> {
    to_ssa(module)?;
    loops(module)?;
    inline::run(module)?;
    let found = verify_module(module);
    if found.is_empty() { Ok(()) } else { Err(found) }
}
