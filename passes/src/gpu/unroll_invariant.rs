//! `unroll-invariant`: short loops inside of loops, most of whose work is the same each time that
//! they run, become straight-line code, so that this work moves in front of the outer loop.
//!
//! A march through a scene of six shapes computes in each step what the shapes' parameters give,
//! and that depends on the shape alone. As a loop there is one place for six results; as
//! straight-line code each is a value of its own, which a register holds while the outer loop runs.
//!
//! The pass works on kernels after inlining; `licm` moves the work.

use super::unroll_chosen::unroll_short;
use crate::analysis::consts::is_entered;
use crate::analysis::costs::{Costs, Machine, bytes, is_loop};
use crate::analysis::effects::{Effect, Summary};
use crate::manager::PassReport;
use crate::passes;
use caustic_dialects::carried::{ForParts, defined_outside};
use caustic_dialects::scf;
use caustic_ir::{Body, Module, OpId, ValueId};
use rustc_hash::FxHashSet;

/// Ops that a loop may become.
const LOOP_OPS: usize = 1024;
/// Of the work of an iteration at least one part in this many is to be the same, and it is to be
/// more than a few ops.
const LEAST_SHARE: u64 = 3;
const LEAST_WORK: u64 = 12;
/// Bytes that results of that work may take in registers, of all iterations.
const BYTES: u64 = 256;

passes! {
    /// Unrolls short loops in loops, if most of their work is the same in all iterations of the
    /// outer one.
    pub static UNROLL_INVARIANT: "unroll-invariant" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("unrolled", "loops")],
        run: |module: &mut Module, report: &mut PassReport| {
            let summary = Summary::of(module);
            let costs = Costs::of_machine(Machine::Gpu);
            unroll_short(module, report, LOOP_OPS, |body, op, trips| pays(body, op, trips, costs, &summary))
        },
    }
}

/// The innermost loop around an op.
fn loop_around(body: &Body, op: OpId) -> Option<OpId> {
    let mut outer = body.parent_op(body.op(op).block?)?;
    while !is_loop(body, outer) {
        outer = body.parent_op(body.op(outer).block?)?;
    }
    Some(outer)
}

/// Whether enough of a loop's work follows from its counter and from what the loop around does not
/// make.
fn pays(body: &Body, op: OpId, trips: usize, costs: &Costs, summary: &Summary) -> bool {
    let Some((parts, outer)) = ForParts::of(body, op).zip(loop_around(body, op)) else { return false };
    let ops = body.block_ops(parts.body);
    if trips < 2 || ops.iter().any(|&op| is_loop(body, op)) {
        return false;
    }
    let counter = body.args(parts.body)[0];
    // What reads moves only if it happens whatever the loop does.
    let most = if is_entered(body, outer) { Effect::ReadsConstant } else { Effect::Pure };
    let mut same: FxHashSet<ValueId> = FxHashSet::from_iter([counter]);
    let mut moved: FxHashSet<OpId> = FxHashSet::default();
    // What the counter has no part in moves as it is.
    let mut counted = same.clone();
    let mut work = 0;
    for &op in ops.iter().filter(|&&op| !body.op(op).def.is_terminator() && summary.op(body, op) <= most) {
        let inside = nested(body, op);
        if !inside.iter().all(|&op| may_move(body, op)) {
            continue;
        }
        let results: FxHashSet<ValueId> = inside.iter().flat_map(|&op| body.results(op)).copied().collect();
        let given = inside.iter().flat_map(|&op| body.operands(op)).filter(|v| !results.contains(v));
        let given: Vec<ValueId> = given.copied().collect();
        if given.iter().all(|v| same.contains(v) || defined_outside(body, *v, outer)) {
            moved.insert(op);
            same.extend(body.results(op));
            if given.iter().any(|v| counted.contains(v)) {
                counted.extend(body.results(op));
                work += inside.iter().map(|&op| costs.work(body, op)).sum::<u64>();
            }
        }
    }
    let total: u64 = ops.iter().flat_map(|&op| nested(body, op)).map(|op| costs.work(body, op)).sum();
    let moves = |mut user: OpId| {
        while let Some(around) = body.op(user).block.filter(|&b| b != parts.body).and_then(|b| body.parent_op(b)) {
            user = around;
        }
        moved.contains(&user)
    };
    let kept = |v: &&ValueId| **v != counter && body.uses(**v).iter().any(|u| !moves(u.op));
    let registers: u64 = counted.iter().filter(kept).map(|&v| bytes(body.ty(v))).sum();
    work >= LEAST_WORK && work.saturating_mul(LEAST_SHARE) >= total && registers.saturating_mul(trips as u64) <= BYTES
}

/// Whether an op may be part of what moves: it computes, reads, or is a branch.
fn may_move(body: &Body, op: OpId) -> bool {
    body.op(op).regions.is_empty() || scf::If::is(body, op)
}

/// An op and those in it.
fn nested(body: &Body, op: OpId) -> Vec<OpId> {
    body.op(op).regions.iter().flat_map(|&r| body.walk(r)).chain([op]).collect()
}
