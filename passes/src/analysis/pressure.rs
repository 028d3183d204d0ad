//! How much is alive at once: what a thread keeps in registers, as far as the order of the code
//! tells.
//!
//! A target's compiler orders code anew, shares registers and computes again what is cheap; what is
//! compared here are kernels with each other, not with a number of registers.

use crate::analysis::costs::bytes;
use caustic_dialects::scf;
use caustic_ir::{Body, OpId, ValueId};
use rustc_hash::FxHashMap;

/// Bytes of the most values that are alive at once, of those that count.
///
/// A value lives from where it is made to its last use; one that is used in a loop that it was not
/// made in, until that loop has ended.
pub fn most_alive(body: &Body, counts: &dyn Fn(ValueId) -> bool) -> u64 {
    let ops = body.walk_all();
    let order: FxHashMap<OpId, usize> = ops.iter().enumerate().map(|(n, &op)| (op, n)).collect();
    let mut last: FxHashMap<ValueId, usize> = FxHashMap::default();
    for &op in &ops {
        for &value in body.operands(op).iter().filter(|&&v| counts(v)) {
            let until = end_of(body, outermost_loop(body, op, value).unwrap_or(op), &order);
            let known = last.entry(value).or_insert(until);
            *known = (*known).max(until);
        }
    }
    let mut changes: Vec<(usize, bool, u64)> = Vec::new();
    for (value, until) in last {
        let made = body.def_op(value).or_else(|| body.def_block(value).and_then(|b| body.first_op(b)));
        let Some(&from) = made.and_then(|op| order.get(&op)) else { continue };
        // At its last use a value still is where it was.
        changes.extend([(from, true, bytes(body.ty(value))), (until + 1, false, bytes(body.ty(value)))]);
    }
    changes.sort_unstable();
    let (mut now, mut most) = (0u64, 0u64);
    for (_, begins, bytes) in changes {
        now = if begins { now + bytes } else { now.saturating_sub(bytes) };
        most = most.max(now);
    }
    most
}

/// The outermost loop around `op` that `value` is not made in.
fn outermost_loop(body: &Body, op: OpId, value: ValueId) -> Option<OpId> {
    let made = body.def_block(value)?;
    let (mut block, mut found) = (body.op(op).block?, None);
    while block != made {
        let outer = body.parent_op(block)?;
        if scf::For::is(body, outer) || scf::While::is(body, outer) {
            found = Some(outer);
        }
        block = body.op(outer).block?;
    }
    found
}

/// The number of the last op within `op`.
fn end_of(body: &Body, op: OpId, order: &FxHashMap<OpId, usize>) -> usize {
    let within = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
    within.chain([op]).filter_map(|o| order.get(&o).copied()).max().unwrap_or(0)
}
