//! Bounds of integer values, from constants, loop bounds and the rules of ops
//! (`dialects/src/facts`): enough to see that an index is inside.
//!
//! What is asked often ([`range_of`]) looks at a few operations only. [`Finder`] also adds up what
//! loops add to the integers that they carry, number by number, and follows integers through
//! arrays.

use super::access::{Step, count, read_of, write_of};
use caustic_dialects::carried::{BOUNDS, ForParts};
use caustic_dialects::{agg, arith, facts, scf};
use caustic_ir::attr::sign_extend;
use caustic_ir::fact::{Fact, IntFact};
use caustic_ir::{Body, OpId, Type, ValueDef, ValueId};
use smallvec::SmallVec;
use std::cell::Cell;

/// Values that are looked at where the answer must come fast, and where it is worth something.
const FAST: u32 = 40;
const THOROUGH: u32 = 4000;
/// Values behind each other that are looked through.
const DEPTH: u32 = 48;
/// Iterations that are looked at one by one.
const MOST_ITERATIONS: i64 = 64;

/// The least and the greatest value, both included, as values are kept: sign-extended, but for i1.
pub type Range = (i64, i64);

fn full(ty: Type) -> Range {
    match ty.scalar_bits() {
        Some(1) => (0, 1),
        Some(bits @ 2..=63) => (sign_extend(1 << (bits - 1), bits), (1 << (bits - 1)) - 1),
        _ => (i64::MIN, i64::MAX),
    }
}

/// Where the scalar integer `value` lies.
pub fn range_of(body: &Body, value: ValueId) -> Range {
    Finder::new(body, Vec::new(), FAST).range(value)
}

/// The most iterations that a loop can have, as far as its bounds tell.
pub fn most_iterations(body: &Body, op: OpId) -> Option<i64> {
    let finder = Finder::new(body, Vec::new(), FAST);
    let [lower, upper] = [0, 1].map(|n| finder.range(body.operand(op, n)));
    upper.1.checked_sub(lower.0).map(|n| n.max(0))
}

/// Whether every index on the path to a part of an aggregate of type `ty` is inside, where the path
/// is taken at `op`. In a loop with few iterations, which are known, it is asked for each of them,
/// since what changes together is then known together.
pub fn is_surely_inside(body: &Body, op: OpId, ty: Type, path: &[Step]) -> bool {
    let inside = |fixed: Vec<(ValueId, i64)>| {
        let finder = Finder::new(body, fixed, THOROUGH);
        finder.never_runs(op) || super::access::is_inside_by(ty, path, &mut |v| finder.range(v))
    };
    if inside(Vec::new()) {
        return true;
    }
    let mut around = body.op(op).block.and_then(|b| body.parent_op(b));
    while let Some(outer) = around {
        if let Some((counter, lower, upper)) = counted(body, outer)
            && upper.saturating_sub(lower) <= MOST_ITERATIONS
            && (lower..upper).all(|n| inside(vec![(counter, n)]))
        {
            return true;
        }
        around = body.op(outer).block.and_then(|b| body.parent_op(b));
    }
    false
}

/// The counter of a loop with known bounds that takes every number between them.
fn counted(body: &Body, op: OpId) -> Option<(ValueId, i64, i64)> {
    let parts = ForParts::of(body, op)?;
    let bound = |n: usize| arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
    let counter = *body.args(parts.body).first()?;
    Some((counter, bound(0)?, bound(1)?)).filter(|_| bound(2) == Some(1))
}

struct Finder<'a> {
    body: &'a Body,
    /// Counters of loops that have a known number; of several for one the last counts.
    fixed: Vec<(ValueId, i64)>,
    fuel: Cell<u32>,
    depth: Cell<u32>,
    thorough: bool,
}

impl<'a> Finder<'a> {
    fn new(body: &'a Body, fixed: Vec<(ValueId, i64)>, fuel: u32) -> Finder<'a> {
        Finder { body, fixed, fuel: Cell::new(fuel), depth: Cell::new(0), thorough: fuel > FAST }
    }

    fn thoroughly(self) -> Finder<'a> {
        Finder { thorough: true, ..self }
    }

    /// Whether the op stands in a loop without iterations.
    fn never_runs(&self, op: OpId) -> bool {
        let body = self.body;
        let mut around = body.op(op).block.and_then(|b| body.parent_op(b));
        while let Some(outer) = around {
            if scf::For::is(body, outer) && self.range(body.operand(outer, 1)).1 <= self.range(body.operand(outer, 0)).0
            {
                return true;
            }
            around = body.op(outer).block.and_then(|b| body.parent_op(b));
        }
        false
    }

    fn with(&self, counter: ValueId, number: i64) -> Finder<'a> {
        let mut fixed = self.fixed.clone();
        fixed.push((counter, number));
        Finder { depth: self.depth.clone(), ..Finder::new(self.body, fixed, self.fuel.get()) }.thoroughly()
    }

    fn range(&self, value: ValueId) -> Range {
        let body = self.body;
        let ty = body.ty(value);
        let all = full(ty);
        let depth = self.depth.get();
        let Some(fuel) = self.fuel.get().checked_sub(1).filter(|_| depth < DEPTH) else { return all };
        self.fuel.set(fuel);
        self.depth.set(depth + 1);
        let found = self.known(value, all);
        self.depth.set(depth);
        found
    }

    fn known(&self, value: ValueId, all: Range) -> Range {
        let body = self.body;
        match body.def(value) {
            ValueDef::Arg { block, index } => {
                let Some(op) = body.parent_op(block).filter(|&op| scf::For::is(body, op)) else { return all };
                if index > 0 {
                    return self.carried(op, index as usize - 1, false).unwrap_or(all);
                }
                if let Some((_, number)) = self.fixed.iter().rev().find(|(v, _)| *v == value) {
                    return (*number, *number);
                }
                let (lower, upper) = (self.range(body.operand(op, 0)), self.range(body.operand(op, 1)));
                let last = upper.1.saturating_sub(1).max(lower.0);
                // A counter that begins at a known number goes by whole steps.
                let step = self.range(body.operand(op, 2));
                let over = if lower.0 == lower.1 && step.0 == step.1 && step.0 > 0 && lower.0 >= 0 {
                    (last - lower.0) % step.0
                } else {
                    0
                };
                (lower.0, last - over)
            }
            ValueDef::Result { op, index } if scf::For::is(body, op) => {
                self.carried(op, index as usize, true).unwrap_or(all)
            }
            ValueDef::Result { op, .. } => self.computed(op, value),
        }
    }

    /// An integer that a loop carries: before an iteration, or when the loop has ended.
    fn carried(&self, op: OpId, k: usize, ended: bool) -> Option<Range> {
        let body = self.body;
        if !self.thorough {
            return None;
        }
        let parts = ForParts::of(body, op)?;
        let (arg, next) = (*body.args(parts.body).get(k + 1)?, body.operand(parts.end, k));
        let ty = body.ty(arg);
        if !ty.is_scalar() || !ty.is_int_or_index() || ty.is_i1() {
            return None;
        }
        let init = self.range(body.operand(op, BOUNDS + k));
        if next == arg {
            return Some(init);
        }
        let step = body.def_op(next)?;
        let down = arith::SubI::is(body, step);
        if !down && !arith::AddI::is(body, step) {
            return None;
        }
        let by = match *body.operands(step) {
            [x, by] if x == arg => by,
            [by, x] if x == arg && !down => by,
            _ => return None,
        };
        let all = full(ty);
        let Some((counter, lower, upper)) = counted(body, op) else {
            // The same in each of at most so many iterations.
            let by = arith::constant_of(body, by)?.as_int()?.checked_mul(if down { -1 } else { 1 })?;
            let bound = |n: usize| arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
            let (0, 1) = (bound(0)?, bound(2)?) else { return None };
            let most = self.range(body.operand(op, 1)).1.checked_sub(i64::from(!ended))?.max(0);
            let way = most.checked_mul(by)?;
            let found = (init.0.checked_add(way.min(0))?, init.1.checked_add(way.max(0))?);
            return Some(found).filter(|f| f.0 >= all.0 && f.1 <= all.1);
        };
        let number = self.fixed.iter().rev().find(|(v, _)| *v == counter).map(|f| f.1).filter(|_| !ended);
        let last = number.unwrap_or(if ended { upper } else { upper.saturating_sub(1) });
        if last.saturating_sub(lower) > MOST_ITERATIONS {
            return None;
        }
        // What has been added after each iteration, and the least and the most of it on the way.
        let (mut sum, mut least, mut most) = ((0i64, 0i64), 0i64, 0i64);
        for n in lower..last {
            let at = self.with(counter, n);
            let by = at.range(by);
            self.fuel.set(at.fuel.get());
            let by = if down { (by.1.checked_neg()?, by.0.checked_neg()?) } else { by };
            sum = (sum.0.checked_add(by.0)?, sum.1.checked_add(by.1)?);
            (least, most) = (least.min(sum.0), most.max(sum.1));
        }
        let on_the_way = (init.0.checked_add(least)?, init.1.checked_add(most)?);
        if on_the_way.0 < all.0 || on_the_way.1 > all.1 {
            return None;
        }
        match number.is_some() || ended {
            true => Some((init.0.checked_add(sum.0)?, init.1.checked_add(sum.1)?)),
            false => Some(on_the_way),
        }
    }

    /// What an integer that is read from an array or struct can be.
    fn read(&self, op: OpId) -> Option<Range> {
        let body = self.body;
        if !self.thorough {
            return None;
        }
        let read = read_of(body, op)?;
        let wanted = body.ty(body.result(op, 0));
        // Written in whatever iteration: no counter is known.
        let anywhere =
            Finder { depth: self.depth.clone(), ..Finder::new(body, Vec::new(), self.fuel.get()) }.thoroughly();
        let mut found = None;
        let known = anywhere.elements(read.from, wanted, &mut Vec::new(), &mut found);
        self.fuel.set(anywhere.fuel.get());
        let inside = super::access::is_inside_by(body.ty(read.from), &read.path, &mut |v| range_of(body, v));
        let found = found.filter(|_| known)?;
        Some(if inside { found } else { (found.0.min(0), found.1.max(0)) })
    }

    /// Adds to `found` the range of all scalars of type `wanted` in `value`; whether they are
    /// known.
    fn elements(&self, value: ValueId, wanted: Type, seen: &mut Vec<ValueId>, found: &mut Option<Range>) -> bool {
        let body = self.body;
        if seen.contains(&value) {
            return true;
        }
        let Some(fuel) = self.fuel.get().checked_sub(1).filter(|_| seen.len() < DEPTH as usize) else { return false };
        self.fuel.set(fuel);
        seen.push(value);
        let ty = body.ty(value);
        let add = |found: &mut Option<Range>, r: Range| {
            *found = Some(found.map_or(r, |f| (f.0.min(r.0), f.1.max(r.1))));
        };
        if ty.is_scalar() || ty.is_vector() {
            if ty == wanted {
                add(found, self.range(value));
            }
            return ty == wanted || ty.elem() != wanted;
        }
        let (op, index) = match body.def(value) {
            ValueDef::Result { op, index } => (op, index as usize),
            ValueDef::Arg { block, index } => {
                let Some(op) = body.parent_op(block).filter(|_| index > 0) else { return false };
                let Some(parts) = ForParts::of(body, op) else { return false };
                let k = index as usize - 1;
                let both = [body.operand(op, BOUNDS + k), body.operand(parts.end, k)];
                return both.into_iter().all(|v| self.elements(v, wanted, seen, found));
            }
        };
        if agg::Zero::is(body, op) {
            add(found, (0, 0));
            return true;
        }
        if let Some(write) = write_of(body, op) {
            return [write.part, write.into].into_iter().all(|v| self.elements(v, wanted, seen, found));
        }
        if agg::Make::is(body, op) {
            return body.operands(op).iter().all(|&v| self.elements(v, wanted, seen, found));
        }
        if let Some(read) = read_of(body, op) {
            add(found, (0, 0));
            return self.elements(read.from, wanted, seen, found);
        }
        let Some(parts) = ForParts::of(body, op) else { return false };
        let (arg, next) = (body.args(parts.body)[index + 1], body.operand(parts.end, index));
        // A loop that writes every element leaves nothing of what was there.
        if let Some(write) = body.def_op(next).and_then(|d| write_of(body, d))
            && let Some((counter, 0, upper)) = counted(body, op)
            && write.into == arg
            && write.path == [Step::By(counter)]
            && count(ty) == Some(upper)
        {
            return self.elements(write.part, wanted, seen, found);
        }
        [body.operand(op, BOUNDS + index), next].into_iter().all(|v| self.elements(v, wanted, seen, found))
    }

    fn computed(&self, op: OpId, value: ValueId) -> Range {
        let body = self.body;
        let ty = body.ty(value);
        let all = full(ty);
        if let Some(c) = arith::constant_of(body, value) {
            return c.as_int().map_or(all, |v| (v, v));
        }
        if agg::Extract::is(body, op) && ty.is_int_or_index() && !ty.is_i1() {
            return self.read(op).unwrap_or(all);
        }
        let data = body.op(op);
        if data.def.facts.is_none() || !data.regions.is_empty() || !ty.is_scalar() {
            return all;
        }
        // What a mask or a divisor says by itself needs no look at the other operand.
        if data.operands.iter().any(|&v| arith::constant_of(body, v).is_some()) {
            let constants: SmallVec<[Fact; 3]> = data.operands.iter().map(|&v| constant_fact(body, v)).collect();
            let by_constants = self.by_rule(op, ty, &constants);
            if by_constants.0 >= 0 && by_constants.1 < all.1 {
                return by_constants;
            }
        }
        let known: SmallVec<[Fact; 3]> = data.operands.iter().map(|&v| self.fact(v)).collect();
        self.by_rule(op, ty, &known)
    }

    /// What the rule in the row of an op gives for what is known of its operands.
    fn by_rule(&self, op: OpId, ty: Type, known: &[Fact]) -> Range {
        let data = self.body.op(op);
        let types: SmallVec<[Type; 3]> = data.operands.iter().map(|&v| self.body.ty(v)).collect();
        facts::of(data.def, &data.attrs, &types, ty, known).int().map_or_else(|| full(ty), IntFact::kept)
    }

    /// The range of an integer as a fact; of other values nothing is known.
    fn fact(&self, value: ValueId) -> Fact {
        let ty = self.body.ty(value);
        let top = Fact::top(ty);
        let Fact::Int(all) = top else { return top };
        if !ty.is_scalar() || ty.is_i1() {
            return constant_fact(self.body, value);
        }
        let (least, most) = self.range(value);
        IntFact::between(least, most, all.bits()).map_or(top, Fact::Int)
    }
}

/// What is known of a constant, and nothing of others.
fn constant_fact(body: &Body, value: ValueId) -> Fact {
    let top = Fact::top(body.ty(value));
    arith::constant_of(body, value).map_or(top, |c| top.meet(Fact::constant(c)).unwrap_or(top))
}
