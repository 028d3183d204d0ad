//! `warp-aggregate-atomics`: what lanes of a wave add to places of their own, of which some are the
//! same, comes together first.
//!
//! The memory of a group adds floats by comparing and swapping, so that lanes that add to one
//! element take turns, each turn a loop of its own; the memory of the device takes additions to one
//! element one after the other, too. So lanes that add to the same element, *peers*, exchange what
//! they have, and one of them adds the sum ([`simt::WaveSumsByKey`]). Additions beside each other
//! whose places differ by constants (the channels of a colour) share the search for peers and its
//! rounds. Lanes that add zero take no part.
//!
//! Nobody knows whether lanes share places; where none do, the search is what it costs, 3 % of a
//! kernel that does nothing but adding to the memory of the device (docs/evidence.md). Places that
//! follow the lanes' numbers (sums, multiples, bounds) are taken for different ones. Integers stay:
//! both memories add them by one instruction.
//!
//! Right if nobody can tell: nobody reads what the addition found, and an addition moves down only
//! past what does nothing to its buffer. Sums of floats come in another order, as those of atomic
//! additions do anyway. The pass works on kernels after inlining, behind `warp-reduce-atomics`.

use super::additions::{self, Gather, Group, target};
use super::lift::is_addition_at_all;
use super::tiles;
use crate::analysis::effects::Summary;

use crate::analysis::threads::Threads;
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::passes;
use caustic_dialects::scf::empty_region;
use caustic_dialects::simt;
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, Type, ValueId};
use rustc_hash::FxHashSet;

/// Additions that become one op: as many values are exchanged in each round.
const MOST: usize = 8;

passes! {
    /// Adds up what lanes of a wave add to the same elements of a buffer, where each lane has a
    /// place of its own.
    ///
    /// For atomic additions of floats whose old value is not used, to elements that do not follow
    /// the threads' numbers.
    pub static WARP_AGGREGATE_ATOMICS: "warp-aggregate-atomics" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [
            ("additions", "additions that are made for lanes with the same place"),
            ("groups", "ops that they became"),
        ],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let groups = groups(module, kernel, &summary);
        let Some(symbol) = module.get_mut(kernel) else { return Ok(Changed::No) };
        for group in &groups {
            report.count("additions", group.additions.len() as u64);
            report.count("groups", 1);
            together(&mut symbol.body, group);
        }
        Ok(Changed::from(!groups.is_empty()))
    })
}

/// The buffers of a kernel that get a copy in the memory of a group, and to which lanes with the
/// same place add together: it is worth having all lanes there.
pub(super) fn together_in_group(module: &Module, kernel: Name) -> FxHashSet<Name> {
    let tiled = tiles::buffers(module, kernel).into_iter();
    tiled.filter(|(_, added)| added.scalar.is_float()).map(|(name, _)| name).collect()
}

fn groups(module: &Module, kernel: Name, summary: &Summary) -> Vec<Group> {
    let Some(body) = module.get(kernel).map(|s| &s.body) else { return Vec::new() };
    let wanted = |threads: &Threads<'_>, op: OpId| {
        let buffer = target(module, body, op)?;
        let place = body.operand(op, 2);
        let suits = body.ty(body.operand(op, 0)).is_float()
            && body.attr(op, agg::GATHERED).is_none()
            && !threads.is_uniform(place, true)
            && !threads.follows_lanes(place);
        suits.then(|| (buffer, Some(key_of(body, place))))
    };
    let passed = |op: OpId| is_addition_at_all(body, op);
    additions::groups(module, kernel, summary, &Gather { most: MOST, wanted: &wanted, passed: &passed })
}

/// What a place is made of, but for constants that are added: places of two lanes are the same if
/// and only if these are, since sums wrap and what is converted keeps all of its bits.
fn key_of(body: &Body, place: ValueId) -> ValueId {
    let step = |value: ValueId| {
        let op = body.def_op(value)?;
        let is_cast = arith::IndexCast::is(body, op) || arith::IndexCastUI::is(body, op);
        let adds = arith::AddI::is(body, op) && arith::constant_of(body, body.operand(op, 1)).is_some();
        let widens = || bits(body.ty(value)) >= bits(body.ty(body.operand(op, 0)));
        (adds || is_cast && widens()).then(|| body.operand(op, 0))
    };
    let mut value = place;
    while let Some(next) = step(value) {
        value = next;
    }
    value
}

/// How many bits tell numbers of a type apart.
fn bits(ty: Type) -> u32 {
    ty.scalar_bits().unwrap_or(64)
}

/// Makes the additions, which stand in one block, where the last one stands.
fn together(body: &mut Body, group: &Group) {
    let ops = &group.additions;
    let (Some(&last), Some(key)) = (ops.last(), group.key) else { return };
    let (values, places): (Vec<ValueId>, Vec<ValueId>) =
        ops.iter().map(|&op| (body.operand(op, 0), body.operand(op, 2))).unzip();
    let buffer = body.operand(last, 1);
    let Some(mut b) = Builder::before(body, last) else { return };
    let takes = additions::some(&mut b, &values);
    let any = simt::WaveVote::build(&mut b, takes, &[], Type::i1(), &[("mode", Attr::string("any"))]);
    let outer = b.create(scf::If::DEF, &[any], &[], &[], 2);
    let then = empty_region(&mut b, outer, 0, &[]);
    empty_region(&mut b, outer, 1, &[]);
    let mut b = b.before_end(then);
    let operands = [&[takes, key], &values[..]].concat();
    let types: Vec<Type> = std::iter::once(Type::i1()).chain(values.iter().map(|&v| b.ty(v))).collect();
    let op = b.create(simt::WaveSumsByKey::DEF, &operands, &types, &[], 0);
    let results = b.body.results(op).to_vec();
    let branch = b.create(scf::If::DEF, &[results[0]], &[], &[], 2);
    let then = empty_region(&mut b, branch, 0, &[]);
    empty_region(&mut b, branch, 1, &[]);
    let mut t = b.before_end(then);
    for (&sum, &place) in results[1..].iter().zip(&places) {
        additions::add(&mut t, sum, buffer, &[place], &group.fields);
    }
    ops.iter().for_each(|&op| body.erase_op(op));
}
