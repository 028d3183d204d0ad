//! `version-loops`: one look at the size of a buffer for several reads.
//!
//! A read looks whether its index is inside of the buffer, which takes a GPU several times as many
//! instructions as the read. Of indices that are the same sum but for constants and factors the
//! greatest tells for all; and where a sum is made of counters of loops whose bounds are known, its
//! greatest value is known before the loops begin. So reads get a version that does not look
//! ([`agg::INSIDE`]), which is taken where a condition holds that was looked at once: small loops
//! as a whole, else the reads of a block.
//!
//! Indices are computed in 32 bits and may wrap. The condition says, of the sum in 64 bits, that it
//! is less than the number of elements and than 2^31. Since all that is added and multiplied is no
//! less than zero, nothing has wrapped on the way, and the index is that sum.
//!
//! A loop in which lanes of a wave come together has one version for all of them, and one with a
//! barrier or a call has one version.
//!
//! Where threads run as one (`together`) a condition that differs between them would be two sides
//! under masks, and neighbours are read as vectors as they are: only what is the same for all of
//! them is looked at.
//!
//! The pass works on kernels after inlining. Reads of buffers that somebody writes stay where they
//! are.

use super::rolled;
use crate::analysis::costs::bytes;
use crate::analysis::effects::{Effect, Summary};
use crate::analysis::kernels::numthreads;
use crate::analysis::ranges::range_of;
use crate::analysis::varying::{Among, varying};
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::passes;
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::reflect::GROUPSHARED;
use caustic_dialects::scf::empty_region;
use caustic_dialects::simt;
use caustic_dialects::{agg, func, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Module, Name, OpId, Type, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Indices below this are the same in 32 bits, signed or not, and in 64.
const LIMIT: i64 = 1 << 31;
/// Sums with more terms, and factors beyond this, are not looked at: in 64 bits nothing wraps.
const MOST_TERMS: usize = 4;
const MOST_FACTOR: i64 = 1 << 24;
/// Counters that go no further have a known bound; of others the bound is looked at. What follows
/// from a type alone says nothing about buffers.
const MOST_KNOWN: i64 = 1 << 20;
/// Loops with more ops are not made twice, unless they do no more with each read than to multiply
/// and to add: then looking is most of what they do. Those that compute more have other things to
/// keep in registers, and reads that stand together wait for memory once. And no more loops than
/// this in a kernel.
const LOOP_OPS: usize = 64;
const READ_OPS: usize = 4;
const LOOPS: usize = 16;
/// Bytes of arrays in local memory that leave room in the caches for those of all threads that fit
/// otherwise, and ops of a kernel that is long.
const ARRAYS: u64 = 96;
const LONG: usize = 1500;
/// Reads that are brought together: as many values are alive at once.
const MOST: usize = 16;

passes! {
    /// Looks at the sizes of buffers once for several reads, or for all iterations of a loop.
    pub static VERSION_LOOPS: "version-loops" {
        level: module,
        options: CheckOptions {
            together: bool = "false", "For threads that run as one: reads of which they make different ones stay as they are.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("reads", "reads that have a version that does not look"), ("conditions", "what is looked at for them")],
        run: |module: &mut Module, options: &CheckOptions, report: &mut PassReport| run(module, options, report),
    }
}

/// `constant` and values times factors, all of them no less than zero.
#[derive(Clone, Default)]
struct Sum {
    constant: i64,
    terms: Vec<(ValueId, i64)>,
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
fn sum_of(body: &Body, value: ValueId, fuel: u32) -> Option<Sum> {
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
/// derivatives go back through loops.
fn runs_along(body: &Body, value: ValueId) -> Option<scf::For> {
    counted_by(body, value).or_else(|| {
        let op = body.def_op(value).filter(|&op| arith::SubI::is(body, op))?;
        let (last, loop_) = (body.operand(op, 0), counted_by(body, body.operand(op, 1))?);
        let constant = |v: ValueId| arith::constant_of(body, v).and_then(|a| a.as_int());
        let upper = loop_.upper(body);
        let one_less = || {
            let def = body.def_op(last)?;
            let by = constant(body.operand(def, 1))?;
            let less = arith::AddI::is(body, def) && by == -1 || arith::SubI::is(body, def) && by == 1;
            Some(less && body.operand(def, 0) == upper)
        };
        (constant(last).is_some() || one_less().unwrap_or(false)).then_some(loop_)
    })
}

/// What a term is no greater than.
enum Bound {
    Known(i64),
    /// What stands in for it: it is less than this number, which is known before the loop begins.
    Below(ValueId),
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
        if counts { Bound::Below(upper) } else { Bound::Itself }
    }
}

/// Whether registers that the versions which look do not take any more do no harm. Then more
/// threads run at once, and if each has arrays in local memory these have no place in the caches:
/// the derivative of the layers (784 bytes a thread) took 0.80 ms with 99 registers and 1.28 with
/// 54, the function 0.12 and 0.15 with 79 and 58 (H200). Of long kernels the time to compile
/// matters more, and they need their registers for the rest.
pub fn may_have_fewer_registers(body: &Body) -> bool {
    let ops = body.walk_all();
    let local = |&op: &OpId| agg::Zero::is(body, op) && agg::needs_storage(body.ty(body.result(op, 0)));
    let arrays: u64 = ops.iter().filter(|op| local(op)).map(|&op| bytes(body.ty(body.result(op, 0)))).sum();
    arrays <= ARRAYS || ops.len() > LONG
}

/// A read whose index is a sum.
struct Read {
    op: OpId,
    sum: Sum,
    /// It may be made earlier in its block.
    moves: bool,
    condition: usize,
}

/// A factor of a condition's sum: a value, or the number before it, but no less than zero.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Term {
    value: ValueId,
    last: bool,
    factor: i64,
}

impl Term {
    fn is_of(&self, other: &Term) -> bool {
        (self.value, self.last) == (other.value, other.last)
    }
}

/// What is looked at once.
struct Condition {
    buffer: Name,
    ty: Type,
    /// What is not known before the kernel runs, and the most that the rest can be.
    terms: Vec<Term>,
    most: i64,
    block: BlockId,
    /// It is made in front of this.
    before: OpId,
    /// Some read stands in a loop that the condition stands outside of.
    hoisted: bool,
    reads: usize,
}

fn run(module: &mut Module, options: &CheckOptions, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let found = find(module, kernel, &summary, options.together);
        let Some(((reads, conditions), symbol)) = found.zip(module.get_mut(kernel)) else { return Ok(Changed::No) };
        let waits = symbol.body.all_ops().any(|op| simt::is_wave_op(symbol.body.op(op).def));
        let among = Among::Wave(numthreads(symbol));
        let differ = if waits { varying(&symbol.body, &summary, among) } else { FxHashSet::default() };
        let body = &mut symbol.body;
        let worth = |c: &Condition| c.reads > 1 || c.hoisted;
        let flags: Vec<Option<ValueId>> =
            conditions.iter().map(|c| if worth(c) { build(body, c) } else { None }).collect();
        let reads: Vec<Read> = reads.into_iter().filter(|r| flags[r.condition].is_some()).collect();
        report.count("reads", reads.len() as u64);
        report.count("conditions", flags.iter().flatten().count() as u64);
        let changed = Changed::from(!reads.is_empty());
        let small = !options.together && may_have_fewer_registers(body);
        let mut made = Made { conditions: &conditions, flags: &flags, small, differ, instead: Cloner::new() };
        let rest = made.loops(body, reads);
        made.blocks(body, rest);
        Ok(changed)
    })
}

fn find(module: &Module, kernel: Name, summary: &Summary, together: bool) -> Option<(Vec<Read>, Vec<Condition>)> {
    let body = &module.get(kernel)?.body;
    let differing: FxHashSet<ValueId> = match together {
        true => (0..3).flat_map(|dimension| varying(body, summary, Among::Dimension(dimension))).collect(),
        false => FxHashSet::default(),
    };
    let order: FxHashMap<OpId, usize> = body.walk_all().into_iter().enumerate().map(|(n, op)| (op, n)).collect();
    let mut conditions: Vec<Condition> = Vec::new();
    let mut reads = Vec::new();
    for op in body.walk_all() {
        if !agg::BufferLoad::is(body, op) || body.operands(op).len() != 2 || body.attr(op, agg::INSIDE).is_some() {
            continue;
        }
        let buffer = body.operand(op, 0);
        let Some(global) = body.def_op(buffer).filter(|&g| agg::Global::is(body, g)) else { continue };
        let Some(name) = agg::resource_name(body, global) else { continue };
        let shared = module.get(name).is_none_or(|r| r.attr(GROUPSHARED).is_some());
        if shared || agg::is_byte_view(body.ty(buffer)) {
            continue;
        }
        let Some(sum) = sum_of(body, body.operand(op, 1), 16) else { continue };
        if sum.terms.iter().any(|t| differing.contains(&t.0)) {
            continue;
        }
        let (mut most, mut terms) = (sum.constant, Vec::new());
        for &(value, factor) in &sum.terms {
            let (value, last) = match Bound::of(body, value) {
                Bound::Known(greatest) => {
                    most = most.saturating_add(greatest.saturating_mul(factor));
                    continue;
                }
                Bound::Below(upper) => (upper, true),
                Bound::Itself => (value, false),
            };
            let term = Term { value, last, factor };
            match terms.iter_mut().find(|t: &&mut Term| t.is_of(&term)) {
                Some(same) => same.factor += factor,
                None => terms.push(term),
            }
        }
        if most >= LIMIT {
            continue;
        }
        terms.sort_by_key(|t| (t.value.index(), t.last));
        let Some((block, before, hoisted)) = place(body, op, &terms) else { continue };
        let earliest = |c: &Condition| if order.get(&before) < order.get(&c.before) { before } else { c.before };
        let fits = |c: &Condition| {
            let all = greatest_of(&c.terms, &terms);
            let known = |t: &Term| body.def_op(t.value).is_none_or(|d| order.get(&d) < order.get(&earliest(c)));
            c.buffer == name
                && c.block == block
                && all.as_ref().is_some_and(|all| *all == c.terms || all.iter().all(known))
        };
        let number = conditions.iter().position(fits).unwrap_or(conditions.len());
        if number == conditions.len() {
            let (ty, hoisted, terms) = (body.ty(buffer), false, terms.clone());
            conditions.push(Condition { buffer: name, ty, terms, most, block, before, hoisted, reads: 0 });
        }
        let condition = &mut conditions[number];
        condition.terms = greatest_of(&condition.terms, &terms).unwrap_or(terms);
        condition.most = condition.most.max(most);
        condition.hoisted |= hoisted;
        condition.reads += 1;
        if order.get(&before) < order.get(&condition.before) {
            condition.before = before;
        }
        let moves = summary.op(body, op) <= Effect::ReadsConstant;
        reads.push(Read { op, sum, moves, condition: number });
    }
    Some((reads, conditions))
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
fn place(body: &Body, op: OpId, terms: &[Term]) -> Option<(BlockId, OpId, bool)> {
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
fn weighted(b: &mut Builder<'_>, terms: &[Term], constant: i64) -> ValueId {
    let mut sum = None;
    for &Term { value, last, factor } in terms {
        let is_wide = b.ty(value) == Type::index();
        let wide = match (is_wide, last) {
            (true, _) => value,
            // A number of iterations that is negative is none.
            (false, true) => arith::IndexCast::build(b, value, Type::index(), &[]),
            (false, false) => arith::IndexCastUI::build(b, value, Type::index(), &[]),
        };
        let wide = if last {
            let (less, zero) = (arith::index(b, -1), arith::index(b, 0));
            let before = arith::AddI::build(b, wide, less, &[]);
            arith::MaxSI::build(b, before, zero, &[])
        } else {
            wide
        };
        let times = arith::index(b, factor);
        let part = arith::MulI::build(b, wide, times, &[]);
        sum = Some(sum.map_or(part, |s| arith::AddI::build(b, s, part, &[])));
    }
    let constant = arith::index(b, constant);
    sum.map_or(constant, |s| arith::AddI::build(b, s, constant, &[]))
}

fn build(body: &mut Body, condition: &Condition) -> Option<ValueId> {
    let mut b = Builder::before(body, condition.before)?;
    let b = &mut b;
    let buffer = agg::Global::build(b, condition.ty, &[("name", Attr::symbol(condition.buffer))]);
    let (length, limit) = (agg::BufferLen::build(b, buffer, Type::index(), &[]), arith::index(b, LIMIT));
    let end = arith::MinSI::build(b, length, limit, &[]);
    let most = weighted(b, &condition.terms, condition.most);
    Some(arith::cmpi(b, IntPredicate::Ult, most, end))
}

/// What has been made of conditions.
struct Made<'a> {
    conditions: &'a [Condition],
    flags: &'a [Option<ValueId>],
    /// Versions that look are to be little code.
    small: bool,
    /// Values that differ between lanes of a wave, in a kernel with wave operations.
    differ: FxHashSet<ValueId>,
    /// What stands for results that are known in one version only.
    instead: Cloner,
}

impl Made<'_> {
    fn term(&self, (mut value, factor): (ValueId, i64)) -> Term {
        while self.instead.get(value) != value {
            value = self.instead.get(value);
        }
        Term { value, last: false, factor }
    }

    /// `new` in the place of `old`, but for what is made of `old` from now on.
    fn replace(&mut self, body: &mut Body, old: &[ValueId], new: &[ValueId]) {
        for (&old, &new) in old.iter().zip(new) {
            body.replace_uses(old, new);
            self.instead.insert(old, new);
        }
    }

    /// Makes small loops twice, if conditions of reads in them stand outside; the reads that are
    /// left.
    fn loops(&mut self, body: &mut Body, reads: Vec<Read>) -> Vec<Read> {
        let mut budget = LOOPS;
        let mut rest = reads;
        for op in body.walk_all() {
            let Some(block) = body.region_block(op, 0).filter(|_| scf::For::is(body, op) && budget > 0) else {
                continue;
            };
            let inner: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
            let nested = |&i: &OpId| scf::For::is(body, i) || scf::While::is(body, i);
            if inner.iter().any(nested) {
                continue;
            }
            let (small, work) = (inner.len() <= LOOP_OPS, work(body, &inner));
            let within_loop: FxHashSet<OpId> = inner.into_iter().collect();
            let outside = |r: &Read| !body.is_block_within(self.conditions[r.condition].block, block);
            let (here, others): (Vec<Read>, Vec<Read>) =
                rest.into_iter().partition(|r| within_loop.contains(&r.op) && outside(r));
            rest = others;
            let too_large = !small && work > READ_OPS * (here.len() + 1);
            if here.is_empty() || too_large || self.parts_threads(body, &within_loop, &here) {
                rest.extend(here);
                continue;
            }
            budget -= 1;
            if self.versions(body, op, &here).is_none() {
                rest.extend(here);
            }
        }
        rest
    }

    /// Whether threads that come together in a loop would not if each took the version that its own
    /// condition chooses.
    fn parts_threads(&self, body: &Body, inside: &FxHashSet<OpId>, reads: &[Read]) -> bool {
        let waits = |op: &OpId| simt::converges(body.op(*op).def) && !simt::is_wave_op(body.op(*op).def);
        if inside.iter().any(|op| waits(op) || func::Call::is(body, *op)) {
            return true;
        }
        let differs = |r: &Read| self.conditions[r.condition].terms.iter().any(|t| self.differ.contains(&t.value));
        inside.iter().any(|&op| simt::is_wave_op(body.op(op).def)) && reads.iter().any(differs)
    }

    fn versions(&mut self, body: &mut Body, op: OpId, reads: &[Read]) -> Option<()> {
        let types: Vec<Type> = body.results(op).iter().map(|&r| body.ty(r)).collect();
        let mut b = Builder::before(body, op)?;
        let mut seen = FxHashSet::default();
        let mut all: Option<ValueId> = None;
        for flag in reads.iter().filter_map(|r| self.flags[r.condition]).filter(|&f| seen.insert(f)) {
            all = Some(all.map_or(flag, |a| arith::AndI::build(&mut b, a, flag, &[])));
        }
        let branch = b.create(scf::If::DEF, &[all?], &types, &[], 2);
        let then = empty_region(&mut b, branch, 0, &[]);
        let other = empty_region(&mut b, branch, 1, &[]);
        let (then_end, other_end) = (body.last_op(then)?, body.last_op(other)?);
        let mut cloner = Cloner::new();
        let fast = cloner.clone_within(body, op, then, Some(then_end));
        for read in reads {
            let copy = body.def_op(cloner.get(body.result(read.op, 0)))?;
            let inner = |t: Term| Term { value: cloner.get(t.value), ..t };
            let terms: Vec<Term> = read.sum.terms.iter().map(|&t| inner(self.term(t))).collect();
            let index = weighted(&mut Builder::before(body, copy)?, &terms, read.sum.constant);
            body.set_operand(copy, 1, index);
            body.set_attr(copy, agg::INSIDE, Attr::unit());
        }
        let (old, made, fast) = (body.results(op).to_vec(), body.results(branch).to_vec(), body.results(fast).to_vec());
        self.replace(body, &old, &made);
        body.move_op(op, other, Some(other_end));
        body.set_operands(then_end, &fast);
        body.set_operands(other_end, &old);
        self.shorten(body, reads.iter());
        Some(())
    }

    /// Less code for reads that look.
    fn shorten<'r>(&self, body: &mut Body, reads: impl Iterator<Item = &'r Read>) {
        if self.small {
            rolled::roll(body, &reads.filter(|r| r.moves).map(|r| r.op).collect::<Vec<_>>());
        }
    }

    /// Branches around the reads of a block that one condition tells about.
    fn blocks(&mut self, body: &mut Body, reads: Vec<Read>) {
        let mut runs: Vec<Vec<Read>> = Vec::new();
        for read in reads {
            let fits = |run: &&mut Vec<Read>| {
                let same = |r: &Read| {
                    r.moves && r.condition == read.condition && body.op(r.op).block == body.op(read.op).block
                };
                read.moves && run.len() < MOST && run.first().is_some_and(same)
            };
            match runs.iter_mut().find(fits) {
                Some(run) => run.push(read),
                None => runs.push(vec![read]),
            }
        }
        for run in runs {
            let Some(flag) = self.flags[run[0].condition] else { continue };
            // A branch for one read is worth it only if looking at the condition is not part of it.
            if run.len() > 1 || self.conditions[run[0].condition].hoisted {
                self.branch(body, flag, &run);
            }
        }
    }

    fn branch(&mut self, body: &mut Body, flag: ValueId, run: &[Read]) -> Option<()> {
        let first = run.first()?.op;
        let types: Vec<Type> = run.iter().map(|r| body.ty(body.result(r.op, 0))).collect();
        for read in &run[1..] {
            raise(body, body.operand(read.op, 0), first);
            raise(body, body.operand(read.op, 1), first);
        }
        let mut b = Builder::before(body, first)?;
        let made = b.create(scf::If::DEF, &[flag], &types, &[], 2);
        let then = empty_region(&mut b, made, 0, &[]);
        let mut t = b.before_end(then);
        let mut copies = Vec::new();
        // What all have in common comes first, since an address begins with that.
        let all: Vec<Vec<Term>> =
            run.iter().map(|r| r.sum.terms.iter().map(|&term| self.term(term)).collect()).collect();
        let in_all = |term: &Term| all.iter().all(|terms| terms.contains(term));
        for (read, terms) in run.iter().zip(all.clone()) {
            let op = t.body.op(read.op).clone();
            let (same, own): (Vec<_>, Vec<_>) = terms.into_iter().partition(in_all);
            let index = weighted(&mut t, &[same, own].concat(), read.sum.constant);
            let ty = t.ty(t.body.result(read.op, 0));
            let copy = t.create(agg::BufferLoad::DEF, &[op.operands[0], index], &[ty], &[], 0);
            t.body.set_attrs(copy, op.attrs);
            t.body.set_attr(copy, agg::INSIDE, Attr::unit());
            copies.push(t.body.result(copy, 0));
        }
        let other = empty_region(&mut b, made, 1, &[]);
        let (then_end, other_end) = (body.last_op(then)?, body.last_op(other)?);
        let (results, old): (Vec<ValueId>, Vec<ValueId>) =
            (body.results(made).to_vec(), run.iter().map(|r| body.result(r.op, 0)).collect());
        self.replace(body, &old, &results);
        for read in run {
            body.move_op(read.op, other, Some(other_end));
        }
        body.set_operands(then_end, &copies);
        body.set_operands(other_end, &old);
        self.shorten(body, run.iter());
        Some(())
    }
}

/// Ops besides constants and the arithmetic of indices.
fn work(body: &Body, ops: &[OpId]) -> usize {
    let integers = |op: OpId| {
        let results = body.results(op);
        !results.is_empty()
            && body.op(op).def.dialect() == arith::DIALECT.name
            && results.iter().all(|&r| body.ty(r).is_int_or_index())
    };
    ops.iter().filter(|&&op| !arith::Constant::is(body, op) && !integers(op)).count()
}

/// Moves what makes a value in front of `before`, if it stands behind it in its block. Its terms
/// are known there.
fn raise(body: &mut Body, value: ValueId, before: OpId) {
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

fn is_behind(body: &Body, op: OpId, other: OpId) -> bool {
    let mut next = body.next_op(other);
    while let Some(o) = next {
        if o == op {
            return true;
        }
        next = body.next_op(o);
    }
    false
}
