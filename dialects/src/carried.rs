//! The values that structured ops carry: which operand, argument, yielded value and result belong
//! together.

use crate::scf;
use caustic_ir::{BlockId, Body, OpId, ValueId};

/// The parts of a well-formed `scf.for`.
#[derive(Clone, Copy)]
pub struct ForParts {
    pub body: BlockId,
    pub end: OpId,
    pub carried: usize,
}

/// Operands of `scf.for` before the first carried value.
pub const BOUNDS: usize = 3;

/// The bounds and the step of an `scf.for`.
pub fn bounds(body: &Body, op: OpId) -> &[ValueId] {
    &body.operands(op)[..BOUNDS]
}

impl ForParts {
    /// The arguments of the loop's body that carry values, after the counter.
    pub fn carried_args(self, body: &Body) -> &[ValueId] {
        &body.args(self.body)[1..]
    }

    pub fn of(body: &Body, op: OpId) -> Option<ForParts> {
        if !scf::For::is(body, op) {
            return None;
        }
        let block = body.region_block(op, 0)?;
        let end = body.terminator(block)?;
        let carried = body.results(op).len();
        let fits = body.operands(op).len() == BOUNDS + carried
            && body.args(block).len() == 1 + carried
            && body.operands(end).len() == carried;
        fits.then_some(ForParts { body: block, end, carried })
    }

    /// Removes the carried values for which `remove` is true. Neither their results nor their
    /// arguments may have uses.
    pub fn remove(self, body: &mut Body, op: OpId, remove: &dyn Fn(usize) -> bool) {
        keep_operands(body, op, &|i| i < BOUNDS || !remove(i - BOUNDS));
        keep_operands(body, self.end, &|i| !remove(i));
        body.remove_args(self.body, |i| i > 0 && remove(i - 1));
        body.remove_results(op, remove);
    }
}

/// The parts of a well-formed `scf.while`.
#[derive(Clone, Copy)]
pub struct WhileParts {
    pub before: BlockId,
    pub condition: OpId,
    pub after: BlockId,
    pub end: OpId,
    /// Values that go into `before`.
    pub inputs: usize,
    /// `before` forwards exactly its arguments, in order: the shape that normalization makes and
    /// that stays so.
    pub normal: bool,
}

impl WhileParts {
    /// What decides whether the loop goes on.
    pub fn decides(self, body: &Body) -> ValueId {
        scf::Condition(self.condition).condition(body)
    }

    /// What `before` forwards to `after`, and at the end to the results.
    pub fn forwarded(self, body: &Body) -> &[ValueId] {
        scf::Condition(self.condition).args(body)
    }

    pub fn of(body: &Body, op: OpId) -> Option<WhileParts> {
        if !scf::While::is(body, op) {
            return None;
        }
        let (before, after) = (body.region_block(op, 0)?, body.region_block(op, 1)?);
        let (condition, end) = (body.terminator(before)?, body.terminator(after)?);
        let inputs = body.operands(op).len();
        let forwarded = body.results(op).len();
        let fits = scf::Condition::is(body, condition)
            && body.args(before).len() == inputs
            && body.operands(end).len() == inputs
            && body.args(after).len() == forwarded
            && body.operands(condition).len() == forwarded + 1;
        let normal = fits && body.operands(condition)[1..] == *body.args(before);
        fits.then_some(WhileParts { before, condition, after, end, inputs, normal })
    }

    /// Removes inputs. Their arguments may have no uses.
    pub fn remove_inputs(self, body: &mut Body, op: OpId, remove: &dyn Fn(usize) -> bool) {
        keep_operands(body, op, &|i| !remove(i));
        keep_operands(body, self.end, &|i| !remove(i));
        body.remove_args(self.before, remove);
    }

    /// Removes forwarded values. Neither their results nor their arguments may have uses.
    pub fn remove_forwarded(self, body: &mut Body, op: OpId, remove: &dyn Fn(usize) -> bool) {
        keep_operands(body, self.condition, &|i| i == 0 || !remove(i - 1));
        body.remove_args(self.after, remove);
        body.remove_results(op, remove);
    }
}

/// The terminators of an `scf.if` or `scf.index_switch`; `None` if a region is missing or yields
/// another number of values.
pub fn branch_ends(body: &Body, op: OpId) -> Option<Vec<OpId>> {
    if !scf::If::is(body, op) && !scf::IndexSwitch::is(body, op) {
        return None;
    }
    let results = body.results(op).len();
    let mut ends = Vec::new();
    for k in 0..body.op(op).regions.len() {
        // The second region of an if without results may be empty.
        let Some(block) = body.region_block(op, k) else {
            if results == 0 {
                continue;
            }
            return None;
        };
        let end = body.terminator(block)?;
        if body.operands(end).len() != results {
            return None;
        }
        ends.push(end);
    }
    Some(ends)
}

/// Removes results of a branch with what its regions yield for them. They may have no uses.
pub fn remove_branch_results(body: &mut Body, op: OpId, ends: &[OpId], remove: &dyn Fn(usize) -> bool) {
    for &end in ends {
        keep_operands(body, end, &|i| !remove(i));
    }
    body.remove_results(op, remove);
}

/// Drops the operands for which `keep` is false.
pub fn keep_operands(body: &mut Body, op: OpId, keep: &dyn Fn(usize) -> bool) {
    let old = body.operands(op);
    let kept: Vec<ValueId> = old.iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, &v)| v).collect();
    if kept.len() != old.len() {
        body.set_operands(op, &kept);
    }
}

/// Whether `value` is defined outside of `op`, which stands in its scope.
pub fn defined_outside(body: &Body, value: ValueId, op: OpId) -> bool {
    let Some(mut block) = body.def_block(value) else { return false };
    loop {
        match body.parent_op(block) {
            Some(parent) if parent == op => return false,
            Some(parent) => match body.op(parent).block {
                Some(up) => block = up,
                None => return false,
            },
            None => return true,
        }
    }
}
