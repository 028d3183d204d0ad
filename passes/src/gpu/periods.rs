//! `unroll-modulo`: a loop whose conditions go round with its counter becomes one of whole rounds.
//!
//! `for (i …) if (i % 2 == 0) … else …` takes both branches in turn. Two iterations in one leave
//! neither test nor branch, and what comes after (additions of all threads to one place, reads that
//! are looked at once) finds straight-line code. A round is up to 8 iterations; what is left of the
//! last one stays a loop behind it.
//!
//! Of a loop with a known number of iterations the conditions are computed for each of them. Of
//! others, and of long ones, the pass looks at the lowest bits of values only, which follow from
//! those of the counter whatever wraps around: there a round is 2, 4 or 8 iterations. Loops with
//! loops within them, and those that would become too long, stay as they are. So do those in which
//! threads come together, if these may run different numbers of iterations.
//!
//! The pass works on kernels after inlining.

use crate::analysis::consts::Constants;
use crate::analysis::ranges::range_of;
use crate::manager::{PassReport, PassResult, each_op_of_kernels};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::carried::{BOUNDS, ForParts};
use caustic_dialects::{func, scf, simt};
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Module, OpId, RegionId, Type, ValueDef, ValueId};

/// Ops that a loop may become.
const LOOP_OPS: usize = 640;
/// Iterations of a round.
const LONGEST: usize = 8;
/// Iterations for each of which conditions are computed.
const FEW: i64 = 256;
/// Ops that the lowest bits of a value are looked for through.
const DEPTH: u32 = 16;

passes! {
    /// Unrolls loops by the period of conditions on their counters.
    pub static UNROLL_MODULO: "unroll-modulo" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("rounds", "loops")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    // What is left of a loop is not looked at again.
    let mut rests: Vec<OpId> = Vec::new();
    each_op_of_kernels(module, |body, op| {
        let round = Round::of(body, op).filter(|_| !rests.contains(&op));
        let unrolled = round.is_some_and(|round| round.unroll(body).map(|rest| rests.extend(rest)).is_some());
        if unrolled {
            report.count("rounds", 1);
        }
        unrolled
    })
}

/// What goes round with a loop, and what it is in each iteration of its period.
type Periodic = Vec<(ValueId, Vec<i64>)>;

/// A loop and how it is unrolled.
struct Round {
    op: OpId,
    parts: ForParts,
    counter: Counter,
    /// Of a round.
    iterations: usize,
    known: Periodic,
}

/// What a loop counts, from a known number on by a known step.
#[derive(Clone, Copy)]
struct Counter {
    value: ValueId,
    lower: i64,
    step: i64,
    /// The number of iterations, if it is known.
    trips: Option<i64>,
}

impl Counter {
    fn of(body: &Body, op: OpId, parts: ForParts) -> Option<Counter> {
        let (view, mut constants) = (scf::For(op), Constants::default());
        let mut int = |v: ValueId| constants.int(body, v);
        let (lower, upper, step) = (int(view.lower(body))?, int(view.upper(body)), int(view.step(body))?);
        let length = match upper {
            Some(upper) => Some(upper.checked_sub(lower)?.max(0)),
            // What is left of the last round is told of counters that do not start below zero.
            None if lower < 0 => return None,
            None => None,
        };
        let trips = length.map(|n| n / step.max(1) + i64::from(n % step.max(1) != 0));
        let value = *body.args(parts.body).first()?;
        (0 < step && step <= i64::from(i16::MAX)).then_some(Counter { value, lower, step, trips })
    }

    fn at(self, iteration: i64) -> i64 {
        self.lower.wrapping_add(iteration.wrapping_mul(self.step))
    }
}

impl Round {
    fn of(body: &Body, op: OpId) -> Option<Round> {
        let parts = ForParts::of(body, op)?;
        let counter = Counter::of(body, op, parts)?;
        if scf::For(op).unroll(body).is_some() {
            return None;
        }
        let inner: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
        if inner.iter().any(|&i| scf::For::is(body, i) || scf::While::is(body, i)) {
            return None;
        }
        // Threads with another number of iterations would be in the rest while others are not.
        let meets = |op: OpId| simt::converges(body.op(op).def) || func::Call::is(body, op);
        if counter.trips.is_none() && inner.iter().any(|&i| meets(i)) {
            return None;
        }
        let conditions: Vec<ValueId> = inner.iter().filter_map(|&i| condition_of(body, i)).collect();
        let mut known = match counter.trips {
            Some(trips) if trips <= FEW => {
                let seeds = |k: i64| (k < trips).then(|| vec![(counter.value, counter.at(k))]);
                // A round that is more than half of a loop is none.
                let periods: Vec<usize> = (1..=LONGEST).filter(|&n| 2 * n as i64 <= trips).collect();
                periodic(body, conditions, &periods, seeds)
            }
            _ => periodic_by_lowest_bits(body, &inner, conditions, counter),
        };
        let longer = |all: usize, of: &[i64]| Some(lcm(all, of.len())).filter(|&n| n <= LONGEST);
        let iterations = known.iter().try_fold(1, |all, (_, of)| longer(all, of))?;
        // One round has nothing to go round; other passes unroll it.
        if iterations < 2 || counter.trips.is_some_and(|trips| trips < 2 * iterations as i64) {
            return None;
        }
        known.sort_by_key(|(value, _)| *value);
        let round = Round { op, parts, counter, iterations, known };
        let rest = if round.is_whole() { 0 } else { inner.len() };
        let ops: usize = (0..iterations).map(|k| round.ops(body, k)).sum();
        (ops + rest <= LOOP_OPS).then_some(round)
    }

    /// Whether nothing is left of the last round.
    fn is_whole(&self) -> bool {
        self.counter.trips.is_some_and(|trips| trips % self.iterations as i64 == 0)
    }

    /// How many ops are left of an iteration of a round where what is known of it is.
    fn ops(&self, body: &Body, iteration: usize) -> usize {
        let mut constants = Constants::default();
        for (value, of) in &self.known {
            constants.assume(*value, Attr::int(of[iteration % of.len()], body.ty(*value)));
        }
        let (mut work, mut ops) = (vec![self.parts.body], 0);
        while let Some(block) = work.pop() {
            for op in body.block_ops(block) {
                let blocks = |r: &RegionId| -> Vec<BlockId> { body.region(*r).blocks.to_vec() };
                let regions = &body.op(op).regions;
                let value = scf::chooses_region(body, op).then(|| constants.int(body, body.operand(op, 0))).flatten();
                match value.map(|value| scf::chosen_region(body, op, value)) {
                    Some(taken) => work.extend(regions.get(taken).into_iter().flat_map(blocks)),
                    None => {
                        ops += 1;
                        work.extend(regions.iter().flat_map(blocks));
                    }
                }
            }
        }
        ops
    }

    /// Unrolls the loop, and gives what is left of it.
    fn unroll(&self, body: &mut Body) -> Option<Option<OpId>> {
        let view = scf::For(self.op);
        let lower = view.lower(body);
        let inits = view.inits(body).to_vec();
        let types: Vec<Type> = inits.iter().map(|&v| body.ty(v)).collect();
        let counter_type = body.ty(lower);
        let ops = body.block_ops(self.parts.body);
        let args = body.args(self.parts.body).to_vec();
        let most = scf::max_iters(body, self.op);
        let mut b = Builder::before(body, self.op)?;
        let end = self.end_of_rounds(&mut b);
        let step = arith::int(&mut b, self.counter.step * self.iterations as i64, counter_type);
        let new = scf::For::build(&mut b, lower, end, step, &inits, &types, &[]);
        let mut inner_types = vec![counter_type];
        inner_types.extend(&types);
        let block = b.add_block(new, 0, &inner_types);
        let mut current = b.body.args(block).to_vec();
        let counter = current.remove(0);
        for k in 0..self.iterations {
            let mut b = b.at(block);
            let mut cloner = Cloner::new();
            let iteration = match k {
                0 => counter,
                _ => {
                    let past = arith::int(&mut b, k as i64 * self.counter.step, counter_type);
                    arith::AddI::build(&mut b, counter, past, &[])
                }
            };
            cloner.insert(args[0], iteration);
            args.iter().skip(1).zip(&current).for_each(|(&arg, &value)| cloner.insert(arg, value));
            for &op in ops.iter().filter(|&&op| op != self.parts.end) {
                cloner.clone_within(b.body, op, block, None);
            }
            for (value, of_round) in &self.known {
                let copy = cloner.get(*value);
                let (Some(op), ty) = (b.body.def_op(copy), b.body.ty(copy)) else { continue };
                let constant = arith::int(&mut Builder::before(b.body, op)?, in_iteration(of_round, k), ty);
                b.body.replace_uses(copy, constant);
            }
            current = b.body.operands(self.parts.end).iter().map(|&v| cloner.get(v)).collect();
        }
        scf::Yield::build(&mut b.at(block), &current, &[]);
        let results = body.results(new).to_vec();
        if let Some(most) = most {
            body.set_attr(new, "max_iters", Attr::i64(most / self.iterations as i64));
        }
        if self.is_whole() {
            for (old, value) in body.results(self.op).to_vec().into_iter().zip(results) {
                body.replace_uses(old, value);
            }
            body.erase_op(self.op);
            return Some(None);
        }
        body.set_operand(self.op, 0, end);
        for (n, value) in results.into_iter().enumerate() {
            body.set_operand(self.op, BOUNDS + n, value);
        }
        body.set_attr(self.op, "max_iters", Attr::i64(self.iterations as i64));
        Some(Some(self.op))
    }

    /// Where the counter stands behind the last whole round.
    fn end_of_rounds(&self, b: &mut Builder<'_>) -> ValueId {
        let (lower, upper) = (scf::For(self.op).lower(b.body), scf::For(self.op).upper(b.body));
        let ty = b.body.ty(lower);
        let iterations = self.iterations as i64;
        if let Some(trips) = self.counter.trips {
            return arith::int(b, self.counter.at(trips - trips % iterations), ty);
        }
        let runs = arith::cmpi(b, IntPredicate::Slt, lower, upper);
        let end = arith::Select::build(b, runs, upper, lower, &[]);
        let span = arith::SubI::build(b, end, lower, &[]);
        let round = arith::int(b, self.counter.step * iterations, ty);
        let rest = arith::RemUI::build(b, span, round, &[]);
        arith::SubI::build(b, end, rest, &[])
    }
}

/// The least common multiple.
fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// What an op chooses a region or a value by, if it is one for all parts of a vector.
fn condition_of(body: &Body, op: OpId) -> Option<ValueId> {
    let chooses = scf::chooses_region(body, op) || arith::Select::is(body, op);
    let condition = *body.operands(op).first().filter(|_| chooses)?;
    (!body.ty(condition).is_vector() && arith::constant_of(body, condition).is_none()).then_some(condition)
}

/// Those of `values` that go round in one of `periods`, by computing them from what `seeds` says of
/// each iteration.
fn periodic(
    body: &Body,
    values: Vec<ValueId>,
    periods: &[usize],
    seeds: impl Fn(i64) -> Option<Vec<(ValueId, i64)>>,
) -> Periodic {
    let mut found: Periodic = Vec::new();
    for value in values {
        if !found.iter().any(|(v, _)| *v == value) {
            found.push((value, Vec::new()));
        }
    }
    for seeds in (0..).map_while(seeds) {
        let mut constants = Constants::default();
        for (value, seed) in seeds {
            constants.assume(value, Attr::int(seed, body.ty(value)));
        }
        found.retain_mut(|(value, of)| constants.int(body, *value).map(|here| of.push(here)).is_some());
        if found.is_empty() {
            break;
        }
    }
    found.retain_mut(|(_, of)| {
        let goes_round = |&&n: &&usize| n <= of.len() && of.iter().zip(&of[n..]).all(|(a, b)| a == b);
        periods.iter().find(goes_round).map(|&n| of.truncate(n)).is_some()
    });
    found
}

/// Those that go round because the lowest bits of others do.
fn periodic_by_lowest_bits(body: &Body, inner: &[OpId], values: Vec<ValueId>, counter: Counter) -> Periodic {
    let of = |value: ValueId, mask: i64, k: i64| {
        lowest(body, value, (counter.value, counter.at(k)), DEPTH).map(|bits| bits & mask)
    };
    let masks: Vec<(ValueId, i64)> = inner.iter().filter_map(|&i| mask_of(body, i)).collect();
    let seeds = |k: i64| {
        let seeds = masks.iter().filter_map(|&(value, mask)| Some((value, of(value, mask, k)?)));
        (k < LONGEST as i64).then(|| seeds.collect())
    };
    periodic(body, values, &[1, 2, 4, 8], seeds)
}

/// What is known of a value in an iteration of a round.
#[mutant(Site::PeriodPhase with iteration = 0)]
fn in_iteration(of_round: &[i64], iteration: usize) -> i64 {
    of_round[iteration % of_round.len()]
}

/// What an op keeps of the lowest bits of a value, if these are three at most: of a sum by `&`, or
/// what a division leaves.
fn mask_of(body: &Body, op: OpId) -> Option<(ValueId, i64)> {
    let constant = |n: usize| arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
    let mask = if arith::AndI::is(body, op) {
        constant(1).or_else(|| constant(0))?
    } else if arith::RemUI::is(body, op) || arith::RemSI::is(body, op) && range_of(body, body.operand(op, 0)).0 >= 0 {
        constant(1)? - 1
    } else {
        return None;
    };
    matches!(mask, 1 | 3 | 7).then(|| (body.result(op, 0), mask))
}

/// The value's bits as far as they follow from the counter's; wrong above its three lowest if
/// something is cut off or wraps around.
fn lowest(body: &Body, value: ValueId, counter: (ValueId, i64), depth: u32) -> Option<i64> {
    if value == counter.0 {
        return Some(counter.1);
    }
    if let Some(constant) = arith::constant_of(body, value) {
        return constant.as_int();
    }
    let op = body.def_op(value).filter(|_| depth > 0 && matches!(body.def(value), ValueDef::Result { .. }))?;
    let part = |n: usize| lowest(body, body.operand(op, n), counter, depth - 1);
    let wide = |v: ValueId| body.ty(v) != Type::i1();
    if arith::AddI::is(body, op) {
        return Some(part(0)?.wrapping_add(part(1)?));
    }
    if arith::SubI::is(body, op) {
        return Some(part(0)?.wrapping_sub(part(1)?));
    }
    if arith::MulI::is(body, op) {
        return Some(part(0)?.wrapping_mul(part(1)?));
    }
    if arith::AndI::is(body, op) {
        return Some(part(0)? & part(1)?);
    }
    if arith::RemUI::is(body, op) || arith::RemSI::is(body, op) {
        let (_, mask) = mask_of(body, op)?;
        return Some(part(0)? & mask);
    }
    let casts = [arith::IndexCast::is, arith::IndexCastUI::is, arith::TruncI::is, arith::ExtSI::is, arith::ExtUI::is];
    (casts.iter().any(|is| is(body, op)) && wide(value) && wide(body.operand(op, 0))).then(|| part(0))?
}
