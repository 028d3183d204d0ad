//! `lower-storage`: arrays and tapes from values to places.
//!
//! An array is a value until here: `agg.insert` makes a new one. A compiled program keeps it in
//! memory and changes it in place, which is right if nothing needs the old value any more. The pass
//! decides that for the whole function at once, as a register allocator does for its copies: values
//! that are successive versions of one array, or flow into each other at the edges of loops and
//! branches, get one slot if their lives do not overlap (`classes`, on the liveness of `live`);
//! where they do overlap, the value is copied. Then every op on such values becomes one on slots
//! (`rewrite`).
//!
//! Invariant: at each point of the program the slot of every live value holds that value. So what
//! the function computes stays the same, which is tested on random programs against the
//! interpreter.
//!
//! Calls: a result that is kept in storage is left in the slot of a parameter or in one of its own;
//! which, follows from the types ([`StorageParams`]), so that each function is lowered by itself.

mod classes;
mod live;
mod paths;
mod rewrite;
mod versions;

use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::agg::needs_storage;
use caustic_dialects::func;
use caustic_ir::{Body, Diagnostic, SymbolOp, ValueId};

passes! {
    /// Puts arrays and tapes into local storage and updates them in place.
    ///
    /// Values of types that are or hold an array or a tape become slots, made with `agg.alloca` and
    /// read and written with `agg.load`, `agg.store`, `agg.copy` and `agg.clear`. An update of a
    /// value that nothing needs afterwards changes its slot; a value that is carried through loops
    /// and branches keeps one slot; only what is needed in two versions at once is copied.
    pub static LOWER_STORAGE: "lower-storage" {
        level: function,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same, with values of array and tape type in slots only",
        statistics: [
            ("slots", "slots that were made"),
            ("copies", "whole values that are copied"),
            ("in-place", "updates that need no copy"),
        ],
        run: run,
    }
}

fn run(symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport) -> PassResult {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return Ok(Changed::No);
    }
    match lower(symbol) {
        Ok(None) => Ok(Changed::No),
        Ok(Some(counts)) => {
            report.count("slots", counts.slots);
            report.count("copies", counts.copies);
            report.count("in-place", counts.in_place);
            Ok(Changed::Yes)
        }
        Err(e) => Err(vec![e]),
    }
}

/// What was done to a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub slots: u64,
    pub copies: u64,
    pub in_place: u64,
}

/// Lowers one function; `None` if it holds nothing that is kept in storage.
pub fn lower(symbol: &mut SymbolOp) -> Result<Option<Counts>, Diagnostic> {
    let (inputs, outputs) = symbol.function_type().unwrap_or((&[], &[]));
    let signature = inputs.iter().chain(outputs).any(|&t| needs_storage(t));
    if !signature && !has_storage(&symbol.body) {
        return Ok(None);
    }
    let params = super::apart::storage_params(symbol);
    paths::compose(&mut symbol.body);
    versions::forget_old(&mut symbol.body);
    let counts = rewrite::rewrite(symbol, inputs, outputs, &params)?;
    if signature {
        symbol.set_attr(caustic_dialects::agg::STORAGE, params.to_attr());
    }
    Ok(Some(counts))
}

fn has_storage(body: &Body) -> bool {
    body.walk_all().into_iter().any(|op| body.results(op).iter().any(|&v| in_storage(body, v)))
}

/// Whether the value is kept in storage.
fn in_storage(body: &Body, value: ValueId) -> bool {
    needs_storage(body.ty(value))
}
