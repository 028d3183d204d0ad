//! `read-latest`: parts of aggregates are read from their latest version.
//!
//! Each `agg.insert` makes another version of its aggregate. A part that none of the versions in
//! between has changed is the same in all of them. Read from the latest one, older versions end
//! where the next begins, so that text has all of them in one variable.
//!
//! What text writes as part of a larger expression is read where that expression stands. So what is
//! computed for one reader moves to it first, and what costs nothing to write is made for each.
//!
//! This module must not know: any target.

use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::vector::{self, DYNAMIC};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{BlockId, Body, Cloner, OpId, SymbolOp, Use, ValueId};
use rustc_hash::FxHashMap;

passes! {
    /// Reads parts of aggregates from the latest version that has them unchanged.
    ///
    /// Older versions end earlier, so that source text keeps all versions in one variable.
    pub static READ_LATEST: "read-latest" {
        level: function, options: none, before: "func scf arith math vector agg", after: "the same", statistics: [],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport| -> PassResult { Ok(Changed::from(run(symbol))) },
    }
}

pub fn run(symbol: &mut SymbolOp) -> bool {
    let body = &mut symbol.body;
    if !body.all_ops().any(|op| is_insert(body, op)) {
        return false;
    }
    let mut changed = false;
    // Readers come before what they read.
    for op in body.walk_all().into_iter().rev() {
        changed |= move_to_readers(body, op);
    }
    let latest = Latest::of(body);
    for op in body.walk_all() {
        while part_of(body, op).is_some()
            && let Some(version) = latest.after(body, op)
        {
            body.set_operand(op, 0, version);
            changed = true;
        }
    }
    changed
}

/// Whether an op makes another version of its second operand.
fn is_insert(body: &Body, op: OpId) -> bool {
    agg::Insert::is(body, op) || vector::Insert::is(body, op)
}

/// The path of an op that reads a part by constants, if nobody gave it a name.
fn part_of(body: &Body, op: OpId) -> Option<Vec<Option<i64>>> {
    let extracts = agg::Extract::is(body, op) || vector::Extract::is(body, op);
    let named = || body.value(body.result(op, 0)).hint.is_some();
    (extracts && body.operands(op).len() == 1 && !named()).then(|| path(body, op))
}

/// The path of an access. A step by a number that is computed may be any.
fn path(body: &Body, op: OpId) -> Vec<Option<i64>> {
    if vector::Extract::is(body, op) || vector::Insert::is(body, op) {
        let fixed = |step: i64| (step != DYNAMIC).then_some(step);
        return vector::static_position(body, op).into_iter().map(fixed).collect();
    }
    let extracts = agg::Extract::cast(body, op).and_then(|v| v.path(body));
    let path = extracts.or_else(|| agg::Insert::cast(body, op).and_then(|v| v.path(body)));
    path.unwrap_or_default().into_iter().map(|step| (step >= 0).then_some(step)).collect()
}

/// Whether one path may lead into what the other leads to.
fn meet(a: &[Option<i64>], b: &[Option<i64>]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b)
}

/// What is written anew wherever it is read.
fn is_free(body: &Body, op: OpId) -> bool {
    part_of(body, op).is_some()
        || arith::IndexCast::is(body, op)
        || arith::IndexCastUI::is(body, op)
        || vector::Broadcast::is(body, op)
}

/// Whether a value is a part of an aggregate that has versions.
fn has_versions(body: &Body, value: ValueId) -> bool {
    let mut value = value;
    loop {
        if body.uses(value).iter().any(|u| u.index == 1 && is_insert(body, u.op)) {
            return true;
        }
        match body.def_op(value).filter(|&op| is_free(body, op)) {
            Some(op) => value = body.operand(op, 0),
            None => return false,
        }
    }
}

/// Moves what one op reads to that op, and makes a copy of what costs nothing for each.
fn move_to_readers(body: &mut Body, op: OpId) -> bool {
    let data = body.op(op);
    let [result] = data.results[..] else { return false };
    let moves = data.def.is_pure() && data.regions.is_empty() && !data.operands.is_empty() && !is_insert(body, op);
    if !moves || body.value(result).hint.is_some() {
        return false;
    }
    let uses: Vec<Use> = body.uses(result).to_vec();
    if is_free(body, op) && has_versions(body, body.operand(op, 0)) {
        let Some((first, others)) = uses.split_first() else { return false };
        for reader in others {
            let Some(block) = body.op(reader.op).block else { continue };
            let copy = Cloner::new().clone_within(body, op, block, Some(reader.op));
            let copied = body.result(copy, 0);
            body.set_operand(reader.op, reader.index as usize, copied);
        }
        return move_before(body, op, first.op) || !others.is_empty();
    }
    let [reader] = uses[..] else { return false };
    body.op(reader.op).block == body.op(op).block && move_before(body, op, reader.op)
}

fn move_before(body: &mut Body, op: OpId, reader: OpId) -> bool {
    let Some(block) = body.op(reader).block.filter(|_| body.next_op(op) != Some(reader)) else { return false };
    body.move_op(op, block, Some(reader));
    true
}

/// Where ops stand, while operands change.
struct Latest {
    place: FxHashMap<OpId, usize>,
}

impl Latest {
    fn of(body: &Body) -> Latest {
        Latest { place: body.walk_all().into_iter().enumerate().map(|(at, op)| (op, at)).collect() }
    }

    fn is_before(&self, a: OpId, b: OpId) -> bool {
        self.place.get(&a) < self.place.get(&b)
    }

    /// The next version of what an op reads a part of, if that ends the one that it reads.
    fn after(&self, body: &Body, op: OpId) -> Option<ValueId> {
        let (of, part) = (body.operand(op, 0), part_of(body, op)?);
        let home = body.def_block(of)?;
        let versions = body.uses(of).iter().filter(|u| u.index == 1 && is_insert(body, u.op)).map(|u| u.op);
        let mut seen = versions.filter(|&version| self.dominates(body, version, op));
        let (version, None) = (seen.next()?, seen.next()) else { return None };
        let changed = path(body, version);
        if meet(&part, &changed) || is_repeated(body, version, home) {
            return None;
        }
        let ends = body.uses(of).iter().filter(|u| u.op != version).all(|u| {
            let unchanged = || part_of(body, u.op).is_some_and(|part| !meet(&part, &changed));
            match self.dominates(body, version, u.op) {
                true => unchanged(),
                false => self.is_before(u.op, version) || is_beside(body, version, u.op),
            }
        });
        ends.then(|| body.result(version, 0))
    }

    /// Whether `first` has run wherever `op` runs.
    fn dominates(&self, body: &Body, first: OpId, op: OpId) -> bool {
        let (Some(block), Some(inner)) = (body.op(first).block, body.op(op).block) else { return false };
        first != op && body.is_block_within(inner, block) && self.is_before(first, op)
    }
}

/// Whether an op runs in a loop that `home` is not in.
fn is_repeated(body: &Body, op: OpId, home: BlockId) -> bool {
    let mut op = op;
    while let Some(block) = body.op(op).block.filter(|&block| block != home) {
        let Some(parent) = body.parent_op(block) else { return false };
        if !is_branch(body, parent) {
            return true;
        }
        op = parent;
    }
    false
}

fn is_branch(body: &Body, op: OpId) -> bool {
    scf::If::is(body, op) || scf::IndexSwitch::is(body, op)
}

/// Whether two ops are in branches of which one runs.
fn is_beside(body: &Body, a: OpId, b: OpId) -> bool {
    let mut op = a;
    while let Some(block) = body.op(op).block {
        let Some(parent) = body.parent_op(block) else { return false };
        let inside = (0..body.op(parent).regions.len()).filter_map(|k| body.region_block(parent, k));
        let other = body.op(b).block;
        if is_branch(body, parent)
            && inside.filter(|&of| of != block).any(|of| other.is_some_and(|b| body.is_block_within(b, of)))
        {
            return true;
        }
        op = parent;
    }
    false
}
