//! Which loops marked `unroll = "force"` stay loops all the same.
//!
//! Derivatives of straight-line code keep what each copy computed until the end, where those of a
//! loop compute it again, one iteration at a time. So a loop stays if it is long, and nothing that
//! unrolling makes known matters to it: its iterations are independent of each other but for sums,
//! no array is indexed by its counter, and no condition is of counters alone.
//!
//! Invariant: errs on the side of unrolling. Both compute the same.

use crate::analysis::access::{Step, read_of, write_of};
use crate::analysis::consts::Constants;
use caustic_dialects::agg::needs_storage;
use caustic_dialects::carried::{BOUNDS, ForParts};
use caustic_dialects::{arith, func, scf};
use caustic_ir::{BlockId, Body, OpId, SymbolOp, ValueId};
use rustc_hash::FxHashSet;

/// Ops that unrolling may make of a loop that could stay.
const MOST: u64 = 512;
/// What a call counts for: its callee is not looked at.
const CALL: u64 = 24;

/// Takes the mark off loops that stay; how many there are.
pub fn unmark(symbol: &mut SymbolOp) -> u64 {
    let body = &mut symbol.body;
    let mut kept = 0;
    // Loops in a loop that is unrolled are unrolled with it.
    let mut work: Vec<OpId> = body.entry().map(|entry| body.block_ops(entry)).unwrap_or_default();
    while let Some(op) = work.pop() {
        if is_marked(body, op) {
            if !stays(body, op) {
                continue;
            }
            body.remove_attr(op, "unroll");
            kept += 1;
        }
        let blocks: Vec<BlockId> = body.op(op).regions.iter().flat_map(|&r| body.region(r).blocks.clone()).collect();
        work.extend(blocks.into_iter().flat_map(|block| body.block_ops(block)));
    }
    kept
}

fn is_marked(body: &Body, op: OpId) -> bool {
    scf::unroll(body, op) == Some("force")
}

fn trips(body: &Body, op: OpId) -> Option<u64> {
    Constants::default().trips(body, op).map(|trips| trips as u64)
}

fn stays(body: &Body, op: OpId) -> bool {
    let Some((parts, trips)) = ForParts::of(body, op).zip(trips(body, op)) else { return false };
    size(body, op).saturating_mul(trips) > MOST
        && (0..parts.carried).all(|k| is_sum(body, op, k))
        && body.args(parts.body).first().is_some_and(|&counter| is_only_counted(body, op, counter))
}

/// How many ops one iteration is, if marked loops in it are unrolled.
fn size(body: &Body, op: OpId) -> u64 {
    let blocks = body.op(op).regions.iter().flat_map(|&r| body.region(r).blocks.iter());
    let ops = blocks.flat_map(|&block| body.block_ops(block));
    ops.map(|inner| {
        let own = if func::Call::is(body, inner) { CALL } else { 1 };
        let times = if is_marked(body, inner) { trips(body, inner).unwrap_or(1) } else { 1 };
        own + times.saturating_mul(size(body, inner))
    })
    .fold(0, u64::saturating_add)
}

/// Whether iterations only add to what a loop carries in this place.
fn is_sum(body: &Body, op: OpId, place: usize) -> bool {
    let Some(parts) = ForParts::of(body, op) else { return false };
    let mut work = vec![body.args(parts.body)[1 + place]];
    let mut sums: FxHashSet<ValueId> = work.iter().copied().collect();
    while let Some(value) = work.pop() {
        for u in body.uses(value) {
            let index = u.index as usize;
            let results = body.results(u.op);
            let next = match () {
                _ if u.op == parts.end => (index == place).then_some(None),
                _ if arith::AddF::is(body, u.op) || arith::AddI::is(body, u.op) => Some(results.first().copied()),
                _ if arith::SubF::is(body, u.op) || arith::SubI::is(body, u.op) => {
                    (index == 0).then(|| results.first().copied())
                }
                _ if scf::Yield::is(body, u.op) => {
                    let around = body.op(u.op).block.and_then(|b| body.parent_op(b));
                    around.map(|around| body.results(around).get(index).copied())
                }
                _ => match ForParts::of(body, u.op).filter(|_| index >= BOUNDS) {
                    Some(inner) => {
                        let carried = body.args(inner.body)[1 + index - BOUNDS];
                        work.extend(sums.insert(carried).then_some(carried));
                        Some(results.get(index - BOUNDS).copied())
                    }
                    None => None,
                },
            };
            let Some(next) = next else { return false };
            work.extend(next.filter(|&v| sums.insert(v)));
        }
    }
    // What is added must not be a sum itself, and what the loop carries on is this one.
    let adds = |&v: &ValueId| {
        let Some(op) = body.def_op(v).filter(|&op| !scf::If::is(body, op) && !scf::For::is(body, op)) else {
            return true;
        };
        body.operands(op).iter().filter(|o| sums.contains(o)).count() == 1
    };
    sums.iter().all(adds) && body.operands(parts.end).get(place).is_some_and(|v| sums.contains(v))
}

/// Whether nothing in a loop would be simpler if its counter were a constant, but numbers.
fn is_only_counted(body: &Body, op: OpId, counter: ValueId) -> bool {
    // What depends on the counter, and what depends on nothing that the program computes besides.
    let mut depends: FxHashSet<ValueId> = FxHashSet::from_iter([counter]);
    let mut known = depends.clone();
    let inside: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
    for &inner in &inside {
        if let Some(parts) = ForParts::of(body, inner).filter(|_| is_marked(body, inner)) {
            let counter = body.args(parts.body)[0];
            depends.insert(counter);
            known.insert(counter);
        }
    }
    inside.iter().all(|&inner| {
        let operands = body.operands(inner);
        let touched = operands.iter().any(|v| depends.contains(v));
        let constant = |v: &ValueId| known.contains(v) || arith::constant_of(body, *v).is_some();
        if body.op(inner).def.is_pure() && body.op(inner).regions.is_empty() && touched {
            depends.extend(body.results(inner));
            if operands.iter().all(constant) {
                known.extend(body.results(inner));
            }
        }
        let is_choice = scf::If::is(body, inner) || arith::Select::is(body, inner) || scf::IndexSwitch::is(body, inner);
        let indexed = |path: Vec<Step>| path.iter().any(|s| matches!(s, Step::By(v) if depends.contains(v)));
        let in_array = read_of(body, inner).is_some_and(|r| indexed(r.path))
            || write_of(body, inner).is_some_and(|w| indexed(w.path))
            || touched && operands.iter().any(|&v| needs_storage(body.ty(v)));
        !(is_choice && known.contains(&operands[0])) && !in_array
    })
}
