//! `licm`: computations that are the same in every iteration move in front of the loop.
//!
//! What moves stands directly in a loop's regions, reads nothing that the loop makes, and has no
//! regions of its own, but for branches that only compute: computing it once too often, where the
//! loop does not run at all, costs little and changes nothing, for no op traps. Whole arrays do not
//! move: in a loop they are made to be updated in place. Reads of memory move if the loop writes
//! nothing and the read happens whatever the loop does.
//!
//! Loops are done from the inside out, so that code moves as far as it can.

use crate::analysis::consts::is_entered;
use crate::analysis::effects::{Effect, Summary};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::agg::needs_storage;
use caustic_dialects::carried::{ForParts, WhileParts, defined_outside};
use caustic_dialects::{func, scf};
use caustic_ir::{BlockId, Body, OpId, SymbolOp, ValueId};

/// Branches with more ops stay in their loops.
const BRANCH_OPS: usize = 32;

passes! {
    /// Moves computations that are the same in every iteration in front of the loop.
    pub static LICM: "licm" {
        level: function, options: none, before: "func scf arith math vector agg", after: "the same",
        statistics: [("moved", "ops moved out of a loop, once for each loop")],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, report: &mut PassReport| -> PassResult {
            let moved = run(symbol, view.effects());
            report.count("moved", moved);
            Ok(Changed::from(moved > 0))
        },
    }
}

/// Moves invariant code of a function out of its loops; how many ops moved.
pub fn run(symbol: &mut SymbolOp, summary: &Summary) -> u64 {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return 0;
    }
    let body = &mut symbol.body;
    let effects = summary.moved_ops(body);
    let mut moved = 0;
    for op in body.walk_all().into_iter().rev() {
        let writes = writes(effects[op.index()]);
        if let Some(parts) = ForParts::of(body, op) {
            moved += hoist(body, op, parts.body, &effects, is_entered(body, op).then_some(Surely { writes }));
        } else if let Some(parts) = WhileParts::of(body, op) {
            // The condition is computed at least once, the rest may never be.
            moved += hoist(body, op, parts.before, &effects, Some(Surely { writes }));
            let entered = is_entered(body, op);
            moved += hoist(body, op, parts.after, &effects, entered.then_some(Surely { writes }));
        }
    }
    moved
}

/// Whether what is read may be another thing in the next iteration of a loop with this effect.
#[mutant(Site::LicmReads => false)]
fn writes(effect: Effect) -> bool {
    effect == Effect::Writes
}

/// What is known of a block of a loop that runs at least once: a read in it happens anyway.
#[derive(Clone, Copy)]
struct Surely {
    /// Something in the loop writes.
    writes: bool,
}

/// Whether a branch only computes, from what the loop does not make.
fn is_invariant_branch(body: &Body, op: OpId, outer: OpId, effects: &[Effect]) -> bool {
    let inside: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
    let simple = |&op: &OpId| {
        let data = body.op(op);
        data.regions.is_empty()
            && effects[op.index()] == Effect::Pure
            && (data.def.is_pure() || scf::Yield::is(body, op))
    };
    let own = |v: ValueId| body.def_op(v).is_some_and(|d| inside.contains(&d));
    scf::If::is(body, op)
        && inside.len() <= BRANCH_OPS
        && inside.iter().all(simple)
        && inside.iter().flat_map(|&op| body.operands(op)).all(|&v| own(v) || defined_outside(body, v, outer))
}

fn hoist(body: &mut Body, outer: OpId, block: BlockId, effects: &[Effect], surely: Option<Surely>) -> u64 {
    let Some(home) = body.op(outer).block else { return 0 };
    let mut moved = 0;
    for op in body.block_ops(block) {
        let data = body.op(op);
        let effect = effects[op.index()];
        let fits = (data.regions.is_empty() || is_invariant_branch(body, op, outer, effects))
            && !data.def.is_terminator()
            && match effect {
                Effect::Pure => data.def.is_pure() || scf::If::is(body, op),
                Effect::ReadsConstant => surely.is_some(),
                Effect::Reads => surely.is_some_and(|s| !s.writes) && !data.operands.is_empty(),
                Effect::Writes => false,
            }
            && !data.results.iter().any(|&r| needs_storage(body.ty(r)))
            && data.operands.iter().all(|&v| defined_outside(body, v, outer));
        if fits {
            body.move_op(op, home, Some(outer));
            moved += 1;
        }
    }
    moved
}
