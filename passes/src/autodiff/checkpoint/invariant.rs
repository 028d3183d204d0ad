//! What a loop computes anew in each iteration though it is the same in all of them: it is stored
//! once, as the last iteration left it.
//!
//! An op that stands in the loop's body, or in a branch of it, and only computes, from what is
//! outside of the loop or the same in each iteration itself. It may stay where it is: a loop that
//! does not run needs no value, and its linear counterpart asks for none. What a branch of the body
//! computes is kept over iterations that do not reach it.

use super::Facts;
use crate::analysis::costs;
use crate::autodiff::unzip::needs::free_values;
use caustic_dialects::ad::is_tangent;
use caustic_dialects::scf;
use caustic_dialects::signature::holds_handle;
use caustic_ir::{BlockId, Body, OpId, ValueDef, ValueId};
use rustc_hash::FxHashSet;

/// The ops whose primal results are the same in each iteration of the loop in whose body they
/// stand.
pub fn of(body: &Body, facts: &Facts<'_>) -> FxHashSet<OpId> {
    let mut found: FxHashSet<OpId> = FxHashSet::default();
    for op in body.walk_all() {
        let data = body.op(op);
        let Some(home) =
            data.block.and_then(|b| home(body, b)).filter(|_| !data.def.is_terminator() && facts.may_run_again(op))
        else {
            continue;
        };
        let same = |v: &ValueId| match body.def(*v) {
            ValueDef::Result { op, .. } if found.contains(&op) => true,
            _ => is_outside(body, *v, home),
        };
        let plain = data.results.iter().any(|&r| !is_tangent(body.ty(r)) && !holds_handle(body.ty(r)));
        let constant = data.operands.is_empty() && data.regions.is_empty();
        // Linear ops give no primal results; of a call the tangents are another matter.
        if plain && !constant && free_values(body, op).iter().filter(|v| !is_tangent(body.ty(**v))).all(same) {
            found.insert(op);
        }
    }
    found
}

/// The body of the loop that a block belongs to: the block itself, or what it is a branch of.
pub fn home(body: &Body, mut block: BlockId) -> Option<BlockId> {
    loop {
        let op = body.parent_op(block)?;
        if costs::is_loop(body, op) {
            return Some(block);
        }
        let branch = scf::If::is(body, op) || scf::IndexSwitch::is(body, op);
        block = body.op(op).block.filter(|_| branch)?;
    }
}

/// Whether a value comes from outside of the loop with that body.
fn is_outside(body: &Body, value: ValueId, home: BlockId) -> bool {
    let Some(at) = body.def_block(value) else { return false };
    let Some(of_loop) = body.parent_op(home) else { return false };
    at != home && !super::report::is_inside(body, at, of_loop)
}
