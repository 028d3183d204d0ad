//! Whether a zero among the tangents that a function returns is always one that was computed.
//!
//! This holds if the function has no control flow that decides about tangents, and if each tangent
//! that comes in, a scalar, reaches each result that it has a part in on every way through the
//! function: both sides of a branch use it. Loops are not looked into.
//!
//! Invariant: errs on the side of zeros that control flow made.

use super::Facts;
use caustic_dialects::ad::{self, LinearView as L, is_tangent, strip_tangent};
use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, OpId, ValueId};
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
    let Some(entry) = body.entry() else { return false };
    let Some(end) = body.terminator(entry) else { return false };
    let inputs: Vec<ValueId> = body.args(entry).iter().copied().filter(|&v| is_tangent(body.ty(v))).collect();
    inputs.iter().all(|&input| {
        let mut flow = Flow { body, facts, touched: FxHashSet::default(), reached: FxHashSet::default() };
        flow.touched.insert(input);
        flow.reached.insert(input);
        flow.block(entry);
        let is_known = |v: &ValueId| !flow.touched.contains(v) || flow.reached.contains(v);
        strip_tangent(body.ty(input)).is_scalar() && body.operands(end).iter().all(is_known)
    })
}

/// How one input's tangent flows.
struct Flow<'a> {
    body: &'a Body,
    facts: &'a Facts<'a>,
    /// The tangents that the input may have a part in.
    touched: FxHashSet<ValueId>,
    /// The tangents that it has a part in on every way, in all of their scalars.
    reached: FxHashSet<ValueId>,
}

impl Flow<'_> {
    fn block(&mut self, block: BlockId) {
        for op in self.body.block_ops(block) {
            self.op(op);
        }
    }

    fn op(&mut self, op: OpId) {
        let body = self.body;
        let results = body.results(op);
        let ends: Vec<OpId> = (0..body.op(op).regions.len())
            .filter_map(|k| body.region_block(op, k))
            .filter_map(|block| {
                self.block(block);
                body.terminator(block)
            })
            .collect();
        if !ends.is_empty() {
            let is_branch = scf::If::is(body, op) || scf::IndexSwitch::is(body, op);
            let all_touch = body.operands(op).iter().any(|v| self.touched.contains(v));
            for (i, &result) in results.iter().enumerate().filter(|&(_, &r)| is_tangent(body.ty(r))) {
                let yielded: Vec<Option<&ValueId>> = ends.iter().map(|&end| body.operands(end).get(i)).collect();
                let is_in = |set: &FxHashSet<ValueId>, v: &Option<&ValueId>| v.is_some_and(|v| set.contains(v));
                // What a loop yields also comes round again.
                if !is_branch && (all_touch || self.touches_inside(op))
                    || yielded.iter().any(|v| is_in(&self.touched, v))
                {
                    self.touched.insert(result);
                }
                if is_branch && yielded.iter().all(|v| is_in(&self.reached, v)) {
                    self.reached.insert(result);
                }
            }
            return;
        }
        let tangents: Vec<ValueId> = body.operands(op).iter().copied().filter(|&v| is_tangent(body.ty(v))).collect();
        if !tangents.iter().any(|v| self.touched.contains(v)) {
            return;
        }
        self.touched.extend(results.iter().copied().filter(|&r| is_tangent(body.ty(r))));
        let all = tangents.iter().all(|v| self.reached.contains(v));
        let reaches = match L::of(body, op) {
            Some(L::TAdd(_)) => tangents.iter().any(|v| self.reached.contains(v)),
            // A partial that is strong may hold back what comes as an infinity.
            Some(L::TScale(_)) => all && ad::Strong::of(body, op).is_none(),
            Some(L::TNeg(_) | L::TCast(_) | L::TSelect(_) | L::TSplat(_) | L::TSum(_)) => all,
            _ => all && ad::JvpCall::is(body, op) && self.facts.callee(body, op).straight,
        };
        if reaches {
            self.reached.extend(results.iter().copied().filter(|&r| is_tangent(body.ty(r))));
        }
    }

    /// Whether a loop uses a tangent of the input from outside.
    fn touches_inside(&self, op: OpId) -> bool {
        let body = self.body;
        let inside = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
        inside.flat_map(|o| body.operands(o)).any(|v| self.touched.contains(v))
    }
}
