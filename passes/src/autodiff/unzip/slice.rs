//! Loop state that depends on no input whose derivative is wanted, and that is had again by running
//! its steps, and no others, once more.
//!
//! The loop carries a mark (`stage::SLICE`, made by `checkpoint/slices.rs`): how many states may be
//! kept, and which of its arguments these are. Linear code has `ad.again` for them, which holds the
//! steps; the reverse sweep keeps a few states and computes the others from them. Nothing is stored
//! per iteration.

use super::induction::handed_on;
use super::needs::{free_values, is_linear};
use crate::analysis::stage;
use caustic_dialects::ad::is_tangent;
use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, OpId, ValueDef, ValueId};

/// More ops than this are not run again.
const MOST_STEPS: usize = 256;

/// What leads from these states to those of the next iteration.
pub struct Steps {
    /// Arguments of the loop's body, closed under what they are made of.
    pub states: Vec<ValueId>,
    pub inits: Vec<ValueId>,
    pub next: Vec<ValueId>,
    /// Ops of the body's block, in its order.
    pub ops: Vec<OpId>,
    /// What they read from outside of the loop.
    pub reads: Vec<ValueId>,
}

/// The block of a loop that its steps stand in.
fn body_block(body: &Body, op: OpId) -> Option<BlockId> {
    match () {
        _ if scf::For::is(body, op) => body.region_block(op, 0),
        _ if scf::While::is(body, op) => body.region_block(op, 1),
        _ => None,
    }
}

/// How many states a marked loop may keep, and which ones are run again.
pub fn marked(body: &Body, op: OpId) -> Option<(i64, Vec<ValueId>)> {
    let numbers = body.attr(op, stage::SLICE)?.as_i64_array()?;
    let (&slots, which) = numbers.split_first()?;
    let args = body.args(body_block(body, op)?);
    Some((slots, which.iter().filter_map(|&i| args.get(i as usize).copied()).collect()))
}

/// What a mark holds that says so.
pub fn mark_of(body: &Body, op: OpId, slots: u64, states: &[ValueId]) -> Option<Vec<i64>> {
    let args = body.args(body_block(body, op)?);
    let which = states.iter().filter_map(|s| args.iter().position(|a| a == s));
    Some(std::iter::once(slots as i64).chain(which.map(|i| i as i64)).collect())
}

/// The steps behind a marked loop's argument.
pub fn of(body: &Body, arg: ValueId) -> Option<Steps> {
    let ValueDef::Arg { block, .. } = body.def(arg) else { return None };
    let (_, states) = marked(body, body.parent_op(block)?)?;
    if !states.contains(&arg) {
        return None;
    }
    steps(body, &states, &|_| true)
}

/// The steps of some arguments of one loop, if only ops that `may` run again are among them.
pub fn steps(body: &Body, states: &[ValueId], may: &dyn Fn(OpId) -> bool) -> Option<Steps> {
    let &first = states.first()?;
    let (op, ..) = handed_on(body, first, false)?;
    closed(body, op, states, &[], may)
}

/// The states of a loop that a value in its body is made of, if only ops that `may` run again lead
/// there.
pub fn states_of(body: &Body, op: OpId, value: ValueId, may: &dyn Fn(OpId) -> bool) -> Option<Vec<ValueId>> {
    closed(body, op, &[], &[value], may).map(|steps| steps.states)
}

/// What is kept may stand in a loop's body, but in none of the branches or loops there.
pub fn stands_in(body: &Body, op: OpId, value: ValueId) -> bool {
    body_block(body, op).is_some_and(|block| body.def_block(value) == Some(block))
}

fn closed(body: &Body, op: OpId, states: &[ValueId], wanted: &[ValueId], may: &dyn Fn(OpId) -> bool) -> Option<Steps> {
    let block = body_block(body, op)?;
    let mut found =
        Steps { states: states.to_vec(), inits: Vec::new(), next: Vec::new(), ops: Vec::new(), reads: Vec::new() };
    let counter = body.args(block).first().copied().filter(|_| scf::For::is(body, op));
    let mut todo: Vec<ValueId> = wanted.to_vec();
    let mut done = 0;
    loop {
        while let Some(value) = todo.pop() {
            if Some(value) == counter {
                continue;
            }
            if is_tangent(body.ty(value)) {
                return None;
            }
            match body.def(value) {
                ValueDef::Arg { block: b, .. } if b == block => {
                    if !found.states.contains(&value) {
                        found.states.push(value);
                    }
                }
                ValueDef::Result { op: made, .. } if body.op(made).block == Some(block) => {
                    let mixed = body.results(made).iter().any(|&r| is_tangent(body.ty(r)));
                    if found.ops.contains(&made) {
                        continue;
                    }
                    if mixed || is_linear(body, made) || !may(made) || found.ops.len() >= MOST_STEPS {
                        return None;
                    }
                    found.ops.push(made);
                    todo.extend(free_values(body, made));
                }
                _ => {
                    if !found.reads.contains(&value) {
                        found.reads.push(value);
                    }
                }
            }
        }
        let Some(&state) = found.states.get(done) else { break };
        done += 1;
        let (_, init, next) = handed_on(body, state, false)?;
        found.inits.push(init);
        found.next.push(next);
        todo.push(next);
    }
    let order = body.block_ops(block);
    found.ops.sort_by_key(|o| order.iter().position(|p| p == o));
    Some(found)
}
