//! The constant that a value is, by evaluating the pure elementwise ops that it is computed with.
//! Of a branch whose condition is known only what is taken counts; `false && x` is known whatever
//! `x` is.

use caustic_dialects::carried::WhileParts;
use caustic_dialects::{arith, scf};
use caustic_ir::eval::{Eval, Val, eval_scalar_op};
use caustic_ir::{Attr, Body, OpId, Type, ValueId};
use rustc_hash::FxHashMap;

/// Remembers what it has found out; valid as long as the ops it looked at stay as they are.
#[derive(Default)]
pub struct Constants {
    known: FxHashMap<ValueId, Option<Attr>>,
}

impl Constants {
    pub fn get(&mut self, body: &Body, value: ValueId) -> Option<Attr> {
        let mut stack = vec![value];
        while let Some(&v) = stack.last() {
            if self.known.contains_key(&v) {
                stack.pop();
                continue;
            }
            match self.step(body, v) {
                Step::Needs(operand) => stack.push(operand),
                Step::Is(found) => {
                    self.known.insert(v, found);
                }
            }
        }
        self.known.get(&value).copied().flatten()
    }

    /// Takes it for granted that a value is this one.
    pub fn assume(&mut self, value: ValueId, constant: Attr) {
        self.known.insert(value, Some(constant));
    }

    pub fn int(&mut self, body: &Body, value: ValueId) -> Option<i64> {
        self.get(body, value)?.as_int()
    }

    /// What is left to know of `v`.
    fn step(&self, body: &Body, v: ValueId) -> Step {
        if let Some(constant) = arith::constant_of(body, v) {
            return Step::Is(Some(constant));
        }
        let Some(op) = body.def_op(v) else { return Step::Is(None) };
        if let Some(chosen) = self.chosen(body, op, v) {
            return chosen;
        }
        if !matches!(body.op(op).def.eval, Eval::Scalar(_)) {
            return Step::Is(None);
        }
        match body.operands(op).iter().find(|o| !self.known.contains_key(o)) {
            Some(&operand) => Step::Needs(operand),
            None => Step::Is(self.evaluate(body, op, v)),
        }
    }

    /// Of an op that chooses by a condition.
    fn chosen(&self, body: &Body, op: OpId, v: ValueId) -> Option<Step> {
        let select = arith::Select::is(body, op);
        if !select && !scf::If::is(body, op) {
            return None;
        }
        let &condition = body.operands(op).first()?;
        let known = match self.known.get(&condition) {
            None => return Some(Step::Needs(condition)),
            Some(known) => known.and_then(|a| a.as_bool()),
        };
        let Some(taken) = known else { return Some(Step::Is(None)) };
        let result = match select {
            true => body.operands(op).get(if taken { 1 } else { 2 }).copied(),
            false => {
                let index = body.results(op).iter().position(|&r| r == v)?;
                let end = body.region_block(op, usize::from(!taken)).and_then(|block| body.terminator(block));
                end.and_then(|end| body.operands(end).get(index).copied())
            }
        };
        let Some(result) = result else { return Some(Step::Is(None)) };
        Some(self.known.get(&result).map_or(Step::Needs(result), |known| Step::Is(*known)))
    }

    fn evaluate(&self, body: &Body, op: OpId, result: ValueId) -> Option<Attr> {
        let Eval::Scalar(f) = body.op(op).def.eval else { return None };
        let known = |o: &ValueId| self.known.get(o).copied().flatten();
        let absorbing = match () {
            _ if body.ty(result) != Type::i1() => None,
            _ if arith::AndI::is(body, op) => Some(false),
            _ if arith::OrI::is(body, op) => Some(true),
            _ => None,
        };
        if absorbing.is_some() {
            let mut operands = body.operands(op).iter().filter_map(known);
            if let Some(found) = operands.find(|a| a.as_bool() == absorbing) {
                return Some(found);
            }
        }
        let args: Option<Vec<Val>> = body.operands(op).iter().map(|o| known(o).and_then(Val::from_attr)).collect();
        eval_scalar_op(body, op, f, &args?).to_attr(body.ty(result))
    }

    /// How often an `scf.for` runs, if its bounds are constants.
    pub fn trips(&mut self, body: &Body, op: OpId) -> Option<usize> {
        scf::For::is(body, op).then_some(())?;
        let mut bound = |n: usize| self.int(body, body.operand(op, n));
        let (lower, upper, step) = (bound(0)?, bound(1)?, bound(2).filter(|&s| s > 0)?);
        usize::try_from(upper.checked_sub(lower)?.max(0).checked_add(step - 1)? / step).ok()
    }
}

/// Whether a loop runs at least once: its condition holds for what it begins with.
pub fn is_entered(body: &Body, op: OpId) -> bool {
    let mut constants = Constants::default();
    if scf::For::is(body, op) {
        let bounds = [scf::For(op).lower(body), scf::For(op).upper(body)].map(|v| constants.int(body, v));
        return matches!(bounds, [Some(lower), Some(upper)] if lower < upper);
    }
    let Some(parts) = WhileParts::of(body, op) else { return false };
    for (&arg, &init) in body.args(parts.before).iter().zip(body.operands(op)) {
        let init = arith::constant_of(body, init);
        constants.known.insert(arg, init);
    }
    let holds = constants.get(body, body.operand(parts.condition, 0));
    holds.and_then(|c| c.as_bool().or(c.as_int().map(|i| i != 0))) == Some(true)
}

/// What finding out about a value comes to next.
enum Step {
    Needs(ValueId),
    Is(Option<Attr>),
}
