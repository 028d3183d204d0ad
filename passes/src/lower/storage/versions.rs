//! Keeping old versions of an array from being needed, by small changes that the meaning allows.
//!
//! A copy is made where a version is read after the next one was made. Often that need not be: what
//! was just written is known without reading it; an update at the place of an earlier update can
//! start from that one's result as well as from what it started from; a read can come before the
//! update instead of after it.

use super::in_storage;
use super::live::Liveness;
use crate::analysis::costs::is_loop;
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::{agg, arith::build};
use caustic_ir::{Body, Builder, Cloner, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Removes needs for old versions.
pub fn forget_old(body: &mut Body) {
    own_zeros(body);
    for op in body.walk_all() {
        if agg::Extract::is(body, op) {
            forward(body, op);
        }
    }
    let live = Liveness::new(body, &|_, _| false);
    restart(body, &live);
    super::paths::remove_unused(body);
    let mut moved = FxHashSet::default();
    for op in body.walk_all() {
        if agg::Insert::is(body, op) && in_storage(body, body.operand(op, 1)) {
            read_before(body, &live, op, &mut moved);
        }
    }
}

/// Gives each array that begins as zero a zero of its own: to fill memory costs less than to copy
/// it, and what nobody reads before it is written is not even filled.
fn own_zeros(body: &mut Body) {
    for zero in body.walk_all() {
        if !agg::Zero::is(body, zero) || !in_storage(body, body.result(zero, 0)) {
            continue;
        }
        let value = body.result(zero, 0);
        let changes = |body: &Body, op: OpId, operand: usize| match () {
            _ if agg::Insert::is(body, op) => operand == 1,
            _ => is_loop(body, op),
        };
        let uses: Vec<_> = body.uses(value).iter().copied().filter(|u| changes(body, u.op, u.index as usize)).collect();
        let rest = if uses.len() == body.uses(value).len() { 1 } else { 0 };
        for one in uses.into_iter().skip(rest) {
            let Some(block) = body.op(one.op).block else { continue };
            let copy = Cloner::new().clone_within(body, zero, block, Some(one.op));
            let own = body.result(copy, 0);
            body.set_operand(one.op, one.index as usize, own);
        }
    }
}

/// Reads what was just written at the same place: the value itself, or zero where the place does
/// not exist.
fn forward(body: &mut Body, op: OpId) {
    let (whole, result) = (body.operand(op, 0), body.result(op, 0));
    if !in_storage(body, whole) || in_storage(body, result) {
        return;
    }
    let Some(update) = body.def_op(whole).filter(|&u| agg::Insert::is(body, u) && same_place(body, u, op)) else {
        return;
    };
    let value = body.operand(update, 0);
    let steps = agg::path_of(body, op);
    let known = steps.iter().all(|&s| s >= 0) || is_zero(body, value);
    // Otherwise only if it makes the update itself unnecessary.
    let only_read = |b: &Body| b.uses(whole).iter().all(|u| agg::Extract::is(b, u.op) && same_place(b, update, u.op));
    let new = match () {
        () if known => Some(value),
        () if only_read(body) && body.ty(value).is_scalar() => select_in_range(body, op, value, &steps),
        () => None,
    };
    if let Some(new) = new {
        body.replace_uses(result, new);
        body.erase_op(op);
    }
}

/// Whether an update and a read or another update have the same path and indices.
fn same_place(body: &Body, update: OpId, other: OpId) -> bool {
    let indices = |op: OpId| match agg::Insert::cast(body, op) {
        Some(insert) => insert.indices(body),
        None => agg::Extract(op).indices(body),
    };
    agg::path_of(body, update) == agg::path_of(body, other) && indices(update) == indices(other)
}

fn is_zero(body: &Body, value: ValueId) -> bool {
    let zero = build::number_attr(0.0, body.ty(value));
    body.ty(value).is_scalar() && arith::constant_of(body, value) == Some(zero)
}

/// `value` if the indices of the read `op` are in range, else zero. `None` if a range is not known
/// or does not fit its index.
fn select_in_range(body: &mut Body, op: OpId, value: ValueId, steps: &[i64]) -> Option<ValueId> {
    let mut ty = body.ty(body.operand(op, 0));
    let mut checks: Vec<(ValueId, i64)> = Vec::new();
    let mut indices = agg::Extract(op).indices(body).iter().copied();
    for &step in steps {
        if step < 0 {
            let (count, _) = agg::as_array(ty)?;
            let index = indices.next()?;
            let bits = body.ty(index).scalar_bits().filter(|&b| b >= 8)?;
            let count = i64::try_from(count).ok().filter(|&n| bits == 64 || n < 1 << (bits - 1))?;
            checks.push((index, count));
        }
        ty = agg::part_type(ty, step)?;
    }
    let mut b = Builder::before(body, op)?;
    let mut inside: Option<ValueId> = None;
    for (index, count) in checks {
        let index_ty: Type = b.ty(index);
        let count = arith::int(&mut b, count, index_ty);
        // Negative indices are large as unsigned numbers.
        let check = arith::cmpi(&mut b, IntPredicate::Ult, index, count);
        inside = Some(match inside {
            Some(others) => arith::AndI::build(&mut b, others, check, &[]),
            None => check,
        });
    }
    let zero = arith::zero(&mut b, ty);
    Some(match inside {
        Some(inside) => arith::Select::build(&mut b, inside, value, zero, &[]),
        None => value,
    })
}

/// Updates that start from a version which an earlier update at the same place has replaced start
/// from that one's result: whatever that wrote is overwritten.
fn restart(body: &mut Body, live: &Liveness) {
    let mut first: FxHashMap<(ValueId, Vec<i64>, Vec<ValueId>), OpId> = FxHashMap::default();
    for op in body.walk_all() {
        if !agg::Insert::is(body, op) || !in_storage(body, body.operand(op, 1)) {
            continue;
        }
        let steps = agg::path_of(body, op);
        if steps.is_empty() {
            continue;
        }
        let indices = agg::Insert(op).indices(body).to_vec();
        let key = (body.operand(op, 1), steps, indices);
        match first.get(&key).copied() {
            Some(earlier) if dominates(body, live, earlier, op) => {
                let base = body.result(earlier, 0);
                let indices = agg::Insert(op).indices(body).to_vec();
                let operands = [vec![body.operand(op, 0), base], indices].concat();
                body.set_operands(op, &operands);
                // The next one starts from here.
                first.insert(key, op);
            }
            _ => {
                first.insert(key, op);
            }
        }
    }
}

fn dominates(body: &Body, live: &Liveness, a: OpId, b: OpId) -> bool {
    match (body.op(a).block, body.op(b).block) {
        (Some(x), Some(y)) => body.is_block_within(y, x) && live.before(a, b),
        _ => false,
    }
}

/// Moves the reads of what `update` replaces from after it to before it, if those are all that
/// needs the old version.
fn read_before(body: &mut Body, live: &Liveness, update: OpId, moved: &mut FxHashSet<OpId>) {
    let old = body.operand(update, 1);
    let Some(block) = body.op(update).block else { return };
    let mut later = Vec::new();
    for u in body.uses(old) {
        // What was moved has left the order of the numbers.
        if u.op == update || moved.contains(&u.op) || !live.before(update, u.op) {
            continue;
        }
        let moves = body.op(u.op).block == Some(block)
            && agg::Extract::is(body, u.op)
            && !in_storage(body, body.result(u.op, 0))
            && body.operands(u.op).iter().all(|&v| match body.def_op(v) {
                Some(def) => body.op(def).block != Some(block) || live.before(def, update),
                None => true,
            });
        if !moves {
            return;
        }
        later.push(u.op);
    }
    for read in later {
        body.move_op(read, block, Some(update));
        moved.insert(read);
    }
}
