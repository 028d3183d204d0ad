//! The pass rows of normalization.

use super::{check_indices, exits, inline, raise_for, unroll, verify};
use crate::manager::{Changed, ModuleView, PassDef, PassReport, PassResult};
use crate::passes;
use caustic_ir::{Diagnostic, Module, SymbolOp};

fn result(done: Result<bool, Diagnostic>) -> PassResult {
    done.map(Changed::from).map_err(|d| vec![d])
}

passes! {
    /// Puts a check before each access by a computed index: where it is out of range, the program traps.
    static CHECK_INDICES: "check-indices" {
        level: function, options: none, before: "hl", after: "the same", statistics: [("checks", "checks added")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            let added = check_indices::run(symbol);
            report.count("checks", added);
            Ok(Changed::from(added > 0))
        },
    }

    /// Removes break, continue and early return from high-level code.
    ///
    /// What stands behind an `hl.if` of which one branch always leaves moves into the other branch; else exits set flags, and loops test
    /// theirs in their condition. Afterwards a function has one `hl.return`, its last op.
    static NORMALIZE_EXITS: "normalize-exits" {
        level: function, options: none, before: "hl", after: "hl without early exits", statistics: [],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport| result(exits::run(symbol)),
    }

    /// Turns high-level functions into SSA: variables and addresses become values, `out` and `inout` parameters results.
    ///
    /// `hl.func` becomes `func.func`, `hl.if`, `hl.switch` and `hl.loop` become `scf`, accesses to parts of variables become `agg` and
    /// `vector` ops. Early exits must be gone.
    static PROMOTE: "promote" {
        level: module, options: none, before: "hl without early exits", after: "func scf arith math vector agg, ad.derivative",
        statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            // One pass over the module: a function's new type and the calls of it change together.
            super::promote_all(module).map(|()| Changed::Yes)
        },
    }

    /// Turns loops that count into `scf.for` from 0 by 1, and bounds others by their counter.
    ///
    /// The counter may be of any integer type, go up or down by any constant, and be tested before or behind an iteration. Counts
    /// are exact, also where the counter could wrap around.
    static RAISE_FOR: "raise-for" {
        level: function, options: none, before: "canonical scf.while", after: "scf.for where it counts",
        statistics: [("raised", "loops that became scf.for"), ("bounded", "other loops that got a max_iters")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            let found = raise_for::run(symbol);
            report.count("raised", found.raised);
            report.count("bounded", found.bounded);
            Ok(Changed::from(found != raise_for::Found::default()))
        },
    }

    /// Replaces loops marked `unroll = "force"` by copies of their body; an error where that cannot be done.
    static UNROLL: "unroll" {
        level: function, options: none, before: "scf", after: "scf without loops marked so", statistics: [("unrolled", "loops")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            let loops = unroll::run(symbol).map_err(|d| vec![d])?;
            report.count("unrolled", loops);
            Ok(Changed::from(loops > 0))
        },
    }

    /// Replaces calls of functions marked `force_inline` by the function's body.
    static INLINE_FORCED: "inline-forced" {
        level: module, options: none, before: "func scf arith math vector agg", after: "the same without such calls",
        statistics: [("inlined", "calls")],
        run: |module: &mut Module, report: &mut PassReport| {
            let calls = inline::run(module)?;
            report.count("inlined", calls);
            Ok(Changed::from(calls > 0))
        },
    }

    /// Checks that the module is in normalized form, and that no differentiable function calls itself.
    static VERIFY_NORMALIZED: "verify-normalized" {
        level: module, options: none, before: "func scf arith math vector agg, ad.derivative", after: "the same", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let found = verify::verify_module(module);
            if found.is_empty() { Ok(Changed::No) } else { Err(found) }
        },
    }
}

/// In the order in which they run.
pub static PASSES: &[&PassDef] =
    &[&CHECK_INDICES, &NORMALIZE_EXITS, &PROMOTE, &INLINE_FORCED, &RAISE_FOR, &UNROLL, &VERIFY_NORMALIZED];
