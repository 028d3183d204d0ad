//! `hoist-atomics`: additions to one place leave the branches that only some threads take.
//!
//! What comes to an addition decides how well it can be brought together: threads that became one
//! (`coarsen`) and lanes of a wave (`warp-reduce-atomics`) have to come to it together. So an
//! addition in a branch of an `scf.if` whose condition differs between threads moves behind the
//! `if`, if all threads add to the same place, and threads that did not come to it add zero. Two
//! branches that add to one place make one addition.
//!
//! Right if nobody can tell: the old value is not used, nothing in the branch behind the addition
//! touches its buffer, and of zeros nothing comes but, at most, the sign of a zero that was there.
//! The pass works on kernels after inlining; what it leaves are groups of additions beside each
//! other, which a wave in which all are zero jumps over.

use super::additions::{self, is_addition, leaves_alone, target};
use super::peers;
use crate::analysis::access::build_zero;
use crate::analysis::effects::Summary;
use crate::analysis::kernels::numthreads;
use crate::analysis::threads::Threads;
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::carried::{branch_ends, defined_outside};
use caustic_dialects::simt::WAVE_SIZE;
use caustic_dialects::{agg, scf};
use caustic_ir::{Body, Builder, Cloner, Module, Name, OpId, ValueId};
use rustc_hash::FxHashSet;

/// Ops that may be needed to find the place that is added to.
const PLACE: usize = 8;

passes! {
    /// Moves additions that all threads make to the same place out of branches that only some of
    /// them take.
    pub static HOIST_ATOMICS: "hoist-atomics" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("additions", "additions that moved out of a branch")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let mut changed = false;
        let Some(symbol) = module.get(kernel) else { return Ok(Changed::No) };
        let (threads, ops) = (numthreads(symbol), symbol.body.walk_all());
        if threads.iter().product::<i64>() < i64::from(WAVE_SIZE) {
            return Ok(Changed::No);
        }
        let own = peers::together_in_group(module, kernel);
        // From the inside out, so that an addition leaves all branches around it.
        for branch in ops.into_iter().rev() {
            let found = additions_of(module, kernel, branch, (threads, &own), &summary);
            let Some(symbol) = module.get_mut(kernel).filter(|_| !found.is_empty()) else { continue };
            report.count("additions", found.iter().flatten().count() as u64);
            lift(&mut symbol.body, branch, &found);
            changed = true;
        }
        Ok(Changed::from(changed))
    })
}

/// The additions of both branches of an `scf.if` that may leave it: those to one place together,
/// one of each branch at most.
fn additions_of(
    module: &Module,
    kernel: Name,
    branch: OpId,
    (numthreads, own): ([i64; 3], &FxHashSet<Name>),
    summary: &Summary,
) -> Vec<[Option<OpId>; 2]> {
    let Some(body) = module.get(kernel).map(|s| &s.body) else { return Vec::new() };
    if body.is_erased(branch) || !scf::If::is(body, branch) || branch_ends(body, branch).is_none() {
        return Vec::new();
    }
    let constant = |name: Name| !summary.is_written(name);
    let threads = Threads { body, numthreads, constant: &constant };
    if threads.is_uniform(body.operand(branch, 0), true) {
        return Vec::new();
    }
    let mut found: Vec<[Option<OpId>; 2]> = Vec::new();
    for side in 0..2 {
        let Some(block) = body.region_block(branch, side) else { continue };
        let ops = body.block_ops(block);
        for (n, &op) in ops.iter().enumerate() {
            let Some(buffer) = target(module, body, op) else { continue };
            let place = &body.operands(op)[1..];
            let suits = made_of_outside(body, place, branch).is_some()
                && (own.contains(&buffer) || threads.is_uniform(place[1], true))
                && ops[n + 1..].iter().all(|&o| is_addition_at_all(body, o) || leaves_alone(body, summary, o, buffer));
            if !suits {
                continue;
            }
            let same = |pair: &&mut [Option<OpId>; 2]| {
                side == 1 && pair[1].is_none() && pair[0].is_some_and(|first| same_place(body, first, op))
            };
            match found.iter_mut().find(same) {
                Some(pair) => pair[1] = Some(op),
                None if side == 0 => found.push([Some(op), None]),
                None => found.push([None, Some(op)]),
            }
        }
    }
    found
}

/// An addition may stand before another one of the same buffer: sums come in any order.
pub(super) fn is_addition_at_all(body: &Body, op: OpId) -> bool {
    body.operands(op).get(1).is_some_and(|&buffer| is_addition(body, op, buffer))
}

pub(super) fn same_place(body: &Body, a: OpId, b: OpId) -> bool {
    let (x, y) = (body.operands(a), body.operands(b));
    let places = x.len() == y.len() && x[1..].iter().zip(&y[1..]).all(|(&x, &y)| same_value(body, x, y, PLACE));
    places && additions::fields(body, a) == additions::fields(body, b)
}

/// Whether two values are computed alike by at most so many steps.
fn same_value(body: &Body, a: ValueId, b: ValueId, steps: usize) -> bool {
    if a == b {
        return true;
    }
    let (Some(x), Some(y), Some(steps)) = (body.def_op(a), body.def_op(b), steps.checked_sub(1)) else { return false };
    let (p, q) = (body.op(x), body.op(y));
    std::ptr::eq(p.def, q.def)
        && p.attrs == q.attrs
        && p.results.len() == 1
        && is_free(body, x)
        && p.operands.len() == q.operands.len()
        && p.operands.iter().zip(&q.operands).all(|(&a, &b)| same_value(body, a, b, steps))
}

fn is_free(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    data.regions.is_empty() && (data.def.is_pure() || agg::Global::is(body, op))
}

/// The few ops in an op's regions, in order, that compute `values` from what stands outside of it.
pub(super) fn made_of_outside(body: &Body, values: &[ValueId], branch: OpId) -> Option<Vec<OpId>> {
    let mut found: Vec<OpId> = Vec::new();
    let mut work: Vec<ValueId> = values.to_vec();
    while let Some(value) = work.pop() {
        if defined_outside(body, value, branch) {
            continue;
        }
        let op = body.def_op(value).filter(|&op| is_free(body, op))?;
        // What is read by more than one comes before all of them.
        found.retain(|&o| o != op);
        found.push(op);
        if found.len() > PLACE {
            return None;
        }
        work.extend(body.operands(op));
    }
    found.reverse();
    Some(found)
}

/// The addition of a pair that stands in a branch.
#[mutant(Site::LiftOther if side == 1 => None)]
fn addition_in(pair: &[Option<OpId>; 2], side: usize) -> Option<OpId> {
    pair[side]
}

/// Makes additions behind the branch, of what it gives for them.
fn lift(body: &mut Body, branch: OpId, found: &[[Option<OpId>; 2]]) {
    let Some(block) = body.op(branch).block else { return };
    let (next, loc) = (body.next_op(branch), body.loc(branch));
    for side in 0..2 {
        if body.region_block(branch, side).is_none() {
            let region = body.op(branch).regions[side];
            let empty = body.add_block(region, &[]);
            scf::Yield::build(&mut Builder::at_end(body, empty, loc), &[], &[]);
        }
    }
    let Some(ends) = branch_ends(body, branch).filter(|ends| ends.len() == 2) else { return };
    for pair in found {
        let Some(one) = pair[0].or(pair[1]) else { continue };
        let (ty, at) = (body.ty(body.operand(one, 0)), body.loc(one));
        let (place, fields) = (body.operands(one)[1..].to_vec(), additions::fields(body, one));
        let Some(steps) = made_of_outside(body, &place, branch) else { continue };
        for (side, &end) in ends.iter().enumerate() {
            let value: ValueId = match addition_in(pair, side) {
                Some(op) => body.operand(op, 0),
                None => match Builder::before(body, end) {
                    Some(mut b) => build_zero(&mut b, ty),
                    None => return,
                },
            };
            let values = [body.operands(end), &[value]].concat();
            body.set_operands(end, &values);
        }
        let sum = body.add_result(branch, ty);
        let mut outside = Cloner::new();
        for step in steps {
            outside.clone_within(body, step, block, next);
        }
        let place: Vec<ValueId> = place.into_iter().map(|v| outside.get(v)).collect();
        additions::add(&mut Builder { body, block, before: next, loc: at }, sum, place[0], &place[1..], &fields);
        pair.iter().flatten().for_each(|&op| body.erase_op(op));
    }
}
