//! Constant bounds of loops that count but may end earlier: the least count that one of the
//! conditions, all of which must hold, allows.

use super::consts::Constants;
use super::trip_count;
use super::while_loops::WhileLoop;
use caustic_dialects::{arith, scf};
use caustic_ir::attr::sign_extend;
use caustic_ir::{Body, OpId, ValueDef, ValueId};

/// A value that is true, or false, whenever the condition it comes from is true.
type Fact = (ValueId, bool);

/// A constant that the number of iterations of a canonical while cannot exceed.
pub fn proven(body: &Body, op: OpId) -> Option<i64> {
    let shape = WhileLoop::of(body, op)?;
    let facts = facts(body, shape.condition);
    let mut bounds = Bounds { body, shape: &shape, constants: Constants::default(), least: None };
    bounds.tested_first(&facts);
    // A carried condition holds, but for the first iteration, what the end of the iteration before
    // said.
    for &(value, holds) in &facts {
        if let Some(slot) = shape.slot_in(body, value, shape.before).filter(|_| holds) {
            bounds.tested_last(&facts_of_yield(body, &shape, slot));
        }
    }
    bounds.least
}

fn facts_of_yield(body: &Body, shape: &WhileLoop, slot: usize) -> Vec<Fact> {
    body.operands(shape.yields).get(slot).map_or(vec![], |&v| facts(body, v))
}

struct Bounds<'a> {
    body: &'a Body,
    shape: &'a WhileLoop,
    constants: Constants,
    least: Option<i64>,
}

impl Bounds<'_> {
    fn note(&mut self, count: Option<i64>) {
        if let Some(n) = count {
            self.least = Some(self.least.map_or(n, |m| m.min(n)));
        }
    }

    /// Comparisons of a counter before each iteration.
    fn tested_first(&mut self, known: &[Fact]) {
        let (body, shape) = (self.body, self.shape);
        for &(part, _) in known.iter().filter(|(_, holds)| *holds) {
            for (predicate, left, bound) in shape.comparisons(body, part) {
                let Some(slot) = shape.slot_in(body, left, shape.before) else { continue };
                let Some((init, bound, step)) = self.counter(slot, bound, known) else { continue };
                self.note(trip_count::constant(predicate, body.ty(left), init, bound, step));
            }
        }
    }

    /// Comparisons of a counter behind each iteration.
    fn tested_last(&mut self, known: &[Fact]) {
        let (body, shape) = (self.body, self.shape);
        for &(part, _) in known.iter().filter(|(_, holds)| *holds) {
            for (predicate, left, bound) in shape.comparisons(body, part) {
                let Some(slot) = body.operands(shape.yields).iter().position(|&v| v == left) else { continue };
                let Some((init, bound, step)) = self.counter(slot, bound, known) else { continue };
                let ty = body.ty(left);
                let second = sign_extend(init.wrapping_add(step), ty.scalar_bits().unwrap_or(64));
                self.note(trip_count::constant(predicate, ty, second, bound, step).and_then(|n| n.checked_add(1)));
            }
        }
    }

    /// Start, bound and step of the counter in a slot, if all are constants.
    fn counter(&mut self, slot: usize, bound: ValueId, known: &[Fact]) -> Option<(i64, i64, i64)> {
        let init = self.constants.int(self.body, self.body.operand(self.shape.op, slot))?;
        let bound = self.constants.int(self.body, bound)?;
        let step = self.step(slot, known)?;
        (step != 0).then_some((init, bound, step))
    }

    /// What an iteration adds to a slot, unless it is the last one: a step that is skipped only
    /// where a flag that ends the loop is set.
    fn step(&self, slot: usize, known: &[Fact]) -> Option<i64> {
        let (body, shape) = (self.body, self.shape);
        let next = *body.operands(shape.yields).get(slot)?;
        if let Some(step) = shape.step(body, next, slot) {
            return Some(step);
        }
        let (guard, then, otherwise) = choice(body, next)?;
        let arg = *body.args(shape.after).get(slot)?;
        let ends_loop = known.iter().any(|&(value, holds)| {
            let carried = shape.slot_in(body, value, shape.before).and_then(|m| body.operands(shape.yields).get(m));
            !holds && (value == guard || carried == Some(&guard))
        });
        if then == arg && ends_loop { shape.step(body, otherwise, slot) } else { None }
    }
}

/// Condition and alternatives of a value that a branch or a selection gives.
fn choice(body: &Body, value: ValueId) -> Option<(ValueId, ValueId, ValueId)> {
    let ValueDef::Result { op, index } = body.def(value) else { return None };
    if let Some(select) = arith::Select::cast(body, op) {
        return Some((select.condition(body), select.true_value(body), select.false_value(body)));
    }
    let branch = scf::If::cast(body, op)?;
    let arm = |i: usize| {
        let end = body.region_block(op, i).and_then(|b| body.terminator(b))?;
        body.operands(end).get(index as usize).copied()
    };
    Some((branch.condition(body), arm(0)?, arm(1)?))
}

/// What is known where `condition` is true.
fn facts(body: &Body, condition: ValueId) -> Vec<Fact> {
    let constant = |v: ValueId| arith::constant_of(body, v).and_then(|a| a.as_bool());
    let mut found = Vec::new();
    let mut stack = vec![(condition, true)];
    while let Some((value, holds)) = stack.pop() {
        found.push((value, holds));
        let Some(op) = body.def_op(value) else { continue };
        if let (Some(and), true) = (arith::AndI::cast(body, op), holds) {
            stack.extend([(and.rhs(body), true), (and.lhs(body), true)]);
        } else if let (Some(or), false) = (arith::OrI::cast(body, op), holds) {
            stack.extend([(or.rhs(body), false), (or.lhs(body), false)]);
        } else if let Some(xor) = arith::XOrI::cast(body, op) {
            let (l, r) = (xor.lhs(body), xor.rhs(body));
            if let Some(flip) = constant(r) {
                stack.push((l, holds != flip));
            } else if let Some(flip) = constant(l) {
                stack.push((r, holds != flip));
            }
        } else if let Some((c, then, otherwise)) = choice(body, value) {
            // An alternative that contradicts was not taken.
            if constant(otherwise) == Some(!holds) {
                stack.extend([(then, holds), (c, true)]);
            } else if constant(then) == Some(!holds) {
                stack.extend([(otherwise, holds), (c, false)]);
            }
        }
    }
    found
}
