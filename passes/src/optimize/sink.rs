//! `sink`: what only one branch reads is computed in that branch.
//!
//! Runs before differentiation, and matters to it: a value that is computed before an `if` and read
//! in the branch not taken has the cotangent zero, and zero times an infinite partial is NaN. In
//! the branch it is not computed at all. Nothing is moved into a loop.

use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, OpId, SymbolOp};

passes! {
    /// Moves what only one branch of an `if` or switch reads into that branch.
    ///
    /// Before differentiation it keeps derivatives of the branch not taken from being computed at
    /// all, where they could be infinite.
    pub static SINK: "sink" {
        level: function, options: none, before: "func scf arith math vector agg", after: "the same", statistics: [],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport| -> PassResult { Ok(Changed::from(run(symbol))) },
    }
}

/// The branch that holds every use of the op's results, if one does: a block of an `if` or switch
/// that stands in the op's own block.
fn only_branch(body: &Body, op: OpId) -> Option<BlockId> {
    let home = body.op(op).block?;
    let mut found: Option<BlockId> = None;
    for &result in body.results(op) {
        for u in body.uses(result) {
            let mut block = body.op(u.op).block?;
            // Outwards to the block that stands directly below the op's own.
            let branch = loop {
                let parent = body.parent_op(block)?;
                let outer = body.op(parent).block?;
                if outer == home {
                    break (scf::If::is(body, parent) || scf::IndexSwitch::is(body, parent)).then_some(block)?;
                }
                block = outer;
            };
            if *found.get_or_insert(branch) != branch {
                return None;
            }
        }
    }
    found
}

/// Moves pure ops without regions into branches; one that moves can go deeper later, with what it
/// reads following it.
pub fn run(symbol: &mut SymbolOp) -> bool {
    let body = &mut symbol.body;
    let mut changed = false;
    // Readers come before what they read, so that chains move as a whole.
    let mut work: Vec<OpId> = body.walk_all();
    while let Some(op) = work.pop() {
        let data = body.op(op);
        // Constants are free wherever they stand.
        if !data.def.is_pure() || !data.regions.is_empty() || data.operands.is_empty() {
            continue;
        }
        while let Some(branch) = only_branch(body, op) {
            let first = body.first_op(branch);
            body.move_op(op, branch, first);
            changed = true;
        }
    }
    changed
}
