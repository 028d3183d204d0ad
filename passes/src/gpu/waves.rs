//! `warp-reduce-atomics`: what the lanes of a wave add to the same places comes together first.
//!
//! Where waves run in step, lanes exchange values faster than atomic operations take turns. So an
//! addition to an element that is the same for all lanes becomes one of their sum, and additions
//! that stand beside each other become one op: [`simt::WaveSums`] gives each lane one of the sums,
//! and different lanes add them at once. If all lanes add zero, nothing is added; what adds a zero
//! that is written down (the fields of a struct that a derivative does not reach) goes altogether.
//!
//! Right if nobody can tell: nobody reads what the addition found, and an addition moves down only
//! past what does nothing to its buffer. Sums of floats come in another order, as those of atomic
//! additions do anyway. The pass works on kernels after inlining.

use super::additions::{self, Gather, Group, target};
use super::complete::Complete;
use crate::analysis::effects::Summary;

use crate::analysis::threads::Threads;
use crate::lower::checks;
use crate::lower::rolled::{Row, cold_loop};
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::gpu;
use caustic_dialects::scf::empty_region;
use caustic_dialects::simt;
use caustic_dialects::{agg, scf};
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, Type, ValueId};

/// Additions that become one op: as many values are alive at once.
const MOST: usize = 16;
/// Of so many values lanes of an incomplete wave exchange theirs at once: a loop of each would be
/// much code, and one of all takes registers from what is done often.
const FEW: usize = 4;

passes! {
    /// Adds up what the lanes of a wave add to the same elements of buffers.
    ///
    /// For atomic additions whose old value is not used, to an element that is provably the same
    /// for all lanes.
    pub static WARP_REDUCE_ATOMICS: "warp-reduce-atomics" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [
            ("additions", "additions that are made for a wave"),
            ("groups", "ops that they became"),
            ("complete", "of these, such that all lanes come to"),
            ("zeros", "additions of zero that went"),
        ],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let zeros = additions_of_zero(module, kernel);
        if let Some(symbol) = module.get_mut(kernel) {
            report.count("zeros", zeros.len() as u64);
            zeros.iter().for_each(|&op| symbol.body.erase_op(op));
        }
        let groups = groups(module, kernel, &summary);
        let Some(symbol) = module.get_mut(kernel) else { return Ok(Changed::No) };
        // A loop takes fewer registers, and its values an array.
        let loops = checks::may_have_fewer_registers(&symbol.body);
        let complete = Complete::of(symbol, &summary);
        for group in &groups {
            report.count("additions", group.additions.len() as u64);
            report.count("groups", 1);
            let all = group.additions.last().is_some_and(|&op| complete.is_reached_by_all(&symbol.body, op));
            report.count("complete", u64::from(all));
            together(&mut symbol.body, group, all, loops);
        }
        Ok(Changed::from(!zeros.is_empty() || !groups.is_empty()))
    })
}

fn additions_of_zero(module: &Module, kernel: Name) -> Vec<OpId> {
    let Some(body) = module.get(kernel).map(|s| &s.body) else { return Vec::new() };
    let is_zero = |v: ValueId| arith::constant_of(body, v).is_some_and(|c| c.as_float() == Some(0.0));
    let found = body.walk_all().into_iter().filter(|&op| target(module, body, op).is_some());
    found.filter(|&op| is_zero(body.operand(op, 0))).collect()
}

fn groups(module: &Module, kernel: Name, summary: &Summary) -> Vec<Group> {
    let Some(body) = module.get(kernel).map(|s| &s.body) else { return Vec::new() };
    let wanted = |threads: &Threads<'_>, op: OpId| {
        target(module, body, op).filter(|_| threads.is_uniform(body.operand(op, 2), true)).map(|buffer| (buffer, None))
    };
    additions::groups(module, kernel, summary, &Gather { most: MOST, wanted: &wanted, passed: &|_| false })
}

/// Makes the additions, which stand in one block, where the last one stands. All lanes of the wave
/// are there, if it is known; else they are asked.
fn together(body: &mut Body, group: &Group, all: bool, loops: bool) {
    let ops = &group.additions;
    let Some(&last) = ops.last() else { return };
    let pairs: Vec<(ValueId, ValueId)> = ops.iter().map(|&op| (body.operand(op, 0), body.operand(op, 2))).collect();
    let buffer = body.operand(last, 1);
    let Some(mut b) = Builder::before(body, last) else { return };
    let values: Vec<ValueId> = pairs.iter().map(|p| p.0).collect();
    let some = additions::some(&mut b, &values);
    let any = simt::WaveVote::build(&mut b, some, &[], Type::i1(), &[("mode", Attr::string("any"))]);
    let outer = b.create(scf::If::DEF, &[any], &[], &[], 2);
    let then = empty_region(&mut b, outer, 0, &[]);
    empty_region(&mut b, outer, 1, &[]);
    let mut b = b.before_end(then);
    if all {
        of_complete_wave(&mut b, &pairs, buffer, &group.fields);
        ops.iter().for_each(|&op| body.erase_op(op));
        return;
    }
    let yes = arith::bool(&mut b, true);
    let lanes = simt::WaveBallot::build(&mut b, yes, &[], Type::i32(), &[]);
    let whole = arith::int(&mut b, -1, Type::i32());
    let complete = arith::cmpi(&mut b, IntPredicate::Eq, lanes, whole);
    let inner = b.create(scf::If::DEF, &[complete], &[], &[], 2);
    let whole = empty_region(&mut b, inner, 0, &[]);
    of_complete_wave(&mut b.before_end(whole), &pairs, buffer, &group.fields);
    let part = empty_region(&mut b, inner, 1, &[]);
    let mut p = b.before_end(part);
    if values.iter().all(|&v| p.ty(v).is_float()) {
        of_lanes_that_are_here(&mut p, &pairs, (buffer, &group.fields), loops);
    } else {
        // The machine has an instruction for these.
        for &(value, index) in &pairs {
            let sum = gpu::SubgroupReduce::build(&mut p, value, &[], &[("op", gpu::reduce_attr("add"))]);
            let first = simt::WaveElect::build(&mut p, &[], Type::i1(), &[]);
            add_if(&mut p, first, sum, (buffer, index), &group.fields);
        }
    }
    ops.iter().for_each(|&op| body.erase_op(op));
}

/// The first lane adds all sums. Lanes that have the same key, as all have here, share an exchange
/// of some of their values. Many are a loop, if their places are a row.
fn of_lanes_that_are_here(
    b: &mut Builder<'_>,
    pairs: &[(ValueId, ValueId)],
    (buffer, fields): (ValueId, &[i64]),
    loops: bool,
) {
    let (values, places): (Vec<ValueId>, Vec<ValueId>) = pairs.iter().copied().unzip();
    let row =
        (loops && pairs.len() > FEW && pairs.len().is_multiple_of(FEW)).then(|| Row::of(b.body, &places)).flatten();
    let Some((row, order)) = row else {
        for pairs in pairs.chunks(FEW) {
            let (values, places): (Vec<ValueId>, Vec<ValueId>) = pairs.iter().copied().unzip();
            exchange_and_add(b, &values, buffer, fields, &|_, n| places[n]);
        }
        return;
    };
    let sorted: Vec<ValueId> = order.into_iter().map(|n| values[n]).collect();
    let elem = b.ty(values[0]);
    let array = b.create_one(agg::Make::DEF, &sorted, agg::array_type(values.len() as u64, elem), &[]);
    let (_, inside) = cold_loop(b, (values.len() as i64, FEW as i64), &[]);
    let first = b.body.args(inside)[0];
    let b = &mut b.before_end(inside);
    let at = |b: &mut Builder<'_>, n: usize| {
        let n = arith::index(b, n as i64);
        arith::AddI::build(b, first, n, &[])
    };
    let some: Vec<ValueId> = (0..FEW)
        .map(|n| {
            let place = at(b, n);
            agg::Extract::build(b, array, &[place], elem, &[("path", Attr::i64_array(&[-1]))])
        })
        .collect();
    exchange_and_add(b, &some, buffer, fields, &|b, n| {
        let place = at(b, n);
        row.index(b, place)
    });
}

/// Adds the sums of values over the lanes that are here, each to its place.
fn exchange_and_add(
    b: &mut Builder<'_>,
    values: &[ValueId],
    buffer: ValueId,
    fields: &[i64],
    place: &dyn Fn(&mut Builder<'_>, usize) -> ValueId,
) {
    let (yes, key) = (arith::bool(b, true), arith::int(b, 0, Type::i32()));
    let types: Vec<Type> = std::iter::once(Type::i1()).chain(values.iter().map(|&v| b.ty(v))).collect();
    let op = b.create(simt::WaveSumsByKey::DEF, &[&[yes, key], values].concat(), &types, &[], 0);
    let results = b.body.results(op).to_vec();
    let branch = b.create(scf::If::DEF, &[results[0]], &[], &[], 2);
    let then = empty_region(b, branch, 0, &[]);
    empty_region(b, branch, 1, &[]);
    let mut t = b.before_end(then);
    for (n, &sum) in results[1..].iter().enumerate() {
        let place = place(&mut t, n);
        let op = additions::add(&mut t, sum, buffer, &[place], fields);
        t.body.set_attr(op, agg::GATHERED, Attr::unit());
    }
}

/// Each lane adds one of the sums, if it is the first of those that have it.
fn of_complete_wave(b: &mut Builder<'_>, pairs: &[(ValueId, ValueId)], buffer: ValueId, fields: &[i64]) {
    let values: Vec<ValueId> = pairs.iter().map(|p| p.0).collect();
    let ty = b.ty(values[0]);
    let sum = b.create_one(simt::WaveSums::DEF, &values, ty, &[(simt::COMPLETE, Attr::unit())]);
    let lanes = simt::lanes_of_sum(pairs.len()) as i64;
    let lane = b.create_one(gpu::LaneId::DEF, &[], Type::index(), &[]);
    // The place of the lane's own sum, by the bits of its number.
    let mut places = places_of(pairs);
    let mut bit = lanes;
    while places.len() > 1 {
        let is_odd = has_bits(b, lane, bit, IntPredicate::Ne);
        places = places.chunks(2).map(|p| arith::Select::build(b, is_odd, p[1], p[0], &[])).collect();
        bit *= 2;
    }
    let first = has_bits(b, lane, lanes - 1, IntPredicate::Eq);
    let count = arith::index(b, lanes * pairs.len() as i64);
    let exists = arith::cmpi(b, IntPredicate::Ult, lane, count);
    let leads = arith::AndI::build(b, first, exists, &[]);
    add_if(b, leads, sum, (buffer, places[0]), fields);
}

/// The places of sums, a power of two of them.
#[mutant(Site::WavesPlaces => vec![pairs[0].1; pairs.len().next_power_of_two()])]
fn places_of(pairs: &[(ValueId, ValueId)]) -> Vec<ValueId> {
    let mut places: Vec<ValueId> = pairs.iter().map(|p| p.1).collect();
    places.resize(pairs.len().next_power_of_two(), pairs[0].1);
    places
}

/// How the bits of `mask` in `lane` compare with zero.
fn has_bits(b: &mut Builder<'_>, lane: ValueId, mask: i64, predicate: IntPredicate) -> ValueId {
    let (mask, zero) = (arith::index(b, mask), arith::index(b, 0));
    let bits = arith::AndI::build(b, lane, mask, &[]);
    arith::cmpi(b, predicate, bits, zero)
}

/// Adds to an element of a buffer.
fn add_if(b: &mut Builder<'_>, condition: ValueId, sum: ValueId, (buffer, index): (ValueId, ValueId), fields: &[i64]) {
    let branch = b.create(scf::If::DEF, &[condition], &[], &[], 2);
    let then = empty_region(b, branch, 0, &[]);
    empty_region(b, branch, 1, &[]);
    let mut t = b.before_end(then);
    let op = additions::add(&mut t, sum, buffer, &[index], fields);
    t.body.set_attr(op, agg::GATHERED, Attr::unit());
}
