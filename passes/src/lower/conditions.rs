//! What has to hold that accesses to buffers are inside: conditions that stand for many of them.
//!
//! Of indices that are the same sum but for constants and factors the greatest tells for all; and
//! where a sum is made of counters of loops its greatest value is known before the loops begin: as
//! a number, or from a count that is known then.
//!
//! Indices are computed in 32 bits and may wrap. The condition says, of the sum in 64 bits, that it
//! is less than the number of elements and than 2^31. Since all that is added and multiplied is no
//! less than zero, nothing has wrapped on the way, and the index is that sum.
//!
//! This module must not know: what is made of the conditions.

use crate::analysis::effects::{Effect, Summary};
use crate::analysis::ranges::range_of;
use crate::analysis::varying::{Among, varying};
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::place::place_of;
use caustic_dialects::reflect::GROUPSHARED;
use caustic_dialects::simt;
use caustic_dialects::{agg, func, scf};
use caustic_ir::op::Access;
use caustic_ir::{Attr, BlockId, Body, Builder, Module, Name, OpId, Type, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Indices below this are the same in 32 bits, signed or not, and in 64.
const LIMIT: i64 = 1 << 31;
/// Sums with more terms, and factors beyond this, are not looked at: in 64 bits nothing wraps.
const MOST_TERMS: usize = 4;
const MOST_FACTOR: i64 = 1 << 24;
/// Counters that go no further have a known bound; of others the bound is looked at. What follows
/// from a type alone says nothing about buffers.
const MOST_KNOWN: i64 = 1 << 20;
/// `constant` and values times factors, all of them no less than zero.
#[derive(Clone, Default)]
pub(crate) struct Sum {
    pub constant: i64,
    pub terms: Vec<(ValueId, i64)>,
}

impl Sum {
    fn add(mut self, other: Sum) -> Option<Sum> {
        self.constant = self.constant.checked_add(other.constant).filter(|&c| c < LIMIT)?;
        for (value, factor) in other.terms {
            match self.terms.iter_mut().find(|t| t.0 == value) {
                Some(term) => term.1 += factor,
                None => self.terms.push((value, factor)),
            }
        }
        (self.terms.len() <= MOST_TERMS && self.terms.iter().all(|t| t.1 <= MOST_FACTOR)).then_some(self)
    }
    fn times(mut self, factor: i64) -> Option<Sum> {
        (0..=MOST_FACTOR).contains(&factor).then_some(())?;
        self.constant = self.constant.checked_mul(factor).filter(|&c| c < LIMIT)?;
        for term in &mut self.terms {
            term.1 = term.1.checked_mul(factor).filter(|&f| f <= MOST_FACTOR)?;
        }
        Some(self)
    }
}

/// The sum that an index is; the value by itself where it is none.
pub(crate) fn sum_of(body: &Body, value: ValueId, fuel: u32) -> Option<Sum> {
    let ty = body.ty(value);
    if ty != Type::int(32) && ty != Type::index() {
        return None;
    }
    if let Some(constant) = arith::constant_of(body, value).and_then(|a| a.as_int()) {
        return (0..LIMIT).contains(&constant).then(|| Sum { constant, terms: Vec::new() });
    }
    let parts = || -> Option<Sum> {
        let (op, fuel) = (body.def_op(value)?, fuel.checked_sub(1)?);
        let operand = |n: usize| sum_of(body, body.operand(op, n), fuel);
        let constant = |n: usize| arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
        match () {
            _ if arith::AddI::is(body, op) => operand(0)?.add(operand(1)?),
            _ if arith::MulI::is(body, op) => match (constant(0), constant(1)) {
                (_, Some(factor)) => operand(0)?.times(factor),
                (Some(factor), _) => operand(1)?.times(factor),
                _ => None,
            },
            _ if arith::ShLI::is(body, op) => {
                operand(0)?.times(constant(1).filter(|n| (0..24).contains(n)).map(|n| 1 << n)?)
            }
            _ if arith::IndexCast::is(body, op) || arith::IndexCastUI::is(body, op) => operand(0),
            _ => None,
        }
    };
    if let Some(sum) = parts() {
        return Some(sum);
    }
    let small = || {
        let (least, greatest) = range_of(body, value);
        let number = body.def_op(value).is_some_and(|op| simt::is_thread_op(body.op(op).def));
        number || least >= 0 && greatest <= LIMIT
    };
    (ty == Type::int(32) || small()).then(|| Sum { constant: 0, terms: vec![(value, 1)] })
}

/// The loop that a value is the counter of.
fn counted_by(body: &Body, value: ValueId) -> Option<scf::For> {
    match body.def(value) {
        ValueDef::Arg { block, index: 0 } => scf::For::cast(body, body.parent_op(block)?),
        _ => None,
    }
}

/// The loop of which a value is the counter, or what the counter lacks to the last trip: so
/// derivatives go back through loops. A counter that is taken from another constant is none, unless
/// the loop ends at a constant, too.
fn runs_along(body: &Body, value: ValueId) -> Option<scf::For> {
    counted_by(body, value).or_else(|| {
        let op = body.def_op(value).filter(|&op| arith::SubI::is(body, op))?;
        let (last, loop_) = (body.operand(op, 0), counted_by(body, body.operand(op, 1))?);
        let is_constant = |v: ValueId| arith::constant_of(body, v).is_some();
        let upper = loop_.upper(body);
        (is_constant(last) && is_constant(upper) || is_one_less(body, last, upper)).then_some(loop_)
    })
}

/// Whether `last` is computed as one less than `end`.
pub(crate) fn is_one_less(body: &Body, last: ValueId, end: ValueId) -> bool {
    let less = || {
        let def = body.def_op(last)?;
        let by = arith::constant_of(body, *body.operands(def).get(1)?)?.as_int()?;
        let less = arith::AddI::is(body, def) && by == -1 || arith::SubI::is(body, def) && by == 1;
        Some(less && are_same(body, body.operand(def, 0), end))
    };
    less().unwrap_or(false)
}

/// Whether two values are the same: as one, or by the same cast of one.
pub(crate) fn are_same(body: &Body, a: ValueId, b: ValueId) -> bool {
    let cast = |v: ValueId| {
        let op = body.def_op(v).filter(|&op| arith::IndexCast::is(body, op) || arith::IndexCastUI::is(body, op))?;
        Some((arith::IndexCast::is(body, op), body.operand(op, 0), body.ty(v)))
    };
    a == b || cast(a).is_some_and(|a| cast(b) == Some(a))
}

/// What a term is no greater than.
enum Bound {
    Known(i64),
    /// What stands in for it: it is less than this number, which is known before the loop begins,
    /// and a multiple of the step.
    Below(ValueId, i64),
    Itself,
}

impl Bound {
    fn of(body: &Body, value: ValueId) -> Bound {
        let (least, greatest) = range_of(body, value);
        let Some(along) = runs_along(body, value) else { return Bound::Itself };
        if least >= 0 && greatest < MOST_KNOWN {
            return Bound::Known(greatest);
        }
        let upper = along.upper(body);
        let starts = arith::constant_of(body, along.lower(body)).and_then(|a| a.as_int());
        let is_word = body.ty(upper) == Type::int(32)
            || range_of(body, upper).1 <= LIMIT
            || body.def_op(upper).is_some_and(|op| {
                let cast = arith::IndexCast::is(body, op) || arith::IndexCastUI::is(body, op);
                cast && body.ty(body.operand(op, 0)) == Type::int(32)
            });
        let counts = starts == Some(0) && arith::constant_of(body, upper).is_none() && is_word;
        let step = arith::constant_of(body, along.step(body)).and_then(|a| a.as_int()).filter(|&step| step > 0);
        let step = step.filter(|_| counted_by(body, value).is_some()).unwrap_or(1);
        if counts { Bound::Below(upper, step) } else { Bound::Itself }
    }
}

/// An access whose index is a sum.
pub(crate) struct Indexed {
    pub op: OpId,
    pub buffer: Name,
    /// The buffer's.
    pub ty: Type,
    pub index: ValueId,
    pub sum: Sum,
    /// What of the sum is not known before the kernel runs, and the most that the rest can be.
    terms: Vec<Term>,
    most: i64,
    /// A read that may be made earlier in its block.
    pub moves: bool,
    pub reads: bool,
}

/// A read whose index is a sum.
pub(crate) struct Read {
    pub op: OpId,
    pub sum: Sum,
    /// It may be made earlier in its block.
    pub moves: bool,
    pub condition: usize,
}

/// A factor of a condition's sum: a value; or what a counter from 0 that is less than it reaches at
/// last by these steps, but no less than zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Term {
    pub value: ValueId,
    pub steps: Option<i64>,
    pub factor: i64,
}

impl Term {
    fn is_of(&self, other: &Term) -> bool {
        (self.value, self.steps) == (other.value, other.steps)
    }
}

/// What is looked at once.
pub(crate) struct Condition {
    pub buffer: Name,
    pub ty: Type,
    /// What is not known before the kernel runs, and the most that the rest can be.
    pub terms: Vec<Term>,
    pub most: i64,
    pub block: BlockId,
    /// It is made in front of this.
    pub before: OpId,
    /// Some read stands in a loop that the condition stands outside of.
    pub hoisted: bool,
    pub reads: usize,
}

/// The operand that is the index of an access to an element as a whole.
fn index_of(body: &Body, op: OpId) -> Option<(ValueId, ValueId)> {
    let place = place_of(body, op, &[Access::Reads, Access::Writes, Access::Updates])?;
    let whole = place.indices.is_empty() && !agg::View::is(body, op);
    Some((place.base, place.element.filter(|_| whole)?))
}

/// The accesses to buffers of the host whose indices are sums. Where threads run as one
/// (`together`), what differs between them is none.
pub(crate) fn indexed(module: &Module, kernel: Name, summary: &Summary, together: bool) -> Option<Vec<Indexed>> {
    let body = &module.get(kernel)?.body;
    let differing: FxHashSet<ValueId> = match together {
        true => (0..3).flat_map(|dimension| varying(body, summary, Among::Dimension(dimension))).collect(),
        false => FxHashSet::default(),
    };
    let mut found = Vec::new();
    for op in body.walk_all() {
        if body.attr(op, agg::INSIDE).is_some() || body.attr(op, agg::LOOKS).is_some() {
            continue;
        }
        let Some((buffer, index)) = index_of(body, op) else { continue };
        let Some(global) = body.def_op(buffer).filter(|&g| agg::Global::is(body, g)) else { continue };
        let Some(name) = agg::resource_name(body, global) else { continue };
        let shared = module.get(name).is_none_or(|r| r.attr(GROUPSHARED).is_some());
        let ty = body.ty(buffer);
        if shared || agg::is_byte_view(ty) {
            continue;
        }
        let Some(sum) = sum_of(body, index, 16) else { continue };
        if sum.terms.iter().any(|t| differing.contains(&t.0)) {
            continue;
        }
        let (mut most, mut terms) = (sum.constant, Vec::new());
        for &(value, factor) in &sum.terms {
            let (value, steps) = match Bound::of(body, value) {
                Bound::Known(greatest) => {
                    most = most.saturating_add(greatest.saturating_mul(factor));
                    continue;
                }
                Bound::Below(upper, step) => (upper, Some(step)),
                Bound::Itself => (value, None),
            };
            let term = Term { value, steps, factor };
            match terms.iter_mut().find(|t: &&mut Term| t.is_of(&term)) {
                Some(same) => same.factor += factor,
                None => terms.push(term),
            }
        }
        if most >= LIMIT || terms.iter().any(|t| differing.contains(&t.value)) {
            continue;
        }
        terms.sort_by_key(|t| (t.value.index(), t.steps));
        let reads = agg::BufferLoad::is(body, op);
        let moves = reads && summary.op(body, op) <= Effect::ReadsConstant;
        found.push(Indexed { op, buffer: name, ty, index, sum, terms, most, moves, reads });
    }
    Some(found)
}

/// The reads whose indices are sums, and conditions that stand for several of them.
pub(crate) fn find(
    module: &Module,
    kernel: Name,
    summary: &Summary,
    together: bool,
) -> Option<(Vec<Read>, Vec<Condition>)> {
    let body = &module.get(kernel)?.body;
    let order: FxHashMap<OpId, usize> = body.walk_all().into_iter().enumerate().map(|(n, op)| (op, n)).collect();
    let mut conditions: Vec<Condition> = Vec::new();
    let mut reads = Vec::new();
    for access in indexed(module, kernel, summary, together)?.into_iter().filter(|a| a.reads) {
        let Indexed { op, buffer, ty, sum, terms, most, moves, .. } = access;
        let Some((block, before, hoisted)) = place(body, op, &terms) else { continue };
        let earliest = |c: &Condition| if order.get(&before) < order.get(&c.before) { before } else { c.before };
        let fits = |c: &Condition| {
            let all = greatest_of(&c.terms, &terms);
            let known = |t: &Term| body.def_op(t.value).is_none_or(|d| order.get(&d) < order.get(&earliest(c)));
            c.buffer == buffer
                && c.block == block
                && all.as_ref().is_some_and(|all| *all == c.terms || all.iter().all(known))
        };
        let number = conditions.iter().position(fits).unwrap_or(conditions.len());
        if number == conditions.len() {
            let (hoisted, terms) = (false, terms.clone());
            conditions.push(Condition { buffer, ty, terms, most, block, before, hoisted, reads: 0 });
        }
        let condition = &mut conditions[number];
        condition.terms = greatest_of(&condition.terms, &terms).unwrap_or(terms);
        condition.most = condition.most.max(most);
        condition.hoisted |= hoisted;
        condition.reads += 1;
        if order.get(&before) < order.get(&condition.before) {
            condition.before = before;
        }
        reads.push(Read { op, sum, moves, condition: number });
    }
    Some((reads, conditions))
}

/// Conditions in front of `before` that stand for all accesses whose terms are known there; these
/// accesses, by number.
pub(crate) fn at(
    body: &Body,
    before: OpId,
    accesses: &[Indexed],
    known: &dyn Fn(ValueId) -> bool,
) -> Option<(Vec<Condition>, Vec<usize>)> {
    let block = body.op(before).block?;
    let mut conditions: Vec<Condition> = Vec::new();
    let mut chosen = Vec::new();
    for (n, access) in accesses.iter().enumerate() {
        if !access.terms.iter().all(|t| known(t.value)) {
            continue;
        }
        chosen.push(n);
        let same = |c: &&mut Condition| c.buffer == access.buffer && greatest_of(&c.terms, &access.terms).is_some();
        if let Some(condition) = conditions.iter_mut().find(same) {
            condition.terms = greatest_of(&condition.terms, &access.terms)?;
            condition.most = condition.most.max(access.most);
            condition.reads += 1;
        } else {
            let Indexed { buffer, ty, most, .. } = *access;
            let terms = access.terms.clone();
            conditions.push(Condition { buffer, ty, terms, most, block, before, hoisted: true, reads: 1 });
        }
    }
    Some((conditions, chosen))
}

/// Terms whose sum is no less than those of `a` and of `b`, if one of these has all values of the
/// other: as nothing is less than zero, those with the greater factors.
fn greatest_of(a: &[Term], b: &[Term]) -> Option<Vec<Term>> {
    let (more, less) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut all = more.to_vec();
    for other in less {
        let term = all.iter_mut().find(|t| t.is_of(other))?;
        term.factor = term.factor.max(other.factor);
    }
    Some(all)
}

/// The outermost place in front of `op` at which all terms are known, and whether a loop is
/// between.
pub(crate) fn place(body: &Body, op: OpId, terms: &[Term]) -> Option<(BlockId, OpId, bool)> {
    let (mut block, mut before, mut hoisted) = (body.op(op).block?, op, false);
    while let Some(parent) = body.parent_op(block) {
        let inside = |t: &Term| body.def_block(t.value).is_none_or(|b| body.is_block_within(b, block));
        let Some(outer) = body.op(parent).block.filter(|_| !terms.iter().any(inside)) else { break };
        hoisted |= scf::For::is(body, parent) || scf::While::is(body, parent);
        (block, before) = (outer, parent);
    }
    Some((block, before, hoisted))
}

/// Values times factors, in 64 bits.
pub(crate) fn weighted(b: &mut Builder<'_>, terms: &[Term], constant: i64) -> ValueId {
    let mut sum = None;
    for &Term { value, steps, factor } in terms {
        let is_wide = b.ty(value) == Type::index();
        let wide = match (is_wide, steps.is_some()) {
            (true, _) => value,
            // A number of iterations that is negative is none.
            (false, true) => arith::IndexCast::build(b, value, Type::index(), &[]),
            (false, false) => arith::IndexCastUI::build(b, value, Type::index(), &[]),
        };
        let wide = match steps {
            Some(step) => {
                let zero = arith::index(b, 0);
                let last = last_of(b, wide, step);
                arith::MaxSI::build(b, last, zero, &[])
            }
            None => wide,
        };
        let times = arith::index(b, factor);
        let part = arith::MulI::build(b, wide, times, &[]);
        sum = Some(sum.map_or(part, |s| arith::AddI::build(b, s, part, &[])));
    }
    let constant = arith::index(b, constant);
    sum.map_or(constant, |s| arith::AddI::build(b, s, constant, &[]))
}

/// What a counter from 0 reaches at last that goes on by steps and stays below `end`; less than
/// zero, if there is no such number.
pub(crate) fn last_of(b: &mut Builder<'_>, end: ValueId, step: i64) -> ValueId {
    let less = arith::index(b, -1);
    let before = arith::AddI::build(b, end, less, &[]);
    match step {
        1 => before,
        _ if step & (step - 1) == 0 => {
            let mask = arith::index(b, -step);
            arith::AndI::build(b, before, mask, &[])
        }
        _ => {
            let step = arith::index(b, step);
            let rest = arith::RemSI::build(b, before, step, &[]);
            arith::SubI::build(b, before, rest, &[])
        }
    }
}

/// The number of elements of a buffer that indices of 32 bits may reach.
pub(crate) fn elements(b: &mut Builder<'_>, buffer: Name, ty: Type) -> ValueId {
    let buffer = agg::Global::build(b, ty, &[("name", Attr::symbol(buffer))]);
    let (length, limit) = (agg::BufferLen::build(b, buffer, Type::index(), &[]), arith::index(b, LIMIT));
    arith::MinSI::build(b, length, limit, &[])
}

pub(crate) fn build(body: &mut Body, condition: &Condition) -> Option<ValueId> {
    let mut b = Builder::before(body, condition.before)?;
    let b = &mut b;
    let end = elements(b, condition.buffer, condition.ty);
    let most = weighted(b, &condition.terms, condition.most);
    Some(arith::cmpi(b, IntPredicate::Ult, most, end))
}

/// Whether threads that come together in these ops would not if each took the version that its own
/// condition chooses; `differs`, if the conditions may differ between the lanes of a wave.
pub(crate) fn parts_threads(body: &Body, ops: impl IntoIterator<Item = OpId>, differs: bool) -> bool {
    ops.into_iter().any(|op| {
        let def = body.op(op).def;
        match simt::is_wave_op(def) {
            true => differs,
            false => simt::converges(def) || func::Call::is(body, op),
        }
    })
}

/// Whether a value is known in front of an op of the block, or can be: pure ops move.
pub(crate) fn is_known(body: &Body, value: ValueId, block: BlockId, before: OpId, fuel: usize) -> bool {
    let Some(fuel) = fuel.checked_sub(1) else { return false };
    let Some(defined) = body.def_block(value) else { return false };
    if defined != block {
        return body.is_block_within(block, defined);
    }
    let Some(op) = body.def_op(value) else { return true };
    let data = body.op(op);
    let moves = || data.regions.is_empty() && data.def.is_pure() && !simt::converges(data.def);
    op != before && !is_behind(body, op, before)
        || moves() && data.operands.iter().all(|&v| is_known(body, v, block, before, fuel))
}

/// Moves what makes a value in front of `before`, if it stands behind it in its block. Its terms
/// are known there.
pub(crate) fn raise(body: &mut Body, value: ValueId, before: OpId) {
    let Some(op) = body.def_op(value) else { return };
    let block = body.op(before).block;
    if body.op(op).block != block || !is_behind(body, op, before) {
        return;
    }
    for operand in body.operands(op).to_vec() {
        raise(body, operand, before);
    }
    if let Some(block) = block {
        body.move_op(op, block, Some(before));
    }
}

pub(crate) fn is_behind(body: &Body, op: OpId, other: OpId) -> bool {
    let mut next = body.next_op(other);
    while let Some(o) = next {
        if o == op {
            return true;
        }
        next = body.next_op(o);
    }
    false
}
