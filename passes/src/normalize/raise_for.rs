//! Step 4, `raise-for` (scf.while -> scf.for): loops that count.
//!
//! A canonical `while` whose condition compares a carried integer with a value that the loop does not change, and whose iterations add a
//! constant to that integer, becomes `scf.for` over an index from 0 by 1. The counter is no longer carried: it is computed from the index, and
//! its value behind the loop from the trip count. A `do … while` of that kind (the carried condition compares the counter after its step)
//! runs once more than its condition counts; where the carried condition starts as the same comparison of the first counter, as it does if it reads memory, it is a
//! `while` like any other.
//!
//! A loop that has other conditions too stays a `while`; if its counter alone bounds it by a constant, that becomes its `max_iters`.

use super::bound;
use super::consts::Constants;
use super::trip_count::{self, Counter};
use super::walk;
use crate::faults::{self, Site};
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::scf;
use caustic_ir::attr::sign_extend;
use caustic_ir::{Attr, BlockId, Body, Builder, OpId, SymbolOp, Type, ValueDef, ValueId};
use rustc_hash::FxHashSet;

/// What the pass did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Found {
    pub raised: u64,
    pub bounded: u64,
}

/// Raises the counted loops of a function, inner ones first.
pub fn run(symbol: &mut SymbolOp) -> Found {
    let body = &mut symbol.body;
    let mut found = Found::default();
    for op in walk::inside_out(body) {
        let Some(shape) = Shape::of(body, op) else { continue };
        match shape.counted(body) {
            Some(counted) => {
                raise(body, &shape, &counted);
                found.raised += 1;
            }
            None => {
                let written = body.attr(op, "max_iters").and_then(|a| a.as_int()).unwrap_or(i64::MAX);
                if let Some(bound) = bound::proven(body, op).filter(|&b| b < written) {
                    body.set_attr(op, "max_iters", Attr::i64(bound));
                    found.bounded += 1;
                }
            }
        }
    }
    found
}

/// A canonical while.
pub struct Shape {
    pub op: OpId,
    pub before: BlockId,
    pub after: BlockId,
    pub condition: ValueId,
    /// The terminator of `after`.
    pub yields: OpId,
}

impl Shape {
    pub fn of(body: &Body, op: OpId) -> Option<Shape> {
        let (before, after) =
            scf::While::is(body, op).then(|| Some((body.region_block(op, 0)?, body.region_block(op, 1)?)))??;
        let end = body.terminator(before).and_then(|t| scf::Condition::cast(body, t))?;
        let yields = body.terminator(after).filter(|&t| scf::Yield::is(body, t))?;
        let n = body.operands(op).len();
        let forwards = end.args(body) == body.args(before) && body.args(before).len() == n;
        let whole =
            forwards && body.args(after).len() == n && body.operands(yields).len() == n && body.results(op).len() == n;
        whole.then_some(Shape { op, before, after, condition: end.condition(body), yields })
    }

    /// Whether the value comes from outside of the loop, or is computed in it from such values only; `hoist` collects the
    /// ops to move, in order.
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

    fn counted(&self, body: &Body) -> Option<Counted> {
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

    /// do { … i += s } while (i < n), or a while whose condition is carried from one iteration to the next.
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
struct Flag {
    slot: usize,
    /// It holds at first, whatever the counter is.
    last: bool,
}

struct Counted {
    counter: Counter,
    slot: usize,
    hoist: Vec<OpId>,
    flag: Option<Flag>,
    limit: Option<i64>,
}

fn raise(body: &mut Body, shape: &Shape, counted: &Counted) {
    let op = shape.op;
    for &hoisted in &counted.hoist {
        if let Some(block) = body.op(op).block {
            body.move_op(hoisted, block, Some(op));
        }
    }
    let Some(mut b) = Builder::before(body, op) else { return };
    let mut counter = counted.counter;
    let ty = b.ty(counter.init);
    if let Some(limit) = counted.limit {
        counter.bound = arith::int(&mut b, limit, ty);
    }
    let mut tested = counter;
    let last = counted.flag.is_some_and(|flag| flag.last);
    let flag = counted.flag.map(|flag| flag.slot);
    if last {
        let known = Constants::default().int(b.body, counter.init);
        tested.init = match known {
            Some(init) => arith::int(&mut b, init.wrapping_add(counter.step), ty),
            None => {
                let step = arith::int(&mut b, counter.step, ty);
                arith::AddI::build(&mut b, counter.init, step, &[])
            }
        };
    } else if let Some(init) = Constants::default().int(b.body, counter.init) {
        tested.init = arith::int(&mut b, init, ty);
    }
    let mut trips = trip_count::build(&mut b, &tested);
    if last {
        trips = once_more(&mut b, trips);
    }
    if faults::on(Site::RaiseForBound) {
        let one = arith::int(&mut b, 1, Type::i64());
        trips = arith::SubI::build(&mut b, trips, one, &[]);
    }
    let known_trips = arith::constant_of(b.body, trips).and_then(|a| a.as_int());
    let trips = match known_trips {
        Some(n) => arith::index(&mut b, n),
        None => arith::IndexCast::build(&mut b, trips, Type::index(), &[]),
    };
    let (zero, one) = (arith::index(&mut b, 0), arith::index(&mut b, 1));
    let kept: Vec<usize> = (0..b.body.operands(op).len()).filter(|&k| k != counted.slot && Some(k) != flag).collect();
    let inits: Vec<ValueId> = kept.iter().map(|&k| b.body.operand(op, k)).collect();
    let types: Vec<Type> = inits.iter().map(|&v| b.ty(v)).collect();
    let attrs: Vec<(&str, Attr)> =
        ["max_iters", "unroll"].into_iter().filter_map(|name| Some((name, b.body.attr(op, name)?))).collect();
    let new = scf::For::build(&mut b, zero, trips, one, &inits, &types, &attrs);
    let mut arg_types = vec![Type::index()];
    arg_types.extend(&types);
    let block = b.add_block(new, 0, &arg_types);

    let mut inner = b.at(block);
    let index = inner.body.args(block)[0];
    let value = trip_count::value_after(&mut inner, &counter, index);
    let old_args = inner.body.args(shape.after).to_vec();
    inner.body.replace_uses(old_args[counted.slot], value);
    if let Some(flag) = flag.filter(|&f| !inner.body.is_unused(old_args[f])) {
        let yes = arith::bool(&mut inner, true);
        inner.body.replace_uses(old_args[flag], yes);
    }
    for (i, &k) in kept.iter().enumerate() {
        let arg = body.args(block)[i + 1];
        body.replace_uses(old_args[k], arg);
    }
    for moved in body.block_ops(shape.after) {
        body.move_op(moved, block, None);
    }
    let next: Vec<ValueId> = kept.iter().map(|&k| body.operand(shape.yields, k)).collect();
    body.set_operands(shape.yields, &next);

    let results = body.results(op).to_vec();
    for (i, &k) in kept.iter().enumerate() {
        let value = body.result(new, i);
        body.replace_uses(results[k], value);
    }
    let Some(mut b) = Builder::before(body, op) else { return };
    if !b.body.is_unused(results[counted.slot]) {
        let last = trip_count::value_after(&mut b, &counter, trips);
        b.body.replace_uses(results[counted.slot], last);
    }
    if let Some(flag) = flag.filter(|&f| !b.body.is_unused(results[f])) {
        let no = arith::bool(&mut b, false);
        b.body.replace_uses(results[flag], no);
    }
    body.erase_op(op);
}

/// count + 1, but for a loop that never ends.
fn once_more(b: &mut Builder<'_>, count: ValueId) -> ValueId {
    if let Some(n) = arith::constant_of(b.body, count).and_then(|a| a.as_int()) {
        return arith::int(b, n.saturating_add(1), Type::i64());
    }
    let one = arith::int(b, 1, Type::i64());
    let more = arith::AddI::build(b, count, one, &[]);
    let never = arith::int(b, trip_count::NEVER_ENDS, Type::i64());
    arith::MinUI::build(b, more, never, &[])
}
