//! The pass rows of optimization.

use super::canonicalize::Fuel;
use super::{canonicalize, cse, dce};
use crate::manager::{Changed, ModuleView, PassDef, PassReport, PassResult};
use crate::passes;
use caustic_ir::SymbolOp;

passes! {
    /// Folds constants and applies the rewrites that make code simpler, until none applies.
    ///
    /// The rewrites are listed in the documentation of optimization, each with what it needs of floats.
    static CANONICALIZE: "canonicalize" {
        level: function,
        options: CanonicalizeOptions { stop_after: i64 = "-1", "Stop after this many changes in a function; -1 for no limit. To find the change that breaks a program."; },
        before: "any", after: "the same", statistics: [("rewrites", "changes made")],
        run: run_canonicalize,
    }

    /// Replaces an op that repeats what one in scope has computed by that one's results.
    ///
    /// Shares pure ops, calls that only compute, and reads with no write in between.
    static CSE: "cse" {
        level: function, options: none, before: "func scf arith math vector agg ad", after: "the same", statistics: [],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, _: &mut PassReport| -> PassResult {
            Ok(Changed::from(cse::run(symbol, view.effects())))
        },
    }

    /// Removes what no effect and no result of the function depends on, also what a loop carries only for itself.
    static DCE: "dce" {
        level: function, options: none, before: "func scf arith math vector agg ad", after: "the same", statistics: [],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, _: &mut PassReport| -> PassResult {
            Ok(Changed::from(dce::run(symbol, view.effects())))
        },
    }
}

fn run_canonicalize(
    symbol: &mut SymbolOp,
    _: &ModuleView<'_>,
    options: &CanonicalizeOptions,
    report: &mut PassReport,
) -> PassResult {
    let fuel = Fuel { stop_after: u64::try_from(options.stop_after).ok() };
    let changes = canonicalize::run_with(symbol, fuel).map_err(|e| vec![e])?;
    report.count("rewrites", changes);
    Ok(Changed::from(changes > 0))
}

/// In the order in which they usually run.
pub static PASSES: &[&PassDef] = &[&CANONICALIZE, &CSE, &DCE];
