//! Whether a zero among the tangents that a function returns is always one that was computed.
//!
//! This holds if the function has no control flow that decides about tangents, and if each tangent
//! that comes in, a scalar, reaches each result that it has a part in on every way through the
//! function: both sides of a branch use it, and a loop begins with it or surely runs.
//!
//! Invariant: errs on the side of zeros that control flow made.

use super::Facts;
use crate::autodiff::reach::ways;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, LinearView as L, is_tangent, strip_tangent};
use caustic_ir::{Body, OpId, ValueId};
use rustc_hash::FxHashSet;

pub(super) fn is_straight(body: &Body, facts: &Facts<'_>) -> bool {
    has_no_choice(body, facts) || each_input_reaches_all(body, facts)
}

/// Whether no condition decides about a function's tangents.
fn has_no_choice(body: &Body, facts: &Facts<'_>) -> bool {
    body.all_ops().all(|op| match () {
        _ if ad::JvpCall::is(body, op) => facts.callee(body, op).straight,
        _ if ad::TSelect::is(body, op) => false,
        _ => body.op(op).regions.is_empty() || !body.results(op).iter().any(|&r| is_tangent(body.ty(r))),
    })
}

fn each_input_reaches_all(body: &Body, facts: &Facts<'_>) -> bool {
    let Some(end) = body.entry().and_then(|entry| body.terminator(entry)) else { return false };
    let inputs = body.entry().map(|entry| body.args(entry)).unwrap_or_default();
    let ops = body.walk_all();
    inputs.iter().filter(|&&v| is_tangent(body.ty(v))).all(|&input| {
        let flow = Flow::of(body, facts, &ops, &[input]);
        let is_known = |v: &ValueId| !flow.touched.contains(v) || flow.reached.contains(v);
        strip_tangent(body.ty(input)).is_scalar() && body.operands(end).iter().all(is_known)
    })
}

/// The tangents in an op with regions, and among its results, in which a scalar from outside has a
/// part on every way. `seeds` are the tangents that are this scalar.
#[mutant(Site::CarryReached => body.results(op).iter().copied().collect())]
pub(super) fn surely_reached(body: &Body, facts: &Facts<'_>, op: OpId, seeds: &[ValueId]) -> FxHashSet<ValueId> {
    let mut ops: Vec<OpId> = body.op(op).regions.iter().flat_map(|&region| body.walk(region)).collect();
    ops.push(op);
    Flow::of(body, facts, &ops, seeds).reached
}

/// How the tangent of one scalar flows.
struct Flow {
    /// The tangents that the scalar may have a part in.
    touched: FxHashSet<ValueId>,
    /// The tangents that it has a part in on every way, in all of their scalars.
    reached: FxHashSet<ValueId>,
}

impl Flow {
    /// The flow through these ops, with those in their regions.
    fn of(body: &Body, facts: &Facts<'_>, ops: &[OpId], seeds: &[ValueId]) -> Flow {
        let tangents = |op: OpId| body.results(op).iter().copied().filter(|&v| is_tangent(body.ty(v)));
        let mut ways_in: Vec<(ValueId, Vec<ValueId>)> = Vec::new();
        let mut plain: Vec<OpId> = Vec::new();
        for &op in ops {
            match body.op(op).regions.is_empty() {
                true if tangents(op).next().is_some() => plain.push(op),
                true => {}
                false => ways_in
                    .extend(ways(body, op).into_iter().filter(|w| is_tangent(body.ty(w.to))).map(|w| (w.to, w.from))),
            }
        }
        let seeds: FxHashSet<ValueId> = seeds.iter().copied().collect();
        let mut flow = Flow { touched: seeds.clone(), reached: FxHashSet::default() };
        loop {
            let before = flow.touched.len();
            for &op in &plain {
                if body.operands(op).iter().any(|v| flow.touched.contains(v)) {
                    flow.touched.extend(tangents(op));
                }
            }
            for (to, from) in &ways_in {
                if from.iter().any(|v| flow.touched.contains(v)) {
                    flow.touched.insert(*to);
                }
            }
            if flow.touched.len() == before {
                break;
            }
        }
        // What comes round in a loop is assumed to be reached until something speaks against it.
        flow.reached = flow.touched.clone();
        loop {
            let before = flow.reached.len();
            for &op in &plain {
                if !flow.reaches(body, facts, op) {
                    flow.reached.retain(|v| seeds.contains(v) || !body.results(op).contains(v));
                }
            }
            for (to, from) in &ways_in {
                if !from.iter().all(|v| flow.reached.contains(v)) {
                    flow.reached.remove(to);
                }
            }
            if flow.reached.len() == before {
                return flow;
            }
        }
    }

    /// Whether what is reached so far reaches all that an op without regions gives.
    fn reaches(&self, body: &Body, facts: &Facts<'_>, op: OpId) -> bool {
        let tangents: Vec<ValueId> = body.operands(op).iter().copied().filter(|&v| is_tangent(body.ty(v))).collect();
        let all = !tangents.is_empty() && tangents.iter().all(|v| self.reached.contains(v));
        match L::of(body, op) {
            Some(L::TAdd(_)) => tangents.iter().any(|v| self.reached.contains(v)),
            // A partial that is strong may hold back what comes as an infinity.
            Some(L::TScale(_)) => all && ad::Strong::of(body, op).is_none(),
            Some(L::TNeg(_) | L::TCast(_) | L::TSelect(_) | L::TSplat(_) | L::TSum(_) | L::TMake(_)) => all,
            // What is read at an index out of range is an exact zero.
            Some(L::TExtract(_)) => all && body.operands(op).len() == 1,
            _ => all && ad::JvpCall::is(body, op) && facts.callee(body, op).straight,
        }
    }
}
