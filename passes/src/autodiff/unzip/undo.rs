//! Loop state that can be undone: carried integers that every iteration takes through steps with an
//! exact inverse, as generators of random numbers do. The reverse pass has them by undoing one
//! iteration after the other from the last state, so nothing of them is stored.
//!
//! Steps: sums, differences and exclusive ors with what does not change in the loop or follows from
//! its counter, products with odd constants, and `x ^ (x << k)`, `x ^ (x >> k)`. A branch or a
//! select whose condition follows in the same way may take different steps on its sides: which side
//! it was is known again. Integers wrap around, which all of these agree with. Floats are never
//! undone: their steps round.

use super::induction::{self, carried};
use crate::analysis::stage;
use caustic_dialects::{arith, scf};
use caustic_ir::{BlockId, Body, Builder, OpDef, OpId, Type, ValueId};

/// An `xor` with a shifted self is undone by several shifts, a product by one.
const OPS_OF_AN_INVERSE: u64 = 6;

/// The state before an iteration, from that after it.
#[derive(Clone, Debug)]
pub struct Undo {
    /// The state that the loop ends with.
    pub last: ValueId,
    /// What undoes the steps, the last one first.
    inverses: Vec<Inverse>,
}

#[derive(Clone, Debug)]
enum Other {
    Constant(i64),
    /// From outside of the loop.
    Value(ValueId),
    /// Integer ops in the body, in order, that follow from the counter of a `scf.for`; the value is
    /// the last one's result. They are computed again.
    Counted(Vec<OpId>),
}

#[derive(Clone, Debug)]
enum Inverse {
    /// One op with another operand: `state op other`, or the other way round.
    Op { def: &'static OpDef, other: Other, first: bool },
    /// Of `x ^ (x shifted by so much)`.
    Shifted { def: &'static OpDef, by: i64 },
    /// Of the steps of a side: which one, by a condition.
    Either { condition: Other, yes: Vec<Inverse>, no: Vec<Inverse> },
}

/// More steps than this are not looked at.
const MOST_STEPS: usize = 16;
/// More ops than this are not computed again for a step.
const MOST_COUNTED: usize = 12;

/// Whether the argument of a loop's body can be undone, and how. Induction variables need not be.
pub fn of(body: &Body, arg: ValueId) -> Option<Undo> {
    let ty = body.ty(arg);
    let bits = ty.scalar_bits().filter(|&b| ty.is_scalar() && ty.is_int_or_index() && ty != Type::index() && b > 1)?;
    if induction::of(body, arg).is_some() {
        return None;
    }
    let (op, _, next) = carried(body, arg)?;
    if body.attr(op, stage::ASCENDING).is_some() {
        return None;
    }
    let at = body.args(body.def_block(arg)?).iter().position(|&a| a == arg)?;
    let last = *body.results(op).get(at.checked_sub(usize::from(scf::For::is(body, op)))?)?;
    let way = Way { body, outer: op, bits: i64::from(bits) };
    let mut fuel = MOST_STEPS;
    let states = way.back(next, &mut fuel);
    let before = states.iter().position(|s| s.value == arg)?;
    let inverses: Vec<Inverse> = states.into_iter().take(before).filter_map(|s| s.inverse).collect();
    (!inverses.is_empty()).then_some(Undo { last, inverses })
}

/// A state on the way back through an iteration, and what leads from it to the one before; nothing
/// at the way's end.
struct State {
    value: ValueId,
    inverse: Option<Inverse>,
}

/// What steps are looked for in.
#[derive(Clone, Copy)]
struct Way<'a> {
    body: &'a Body,
    outer: OpId,
    bits: i64,
}

impl Way<'_> {
    /// The states that `from` was made of, step by step, as far as there are inverses.
    fn back(self, from: ValueId, fuel: &mut usize) -> Vec<State> {
        let mut states: Vec<State> = Vec::new();
        let mut value = from;
        while *fuel > 0 {
            *fuel -= 1;
            let inside = |s: &OpId| self.body.op(*s).block.is_some_and(|b| is_inside(self.body, self.outer, b));
            let Some(step) = self.body.def_op(value).filter(inside) else { break };
            let found = self.either(step, value, fuel).or_else(|| inverse(self.body, self.outer, step, self.bits));
            let Some((inverse, before)) = found else { break };
            states.push(State { value, inverse: Some(inverse) });
            value = before;
        }
        states.push(State { value, inverse: None });
        states
    }

    /// What undoes a branch or a select, and the state before it: the last one that both sides come
    /// from.
    fn either(self, op: OpId, result: ValueId, fuel: &mut usize) -> Option<(Inverse, ValueId)> {
        let body = self.body;
        let sides: [ValueId; 2] = if arith::Select::is(body, op) {
            [body.operand(op, 1), body.operand(op, 2)]
        } else if scf::If::is(body, op) {
            let at = body.results(op).iter().position(|&r| r == result)?;
            let side = |k: usize| body.operands(body.terminator(body.region_block(op, k)?)?).get(at).copied();
            [side(0)?, side(1)?]
        } else {
            return None;
        };
        let condition = body.operand(op, 0);
        let condition = unchanged(body, self.outer, condition).filter(|_| body.ty(condition) == Type::i1())?;
        let [yes, no] = sides.map(|side| self.back(side, fuel));
        let (first, second) =
            yes.iter().enumerate().find_map(|(i, s)| Some((i, no.iter().position(|t| t.value == s.value)?)))?;
        let before = yes[first].value;
        // What both come from must be there without either side.
        if scf::If::is(body, op) && body.def_block(before).is_some_and(|b| is_within(body, op, b)) {
            return None;
        }
        let taken =
            |states: Vec<State>, count: usize| states.into_iter().take(count).filter_map(|s| s.inverse).collect();
        Some((Inverse::Either { condition, yes: taken(yes, first), no: taken(no, second) }, before))
    }
}

fn is_within(body: &Body, op: OpId, block: BlockId) -> bool {
    body.op(op).regions.iter().any(|&r| body.region(r).blocks.iter().any(|&o| body.is_block_within(block, o)))
}

/// Whether a block belongs to the loop, and to no loop in it.
fn is_inside(body: &Body, outer: OpId, block: BlockId) -> bool {
    let mut block = block;
    loop {
        match body.parent_op(block) {
            Some(op) if op == outer => return true,
            Some(op) if scf::If::is(body, op) => match body.op(op).block {
                Some(b) => block = b,
                None => return false,
            },
            _ => return false,
        }
    }
}

/// What undoes a step, and the operand that it takes the state from.
fn inverse(body: &Body, outer: OpId, step: OpId, bits: i64) -> Option<(Inverse, ValueId)> {
    let &[x, y] = body.operands(step) else { return None };
    if arith::XOrI::is(body, step)
        && let Some(found) = shifted(body, x, y, bits).or_else(|| shifted(body, y, x, bits))
    {
        return Some(found);
    }
    let (state, other, state_first) = match (unchanged(body, outer, y), unchanged(body, outer, x)) {
        (Some(other), _) => (x, other, true),
        (None, Some(other)) => (y, other, false),
        (None, None) => return None,
    };
    let op = |def, first| Some((Inverse::Op { def, other: other.clone(), first }, state));
    match () {
        _ if arith::AddI::is(body, step) => op(arith::SubI::DEF, true),
        _ if arith::SubI::is(body, step) && state_first => op(arith::AddI::DEF, true),
        // c - x undoes itself.
        _ if arith::SubI::is(body, step) => op(arith::SubI::DEF, false),
        _ if arith::XOrI::is(body, step) => op(arith::XOrI::DEF, true),
        _ if arith::MulI::is(body, step) => {
            let Other::Constant(factor) = &other else { return None };
            let other = Other::Constant(odd_inverse(*factor, bits)?);
            Some((Inverse::Op { def: arith::MulI::DEF, other, first: true }, state))
        }
        _ => None,
    }
}

/// `x ^ (x shifted)`.
fn shifted(body: &Body, x: ValueId, shift: ValueId, bits: i64) -> Option<(Inverse, ValueId)> {
    let op = body.def_op(shift)?;
    let left = arith::ShLI::is(body, op);
    if !(left || arith::ShRUI::is(body, op)) || body.operand(op, 0) != x {
        return None;
    }
    let by = arith::constant_of(body, body.operand(op, 1))?.as_int().filter(|&by| 0 < by && by < bits)?;
    let def = if left { arith::ShLI::DEF } else { arith::ShRUI::DEF };
    Some((Inverse::Shifted { def, by }, x))
}

/// What is the same in every iteration.
fn unchanged(body: &Body, outer: OpId, value: ValueId) -> Option<Other> {
    if let Some(constant) = arith::constant_of(body, value) {
        return constant.as_int().map(Other::Constant);
    }
    let block = body.def_block(value)?;
    if is_within(body, outer, block) { counted(body, outer, value) } else { Some(Other::Value(value)) }
}

/// What follows from the counter by integer ops of the loop's own body.
fn counted(body: &Body, outer: OpId, value: ValueId) -> Option<Other> {
    let home = body.region_block(outer, 0).filter(|_| scf::For::is(body, outer))?;
    let counter = *body.args(home).first()?;
    let mut ops: Vec<OpId> = Vec::new();
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        if value == counter || body.def_block(value).is_some_and(|b| !body.is_block_within(b, home)) {
            continue;
        }
        let op = body.def_op(value).filter(|&o| body.op(o).block == Some(home))?;
        let data = body.op(op);
        let integers = data.def.is_pure()
            && data.regions.is_empty()
            && data
                .operands
                .iter()
                .chain(&data.results)
                .all(|&v| body.ty(v).is_scalar() && body.ty(v).is_int_or_index());
        let work = ops.iter().filter(|&&o| !body.operands(o).is_empty()).count();
        if !integers || work > MOST_COUNTED {
            return None;
        }
        if !ops.contains(&op) {
            ops.push(op);
            todo.extend(&data.operands);
        }
    }
    let mut ordered: Vec<OpId> = body.block_ops(home).into_iter().filter(|o| ops.contains(o)).collect();
    // The value itself is the last one: nothing else was asked for.
    let last = body.def_op(value)?;
    ordered.retain(|&o| o != last);
    ordered.push(last);
    Some(Other::Counted(ordered))
}

/// The number whose product with `factor` is one, modulo two to the power of `bits`.
fn odd_inverse(factor: i64, bits: i64) -> Option<i64> {
    if factor & 1 == 0 {
        return None;
    }
    // Each step of Newton's method doubles the bits that are right; an odd number is its own
    // inverse in the last three.
    let mut inverse = factor;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2i64.wrapping_sub(factor.wrapping_mul(inverse)));
    }
    let unused = 64 - bits;
    Some((inverse << unused) >> unused)
}

impl Undo {
    /// The values from outside of the loop's body that it follows from.
    /// About how many ops undo one iteration.
    pub fn ops(&self) -> u64 {
        self.inverses.len() as u64 * OPS_OF_AN_INVERSE
    }

    pub fn reads(&self, body: &Body) -> Vec<ValueId> {
        let mut reads = vec![self.last];
        self.inverses.iter().for_each(|i| i.reads(body, &mut reads));
        reads
    }

    /// The state before an iteration; `read` gives the values from outside and the counter, all of
    /// `src`.
    pub fn build(&self, src: &Body, b: &mut Builder<'_>, after: ValueId, read: &dyn Fn(ValueId) -> ValueId) -> ValueId {
        self.inverses.iter().fold(after, |state, inverse| inverse.build(src, b, state, read))
    }
}

impl Other {
    fn reads(&self, body: &Body, reads: &mut Vec<ValueId>) {
        match self {
            Other::Constant(_) => {}
            Other::Value(v) => reads.push(*v),
            Other::Counted(ops) => {
                let home = ops.first().and_then(|&o| body.op(o).block);
                let operands = ops.iter().flat_map(|&o| body.operands(o).to_vec());
                reads.extend(operands.filter(|&v| body.def_block(v) != home));
            }
        }
    }

    fn build(&self, src: &Body, b: &mut Builder<'_>, ty: Type, read: &dyn Fn(ValueId) -> ValueId) -> ValueId {
        match self {
            Other::Constant(c) if ty == Type::i1() => arith::bool(b, *c != 0),
            Other::Constant(c) => arith::int(b, *c, ty),
            Other::Value(v) => read(*v),
            Other::Counted(ops) => again(src, b, ops, read),
        }
    }
}

impl Inverse {
    fn reads(&self, body: &Body, reads: &mut Vec<ValueId>) {
        match self {
            Inverse::Op { other, .. } => other.reads(body, reads),
            Inverse::Shifted { .. } => {}
            Inverse::Either { condition, yes, no } => {
                condition.reads(body, reads);
                yes.iter().chain(no).for_each(|i| i.reads(body, reads));
            }
        }
    }

    fn build(&self, src: &Body, b: &mut Builder<'_>, state: ValueId, read: &dyn Fn(ValueId) -> ValueId) -> ValueId {
        let ty = b.ty(state);
        match self {
            Inverse::Op { def, other, first } => {
                let other = other.build(src, b, ty, read);
                let operands = if *first { [state, other] } else { [other, state] };
                b.create_one(def, &operands, ty, &[])
            }
            Inverse::Shifted { def, by } => {
                // x = y ^ (y shifted by k) ^ (y shifted by 2 k) and so on, in steps that double
                // what is right.
                let bits = ty.scalar_bits().map_or(64, i64::from);
                let (mut x, mut right) = (state, *by);
                while right < bits {
                    let count = arith::int(b, right, ty);
                    let moved = b.create_one(def, &[x, count], ty, &[]);
                    x = arith::XOrI::build(b, x, moved, &[]);
                    right *= 2;
                }
                x
            }
            Inverse::Either { condition, yes, no } => {
                let side =
                    |b: &mut Builder<'_>, steps: &[Inverse]| steps.iter().fold(state, |s, i| i.build(src, b, s, read));
                let (x, y) = (side(b, yes), side(b, no));
                let condition = condition.build(src, b, Type::i1(), read);
                arith::Select::build(b, condition, x, y, &[])
            }
        }
    }
}

/// The ops once more; the last one's result.
fn again(src: &Body, b: &mut Builder<'_>, ops: &[OpId], read: &dyn Fn(ValueId) -> ValueId) -> ValueId {
    let mut known: Vec<(ValueId, ValueId)> = Vec::new();
    let mut value = ValueId(0);
    for &op in ops {
        let data = src.op(op);
        let operands: Vec<ValueId> = data
            .operands
            .iter()
            .map(|&v| known.iter().find(|(old, _)| *old == v).map_or_else(|| read(v), |(_, new)| *new))
            .collect();
        let result = data.results[0];
        let new = b.body.create_op(data.def, &operands, &[src.ty(result)], data.attrs.clone(), 0, data.loc);
        b.body.remove_attr(new, stage::RECOMPUTE);
        b.body.insert_op(new, b.block, b.before);
        value = b.body.result(new, 0);
        known.push((result, value));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::odd_inverse;

    #[test]
    fn products_with_odd_numbers_are_undone() {
        for factor in [1i64, 3, 5, 747_796_405, 1_664_525, -7, 0x5851_F42D_4C95_7F2D] {
            for bits in [8, 16, 32, 64] {
                let inverse = odd_inverse(factor, bits).unwrap();
                assert_eq!((factor.wrapping_mul(inverse) << (64 - bits)) >> (64 - bits), 1, "{factor} in {bits} bits");
            }
        }
        assert_eq!(odd_inverse(6, 32), None);
    }
}
