//! Loops with `[MaxIters(n)]` where nothing can be allocated: the first n iterations become a loop
//! of their own, which has arrays for what it keeps, and the others work from snapshots.
//!
//! As a rule there are no others. If there are, the derivative is slower and as right.

use crate::analysis::costs::{self, Costs};
use crate::analysis::stage;
use caustic_dialects::ad::is_tangent;
use caustic_dialects::{arith, scf};
use caustic_ir::{Attr, Body, Builder, Cloner, OpId};

use super::schedule::{COUNTER_BYTES, state_bytes};

/// Where an iteration is more work than keeping its state, arrays may take this many times the room
/// for snapshots: they are written and read once, and no iteration runs again.
const ARRAYS_TO_SNAPSHOTS: u64 = 4;

/// The loops marked with `SNAPSHOTS` in `marked`, a copy of `body`, that may be taken apart so.
/// A loop that was given more than `slots` snapshots is one whose iterations are more work than
/// keeping their states.
pub fn candidates(body: &Body, marked: &Body, costs: &Costs, slots: i64) -> Vec<OpId> {
    let in_loop = |op: OpId| {
        let around = |op: OpId| body.op(op).block.and_then(|b| body.parent_op(b));
        std::iter::successors(around(op), |&op| around(op)).any(|op| costs::is_loop(body, op))
    };
    let fits = |op: OpId, snapshots: i64| {
        let times = if snapshots > slots { ARRAYS_TO_SNAPSHOTS } else { 1 };
        // Arrays need no numbers of iterations.
        let bytes = state_bytes(body, op).saturating_sub(COUNTER_BYTES);
        most(body, op).is_some_and(|n| n.saturating_mul(bytes) <= costs.snapshots * times)
    };
    let asked = |&op: &OpId| {
        let snapshots = marked.attr(op, stage::SNAPSHOTS).and_then(|a| a.as_int());
        snapshots.is_some_and(|n| !in_loop(op) && fits(op, n))
    };
    body.walk_all().into_iter().filter(asked).collect()
}

/// After how many iterations a loop is cut. It counts from 0 by 1, as all that are differentiated.
fn most(body: &Body, op: OpId) -> Option<u64> {
    let most = scf::For::cast(body, op)?.max_iters(body).filter(|&n| n > 0 && i32::try_from(n).is_ok())?;
    body.results(op).iter().any(|&r| is_tangent(body.ty(r))).then_some(most as u64)
}

/// Takes a loop apart; what comes behind the bound gets at most `slots` snapshots.
pub fn split(body: &mut Body, op: OpId, slots: i64) {
    let block = body.region_block(op, 0);
    let (Some(most), Some(home), Some(block)) = (most(body, op), body.op(op).block, block) else { return };
    let first = Cloner::new().clone_within(body, op, home, Some(op));
    let (lower, upper, step) = (scf::For(op).lower(body), scf::For(op).upper(body), scf::For(op).step(body));
    let ty = body.ty(upper);
    let Some(mut b) = Builder::before(body, first) else { return };
    let end = arith::int(&mut b, most as i64, ty);
    let middle = b.create_one(arith::MinSI::DEF, &[upper, end], ty, &[]);
    let rest = b.create_one(arith::SubI::DEF, &[upper, middle], ty, &[]);
    body.set_operand(first, 1, middle);
    for mark in [stage::AT_MOST, stage::ROOM] {
        body.set_attr(first, mark, Attr::i64(most as i64));
    }
    // The program does not expect the iterations behind the bound, so they get few snapshots.
    body.set_attr(op, "max_iters", Attr::i64((most as i64).min(slots.max(1))));
    let mut operands = vec![lower, rest, step];
    operands.extend(body.results(first));
    body.set_operands(op, &operands);
    let counter = body.args(block)[0];
    if body.is_unused(counter) {
        return;
    }
    let Some(&begin) = body.block_ops(block).first() else { return };
    let Some(mut b) = Builder::before(body, begin) else { return };
    let own = b.create_one(arith::AddI::DEF, &[counter, middle], ty, &[]);
    let shift = body.def_op(own);
    for u in body.uses(counter).to_vec() {
        if Some(u.op) != shift {
            body.set_operand(u.op, u.index as usize, own);
        }
    }
}
