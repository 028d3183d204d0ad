//! `licm`: computations that are the same in every iteration move in front of the loop.
//!
//! What moves stands directly in a loop and reads nothing that the loop makes: an op, or a
//! branch or counted loop that only computes. Computing it once too often, where the loop does not
//! run at all, changes nothing, for no op traps; it costs little, for work without a small bound
//! moves only if the loop surely runs. Whole arrays do not move: in a loop they are made to be
//! updated in place. Reads of memory move if the loop writes nothing and the read happens whatever
//! the loop does.
//!
//! Loops are done from the inside out, so that code moves as far as it can.

use crate::analysis::consts::{Constants, is_entered};
use crate::analysis::effects::{Effect, Summary};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::agg::needs_storage;
use caustic_dialects::carried::{ForParts, WhileParts, defined_outside};
use caustic_dialects::{func, scf};
use caustic_ir::{BlockId, Body, OpId, SymbolOp, ValueId};
use rustc_hash::FxHashSet;

/// Branches that run more ops stay in loops that may not run.
const BRANCH_OPS: usize = 32;
/// The same of loops. These are rarely in loops that do not run, and save all but one run.
const LOOP_OPS: usize = 4096;

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

/// Whether a read gives the same in each iteration and happens anyway.
fn is_readable(body: &Body, op: OpId, effect: Effect, surely: Option<Surely>) -> bool {
    match effect {
        Effect::ReadsConstant => surely.is_some(),
        Effect::Reads => surely.is_some_and(|s| !s.writes) && !body.operands(op).is_empty(),
        Effect::Pure | Effect::Writes => false,
    }
}

/// Whether a branch or a counted loop only computes, from what the loop around it does not make. A
/// loop that may run where the outer one does not must be short.
fn is_invariant_region(body: &Body, op: OpId, outer: OpId, effects: &[Effect], surely: Option<Surely>) -> bool {
    let has_regions = |op: OpId| scf::If::is(body, op) || ForParts::of(body, op).is_some();
    if !has_regions(op) || effects[op.index()] == Effect::Writes {
        return false;
    }
    let inside: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
    let fits = |&op: &OpId| match effects[op.index()] {
        Effect::Pure => body.op(op).def.is_pure() || scf::Yield::is(body, op) || has_regions(op),
        effect => has_regions(op) || is_readable(body, op, effect, surely),
    };
    let makers: FxHashSet<OpId> = inside.iter().copied().chain([op]).collect();
    let own = |v: ValueId| {
        let maker = body.def_op(v).or_else(|| body.def_block(v).and_then(|b| body.parent_op(b)));
        maker.is_some_and(|m| makers.contains(&m))
    };
    let limit = if scf::If::is(body, op) { BRANCH_OPS } else { LOOP_OPS };
    let is_cheap = || work(body, op, &mut Constants::default()).is_some_and(|w| w <= limit);
    (surely.is_some() || is_cheap())
        && inside.iter().all(fits)
        && inside.iter().flat_map(|&op| body.operands(op)).all(|&v| own(v) || defined_outside(body, v, outer))
}

/// How many ops an op with regions runs at most, if its loops have constant bounds.
fn work(body: &Body, op: OpId, constants: &mut Constants) -> Option<usize> {
    let mut ops = 0usize;
    for block in body.op(op).regions.iter().flat_map(|&r| body.region(r).blocks.clone()) {
        for inner in body.block_ops(block) {
            ops = ops.saturating_add(1).saturating_add(work(body, inner, constants)?);
        }
    }
    let times = if scf::For::is(body, op) { constants.trips(body, op)? } else { 1 };
    Some(ops.saturating_mul(times))
}

fn hoist(body: &mut Body, outer: OpId, block: BlockId, effects: &[Effect], surely: Option<Surely>) -> u64 {
    let Some(home) = body.op(outer).block else { return 0 };
    let mut moved = 0;
    for op in body.block_ops(block) {
        let data = body.op(op);
        let effect = effects[op.index()];
        let fits = match data.regions.is_empty() {
            true => effect == Effect::Pure && data.def.is_pure() || is_readable(body, op, effect, surely),
            false => is_invariant_region(body, op, outer, effects, surely),
        };
        let fits = fits
            && !data.def.is_terminator()
            && !data.results.iter().any(|&r| needs_storage(body.ty(r)))
            && data.operands.iter().all(|&v| defined_outside(body, v, outer));
        if fits {
            body.move_op(op, home, Some(outer));
            moved += 1;
        }
    }
    moved
}
