//! Induction variables: carried integers that every iteration moves by the same amount. They follow
//! from the iteration's number, so nothing of them is stored.

use super::ends;
use crate::mutants::{Site, mutant};
use caustic_dialects::{arith, scf};
use caustic_ir::{Attr, Body, Builder, OpDef, OpId, Type, ValueDef, ValueId};

/// `init + k * step` in iteration `k`; integers wrap around, which sums and products agree with.
#[derive(Clone, Copy, Debug)]
pub struct Induction {
    pub init: ValueId,
    step: Step,
    down: bool,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Value(ValueId),
    /// It may be made anew wherever it is needed.
    Constant(Attr),
}

/// What an argument of a loop's body starts with, and what the next iteration gets if there is one:
/// a value of the body, or of a branch there.
pub fn handed_on(body: &Body, arg: ValueId, in_branches: bool) -> Option<(OpId, ValueId, ValueId)> {
    let (op, init, next) = carried(body, arg)?;
    Some((op, init, ends::going_on(body, op, body.def_block(arg)?, next, in_branches)))
}

/// What an argument of a loop's body starts with, and what an iteration leaves of it.
pub fn carried(body: &Body, arg: ValueId) -> Option<(OpId, ValueId, ValueId)> {
    let ValueDef::Arg { block, index } = body.def(arg) else { return None };
    let (op, index) = (body.parent_op(block)?, index as usize);
    let end = body.terminator(block)?;
    if scf::For::is(body, op) {
        let index = index.checked_sub(1)?;
        return Some((op, *body.operands(op).get(3 + index)?, *body.operands(end).get(index)?));
    }
    let before = body.region_block(op, 0).filter(|_| scf::While::is(body, op))?;
    let condition = body.terminator(before).filter(|_| body.region_block(op, 1) == Some(block))?;
    // The condition hands on what came in, at the same place.
    let same = body.operands(condition).get(1 + index) == body.args(before).get(index);
    same.then(|| Some((op, *body.operands(op).get(index)?, *body.operands(end).get(index)?)))?
}

/// Whether `arg` is one, and how it moves.
pub fn of(body: &Body, arg: ValueId) -> Option<Induction> {
    if !body.ty(arg).is_int_or_index() || !body.ty(arg).is_scalar() {
        return None;
    }
    let (op, init, next) = handed_on(body, arg, true)?;
    let moved = body.def_op(next)?;
    let down = arith::SubI::is(body, moved);
    if !down && !arith::AddI::is(body, moved) {
        return None;
    }
    let by = match *body.operands(moved) {
        [x, by] if x == arg => by,
        [by, x] if x == arg && !down => by,
        _ => return None,
    };
    let step = match arith::constant_of(body, by) {
        Some(constant) => Step::Constant(constant),
        None => {
            let inside = |b| {
                body.op(op).regions.iter().any(|&r| body.region(r).blocks.iter().any(|&o| body.is_block_within(b, o)))
            };
            Step::Value(by).filter(|_| body.def_block(by).is_some_and(|b| !inside(b)))?
        }
    };
    Some(Induction { init, step, down })
}

impl Step {
    fn filter(self, keep: impl Fn(&Step) -> bool) -> Option<Step> {
        keep(&self).then_some(self)
    }
}

impl Induction {
    /// The values from outside of the loop that it follows from.
    pub fn reads(&self) -> impl Iterator<Item = ValueId> {
        let step = match self.step {
            Step::Value(v) => Some(v),
            Step::Constant(_) => None,
        };
        std::iter::once(self.init).chain(step)
    }

    /// The op of a step.
    #[mutant(Site::UnzipInductionDown => arith::AddI::DEF)]
    fn direction(&self) -> &'static OpDef {
        if self.down { arith::SubI::DEF } else { arith::AddI::DEF }
    }

    /// Its value in iteration `k`; `read` gives the values from outside.
    #[mutant(Site::UnzipInduction with k = next_iteration(b, k))]
    pub fn build(&self, b: &mut Builder<'_>, k: ValueId, ty: Type, read: &dyn Fn(ValueId) -> ValueId) -> ValueId {
        let step = match self.step {
            Step::Value(v) => read(v),
            Step::Constant(c) => arith::int(b, c.as_int().unwrap_or(0), ty),
        };
        let k = if ty == Type::index() { k } else { arith::IndexCast::build(b, k, ty, &[]) };
        let way = arith::MulI::build(b, k, step, &[]);
        b.create_one(self.direction(), &[read(self.init), way], ty, &[])
    }
}

/// The mistake of being one iteration ahead.
fn next_iteration(b: &mut Builder<'_>, k: ValueId) -> ValueId {
    let one = arith::index(b, 1);
    arith::AddI::build(b, k, one, &[])
}
