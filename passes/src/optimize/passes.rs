//! The pass rows of optimization.

use super::canonicalize::Fuel;
use super::inline::Policy;
use super::symbol_dce::Roots;
use super::{branches, canonicalize, cse, dce, inline, licm, sink, symbol_dce};
use crate::manager::{Changed, ModuleView, PassDef, PassReport, PassResult};
use crate::passes;
use caustic_ir::{Module, Name, SymbolOp};

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

    /// Takes what a branch of an `if` gives in place of computing it again in a later `if` of the same condition.
    static SHARE_BRANCHES: "share-branches" {
        level: function, options: none, before: "func scf arith math vector agg", after: "the same",
        statistics: [("replaced", "ops that repeated what a branch had computed")],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, report: &mut PassReport| -> PassResult {
            let replaced = branches::run(symbol, view.effects());
            report.count("replaced", replaced);
            Ok(Changed::from(replaced > 0))
        },
    }

    /// Removes what no effect and no result of the function depends on, also what a loop carries only for itself.
    static DCE: "dce" {
        level: function, options: none, before: "func scf arith math vector agg ad", after: "the same", statistics: [],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, _: &mut PassReport| -> PassResult {
            Ok(Changed::from(dce::run(symbol, view.effects())))
        },
    }

    /// Moves computations that are the same in every iteration in front of the loop.
    static LICM: "licm" {
        level: function, options: none, before: "func scf arith math vector agg", after: "the same",
        statistics: [("moved", "ops moved out of a loop, once for each loop")],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, report: &mut PassReport| -> PassResult {
            let moved = licm::run(symbol, view.effects());
            report.count("moved", moved);
            Ok(Changed::from(moved > 0))
        },
    }

    /// Moves what only one branch of an `if` or switch reads into that branch.
    ///
    /// Before differentiation it keeps derivatives of the branch not taken from being computed at all, where they could be infinite.
    static SINK: "sink" {
        level: function, options: none, before: "func scf arith math vector agg", after: "the same", statistics: [],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport| -> PassResult { Ok(Changed::from(sink::run(symbol))) },
    }

    /// Replaces calls by the body of what they call, where that is small, marked `force_inline`, or called once.
    ///
    /// Of the functions that are called once, the private ones and those that an entry point calls. Recursive functions are left. Nothing is
    /// done while derivatives are still asked for.
    static INLINE: "inline" {
        level: module,
        options: InlineOptions {
            small: i64 = "32", "Size in ops up to which a function is inlined wherever it is called.";
            once: i64 = "4000", "Size up to which a function is inlined where it is called, if that is one place and it is private or the caller an entry point.";
            largest: i64 = "20000", "No function grows beyond this size.";
        },
        before: "func scf arith math vector agg", after: "the same", statistics: [("inlined", "calls replaced")],
        run: |module: &mut Module, options: &InlineOptions, report: &mut PassReport| -> PassResult {
            let size = |n: i64| usize::try_from(n).unwrap_or(0);
            let policy = Policy { small: size(options.small), once: size(options.once), largest: size(options.largest) };
            let inlined = inline::run(module, &policy);
            report.count("inlined", inlined);
            Ok(Changed::from(inlined > 0))
        },
    }

    /// Removes functions that nothing can call: private ones that no other mentions.
    static SYMBOL_DCE: "symbol-dce" {
        level: module,
        options: SymbolDceOptions {
            entries_only: bool = "false", "Keep entry points, what `keep` names, and what these need; all else goes, private or not.";
            keep: String = "", "Names of further functions to keep, separated by blanks.";
        },
        before: "any", after: "the same", statistics: [("removed", "functions removed")],
        run: |module: &mut Module, options: &SymbolDceOptions, report: &mut PassReport| -> PassResult {
            let named = options.keep.split_whitespace().map(Name::new).collect();
            let removed = symbol_dce::run(module, &Roots { entries_only: options.entries_only, named });
            report.count("removed", removed);
            Ok(Changed::from(removed > 0))
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
pub static PASSES: &[&PassDef] = &[&INLINE, &CANONICALIZE, &CSE, &SHARE_BRANCHES, &SINK, &LICM, &DCE, &SYMBOL_DCE];
