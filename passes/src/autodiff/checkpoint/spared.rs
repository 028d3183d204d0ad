//! What the primal half of a reverse derivative need not compute for itself.
//!
//! Of a function that nothing but its derivative is asked of, the value is of no use. What leads to
//! it and to no effect may be computed in the linear half alone, where that needs it: then doing so
//! is no work that is done again. What the linear half can only have by storing it, as the state of
//! a loop, the primal half computes in any case.
//!
//! Costs only: nothing is decided here.

use super::Facts;
use crate::analysis::liveness::Liveness;
use crate::autodiff::unzip::needs::{Needs, is_linear, is_recomputed};
use caustic_dialects::ad::is_tangent;
use caustic_dialects::carried::bounds;
use caustic_dialects::scf;
use caustic_ir::{Body, OpId, ValueDef, ValueId};

/// What the primal half computes if `marked` says what is computed again.
pub fn computed(marked: &Body, facts: &Facts<'_>) -> Liveness {
    let needs = Needs::of(marked);
    let again = |v: ValueId| matches!(marked.def(v), ValueDef::Result { op, .. } if is_recomputed(marked, op));
    let is_kept = |v: ValueId| needs.is_needed(v) && !is_tangent(marked.ty(v)) && !again(v);
    of_roots(marked, facts, is_kept)
}

/// The ops that the primal half computes whatever is chosen to be computed again. `may_run_again`
/// says what can be.
pub fn computed_anyway(body: &Body, facts: &Facts<'_>, may_run_again: &dyn Fn(OpId) -> bool) -> Liveness {
    // As if all were computed again that can be.
    let mut needed = vec![false; body.num_values()];
    let mut work: Vec<ValueId> = Vec::new();
    for op in body.walk_all().into_iter().filter(|&op| !body.op(op).def.is_terminator()) {
        let reads = match body.op(op).regions.is_empty() {
            true if is_linear(body, op) => body.operands(op),
            false if body.results(op).iter().any(|&r| is_tangent(body.ty(r))) => decides(body, op),
            _ => continue,
        };
        work.extend(reads.iter().filter(|&&v| !is_tangent(body.ty(v))));
    }
    let mut kept = vec![false; body.num_values()];
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut needed[value.index()], true) {
            continue;
        }
        match body.def(value) {
            ValueDef::Result { op, .. } if may_run_again(op) => {
                let inside = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
                let reads = inside.chain([op]).flat_map(|op| body.operands(op).to_vec());
                work.extend(reads.filter(|&v| !is_tangent(body.ty(v))));
            }
            _ => kept[value.index()] = true,
        }
    }
    of_roots(body, facts, |v| kept[v.index()])
}

/// What decides whether, or how often, the linear part of an op with regions runs. The one of a
/// `while` counts.
fn decides(body: &Body, op: OpId) -> &[ValueId] {
    match () {
        _ if scf::For::is(body, op) => bounds(body, op),
        _ if scf::While::is(body, op) => &[],
        _ => body.operands(op),
    }
}

fn of_roots(body: &Body, facts: &Facts<'_>, is_kept: impl Fn(ValueId) -> bool) -> Liveness {
    let is_root = |op: OpId| match body.op(op).def.is_terminator() {
        true => facts.value_is_used && body.op(op).block.is_some_and(|b| body.parent_op(b).is_none()),
        false => body.op(op).regions.is_empty() && facts.has_effects(op),
    };
    let args = |op: OpId| {
        let blocks = body.op(op).regions.iter().flat_map(|&r| &body.region(r).blocks);
        blocks.flat_map(|&b| body.args(b).to_vec()).collect::<Vec<_>>()
    };
    let values = body.walk_all().into_iter().flat_map(|op| [body.results(op).to_vec(), args(op)].concat());
    let roots: Vec<ValueId> = values.filter(|&v| is_kept(v)).collect();
    Liveness::of(body, &is_root, &roots)
}
