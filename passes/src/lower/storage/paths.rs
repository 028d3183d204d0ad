//! Paths joined into longer ones, so that an element is read where it is and no part is copied to
//! be read or changed.
//!
//! `extract (extract a, p), q` is `extract a, p·q`; and a part that is taken out, changed and put
//! back is changed in place: `insert (insert v, (extract a, p), q), a, p` is `insert v, a, p·q`.
//! Both hold where a path leads outside too: what is read there is zero, what is written there is
//! dropped.

use super::in_storage;
use super::live::Liveness;
use caustic_dialects::agg;
use caustic_ir::{Attr, Body, Builder, OpId, ValueId};

/// Joins paths where parts are kept in storage.
pub fn compose(body: &mut Body) {
    for op in body.walk_all() {
        if agg::Insert::is(body, op) && in_storage(body, body.operand(op, 0)) {
            compose_insert(body, op);
        }
    }
    let live = Liveness::new(body, &|_, _| false);
    for op in body.walk_all() {
        if agg::Extract::is(body, op) {
            compose_extract(body, &live, op);
        }
    }
    remove_unused(body);
}

/// The op that made a part, if it is this kind.
fn made_by(body: &Body, value: ValueId, def: &'static caustic_ir::OpDef) -> Option<OpId> {
    body.def_op(value).filter(|&op| body.is(op, def))
}

fn compose_extract(body: &mut Body, live: &Liveness, op: OpId) {
    loop {
        let part = body.operand(op, 0);
        let Some(inner) = made_by(body, part, agg::Extract::DEF).filter(|_| in_storage(body, part)) else { return };
        let whole = body.operand(inner, 0);
        // Reading the whole later than now must not keep an old version of it alive.
        let replaced = body.uses(whole).iter().any(|u| {
            let reads = agg::Extract::is(body, u.op) || (agg::Insert::is(body, u.op) && u.index == 0);
            !reads && live.before(inner, u.op) && live.before(u.op, op)
        });
        if replaced || !in_storage(body, whole) {
            return;
        }
        let mut steps = agg::path_of(body, inner);
        steps.extend(agg::path_of(body, op));
        let mut operands = body.operands(inner).to_vec();
        operands.extend_from_slice(agg::Extract(op).indices(body));
        body.set_operands(op, &operands);
        body.set_attr(op, "path", Attr::i64_array(&steps));
    }
}

/// `op` puts a part back; if it was made by updates of what was taken out from the same place,
/// updates the whole instead.
fn compose_insert(body: &mut Body, op: OpId) {
    let whole = body.operand(op, 1);
    let indices = agg::Insert(op).indices(body).to_vec();
    let outer = agg::path_of(body, op);
    let mut updates = Vec::new();
    let mut part = body.operand(op, 0);
    while let Some(update) = made_by(body, part, agg::Insert::DEF) {
        if body.uses(part).len() != 1 || agg::path_of(body, update).is_empty() {
            return;
        }
        updates.push(update);
        part = body.operand(update, 1);
    }
    let Some(taken) = made_by(body, part, agg::Extract::DEF) else { return };
    let same = body.operand(taken, 0) == whole
        && agg::path_of(body, taken) == outer
        && agg::Extract(taken).indices(body) == indices;
    if updates.is_empty() || !same {
        return;
    }
    let mut current = whole;
    for &update in updates.iter().rev() {
        let mut steps = outer.clone();
        steps.extend(agg::path_of(body, update));
        let mut all = indices.clone();
        all.extend_from_slice(agg::Insert(update).indices(body));
        let value = body.operand(update, 0);
        let loc = body.loc(update);
        let Some(mut b) = Builder::before(body, op) else { return };
        b.loc = loc;
        current = agg::Insert::build(&mut b, value, current, &all, &[("path", Attr::i64_array(&steps))]);
    }
    let result = body.result(op, 0);
    body.replace_uses(result, current);
    body.erase_op(op);
    for update in updates {
        body.erase_op(update);
    }
}

/// Parts that nothing reads any more.
pub fn remove_unused(body: &mut Body) {
    for op in body.walk_all().into_iter().rev() {
        let pure = body.op(op).def.is_pure() && !body.op(op).results.is_empty();
        if pure && body.results(op).iter().all(|&v| in_storage(body, v) && body.is_unused(v)) {
            body.erase_op(op);
        }
    }
}
