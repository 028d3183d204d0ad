//! The parts of a canonical `scf.while`, and which of them count: a carried integer is compared
//! with a value that the loop does not change, and each iteration adds a constant to it.

use super::consts::Constants;
use super::trip_count::{self, Counter};
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::scf;
use caustic_ir::attr::sign_extend;
use caustic_ir::{BlockId, Body, OpId, ValueDef, ValueId};
use rustc_hash::FxHashSet;

/// A canonical while.
pub struct WhileLoop {
    pub op: OpId,
    pub before: BlockId,
    pub after: BlockId,
    pub condition: ValueId,
    /// The terminator of `after`.
    pub yields: OpId,
}

impl WhileLoop {
    pub fn of(body: &Body, op: OpId) -> Option<WhileLoop> {
        let (before, after) =
            scf::While::is(body, op).then(|| Some((body.region_block(op, 0)?, body.region_block(op, 1)?)))??;
        let end = body.terminator(before).and_then(|t| scf::Condition::cast(body, t))?;
        let yields = body.terminator(after).filter(|&t| scf::Yield::is(body, t))?;
        let n = body.operands(op).len();
        let forwards = end.args(body) == body.args(before) && body.args(before).len() == n;
        let whole =
            forwards && body.args(after).len() == n && body.operands(yields).len() == n && body.results(op).len() == n;
        whole.then_some(WhileLoop { op, before, after, condition: end.condition(body), yields })
    }

    /// Whether the value comes from outside of the loop, or is computed in it from such values
    /// only; `hoist` collects the ops to move, in order.
    fn invariant(&self, body: &Body, value: ValueId, hoist: &mut Vec<OpId>) -> bool {
        let mut seen: FxHashSet<OpId> = FxHashSet::default();
        let mut stack = vec![(value, false)];
        while let Some((v, operands_done)) = stack.pop() {
            let Some(block) = body.def_block(v) else { return false };
            if !body.is_block_within(block, self.before) && !body.is_block_within(block, self.after) {
                continue;
            }
            let pure = |&op: &OpId| body.op(op).def.is_pure() && body.op(op).regions.is_empty();
            let Some(op) = body.def_op(v).filter(pure) else { return false };
            if block != self.before && block != self.after {
                return false;
            }
            if operands_done {
                hoist.push(op);
            } else if seen.insert(op) {
                stack.push((v, true));
                stack.extend(body.operands(op).iter().map(|&o| (o, false)));
            }
        }
        true
    }

    /// The slot that `value` is an argument of, in `block`.
    pub fn slot_in(&self, body: &Body, value: ValueId, block: BlockId) -> Option<usize> {
        match body.def(value) {
            ValueDef::Arg { block: b, index } if b == block => Some(index as usize),
            _ => None,
        }
    }

    /// The constant that `next` adds to slot `k`.
    pub fn step(&self, body: &Body, next: ValueId, k: usize) -> Option<i64> {
        let arg = *body.args(self.after).get(k)?;
        let op = body.def_op(next)?;
        let bits = body.ty(arg).scalar_bits()?;
        let constant = |v: ValueId| arith::constant_of(body, v).and_then(|a| a.as_int());
        if let Some(add) = arith::AddI::cast(body, op) {
            return match (add.lhs(body), add.rhs(body)) {
                (l, r) if l == arg => constant(r),
                (l, r) if r == arg => constant(l),
                _ => None,
            };
        }
        let sub = arith::SubI::cast(body, op).filter(|sub| sub.lhs(body) == arg)?;
        Some(sign_extend(constant(sub.rhs(body))?.wrapping_neg(), bits))
    }

    /// The comparison as (predicate, counter, bound) with the counter on the left.
    pub fn comparisons(&self, body: &Body, value: ValueId) -> Vec<(IntPredicate, ValueId, ValueId)> {
        let compare = body.def_op(value).and_then(|op| arith::CmpI::cast(body, op));
        let Some((compare, p)) = compare.and_then(|c| Some((c, IntPredicate::of(body, c.0)?))) else { return vec![] };
        let (l, r) = (compare.lhs(body), compare.rhs(body));
        if !body.ty(l).is_int_or_index() {
            return vec![];
        }
        vec![(p, l, r), (trip_count::swapped(p), r, l)]
    }

    /// The counter of the loop, if it counts.
    pub fn counted(&self, body: &Body) -> Option<Counted> {
        self.counted_first(body).or_else(|| self.counted_carried(body))
    }

    /// while (i < n)
    fn counted_first(&self, body: &Body) -> Option<Counted> {
        self.comparisons(body, self.condition).into_iter().find_map(|(predicate, left, bound)| {
            let slot = self.slot_in(body, left, self.before)?;
            let step = self.step(body, body.operand(self.yields, slot), slot)?;
            self.count(body, Counter { predicate, init: body.operand(self.op, slot), bound, step }, slot, None)
        })
    }

    /// do { … i += s } while (i < n), or a while whose condition is carried from one iteration to
    /// the next.
    fn counted_carried(&self, body: &Body) -> Option<Counted> {
        let slot = self.slot_in(body, self.condition, self.before)?;
        let before = body.operand(self.op, slot);
        let starts = arith::constant_of(body, before).and_then(|a| a.as_bool());
        if starts == Some(false) {
            return None;
        }
        let (flag, test) = (Flag { slot, last: starts == Some(true) }, body.operand(self.yields, slot));
        self.comparisons(body, test).into_iter().find_map(|(predicate, left, bound)| {
            let slot = body.operands(self.yields).iter().position(|&v| v == left)?;
            let step = self.step(body, left, slot)?;
            let counter = Counter { predicate, init: body.operand(self.op, slot), bound, step };
            let first = (predicate, counter.init, bound);
            if !flag.last && !self.comparisons(body, before).contains(&first) {
                return None;
            }
            self.count(body, counter, slot, Some(flag))
        })
    }

    fn count(&self, body: &Body, counter: Counter, slot: usize, flag: Option<Flag>) -> Option<Counted> {
        let mut hoist = Vec::new();
        let local_constant = arith::constant_of(body, counter.bound).is_some();
        if !local_constant && !self.invariant(body, counter.bound, &mut hoist) {
            return None;
        }
        let ty = body.ty(counter.init);
        let mut constants = Constants::default();
        let start = constants.int(body, counter.init).map(|i| {
            let last = flag.is_some_and(|flag| flag.last);
            if last { sign_extend(i.wrapping_add(counter.step), ty.scalar_bits().unwrap_or(64)) } else { i }
        });
        let limit = constants.int(body, counter.bound);
        trip_count::is_countable(&counter, ty, start, limit).then_some(Counted { counter, slot, hoist, flag, limit })
    }
}

/// A carried condition.
#[derive(Clone, Copy)]
pub struct Flag {
    pub slot: usize,
    /// It holds at first, whatever the counter is.
    pub last: bool,
}

/// How a loop counts.
pub struct Counted {
    pub counter: Counter,
    pub slot: usize,
    pub hoist: Vec<OpId>,
    pub flag: Option<Flag>,
    pub limit: Option<i64>,
}
