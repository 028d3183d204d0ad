//! Which loop state without a derivative is run again rather than stored.
//!
//! Such state costs what storing it does, or its own steps: these alone run again, from a few
//! states that the reverse sweep keeps. A state that steps with an exact inverse lead to is undone
//! (`unzip/undo.rs`) and not asked here.

use super::schedule::iterations;
use super::{Facts, Policy, ascending, invariant, mark};
use crate::analysis::costs;
use crate::analysis::stage;
use crate::autodiff::unzip::needs::{Needs, is_recomputed, is_replayed};
use crate::autodiff::unzip::{follows, slice};
use caustic_dialects::ad::is_tangent;
use caustic_dialects::signature::holds_handle;
use caustic_dialects::{func, scf};
use caustic_ir::{Attr, Body, Loc, Name, OpId, ValueId};

/// No step runs more often than this, as far as the trip count is known.
const MOST_TIMES: u64 = 16;
/// Finding the state to go on from, in each iteration of the sweep.
const FINDING: u64 = 8;

/// What was decided about a loop that has such state.
#[derive(Clone, Debug)]
pub struct Rerun {
    pub function: Name,
    pub loc: Loc,
    /// Bytes of one state.
    pub bytes: u64,
    /// States that are kept, if its steps run again.
    pub slots: Option<u64>,
    pub again: u64,
    pub keep: u64,
}

/// Marks the loops whose state without a derivative is run again.
pub fn choose(body: &mut Body, facts: &Facts<'_>, policy: &Policy) -> Vec<Rerun> {
    let mut out = Vec::new();
    ascending::mark(body, facts);
    let gives_tangents = |op: &OpId| body.results(*op).iter().any(|&r| is_tangent(body.ty(r)));
    let loops: Vec<OpId> =
        body.walk_all().into_iter().filter(|&op| costs::is_loop(body, op) && gives_tangents(&op)).collect();
    let loops: Vec<OpId> = loops.into_iter().filter(|&op| body.attr(op, stage::ASCENDING).is_none()).collect();
    if loops.is_empty() {
        return out;
    }
    let frequencies = costs::Frequencies::of(body);
    let mut plan = body.clone();
    let chosen = (policy.strategy)(&plan, facts);
    mark(&mut plan, &chosen, &invariant::of(body, facts));
    let needs = Needs::of(&plan);
    let may = |o: OpId| facts.may_run_again(o);
    for op in loops {
        // What would be stored in each iteration, and the states that it is made of.
        let mut wanted: Vec<ValueId> = Vec::new();
        let mut states: Vec<ValueId> = Vec::new();
        for value in stored(&plan, facts, &needs, op) {
            let Some(of) = slice::states_of(body, op, value, &may) else { continue };
            if !of.is_empty() && !of.iter().any(|&s| facts.is_active(s) || holds_handle(body.ty(s))) {
                wanted.push(value);
                states.extend(of.into_iter().filter(|s| !states.contains(s)).collect::<Vec<_>>());
            }
        }
        let Some(steps) = slice::steps(body, &states, &may) else { continue };
        let Some(block) = steps.states.first().and_then(|&s| body.def_block(s)) else { continue };
        let runs = frequencies.runs(block);
        let size = |values: &[ValueId]| values.iter().map(|&v| costs::bytes(body.ty(v))).fold(0, u64::saturating_add);
        let (per_byte, each) = facts.costs.keep(1);
        let kept = size(&wanted);
        // What does not fit into the caches costs as much again.
        let far = if kept.saturating_mul(runs) > facts.costs.largest_footprint { 2 } else { 1 };
        let keep = kept.saturating_mul(per_byte * far).saturating_add(each * wanted.len() as u64).saturating_mul(runs);
        let bytes = size(&steps.states).saturating_add(8);
        let trips = costs::trips(body, op);
        let work = steps.ops.iter().map(|&o| {
            let plain = func::Call::is(body, o);
            if plain { facts.plain_work(body, o) } else { frequencies.total_work_again(facts.costs, body, o) }
        });
        let work = work.fold(0, u64::saturating_add);
        // The fewest slots that are worth it: half the room of what would be stored at most.
        let room = facts.costs.snapshots.min(kept.saturating_mul(trips) / 2) / bytes.max(1);
        let with = |slots: u64| {
            let times = (1..MOST_TIMES).find(|&r| iterations(slots, r) >= trips).unwrap_or(MOST_TIMES);
            let once = work.saturating_mul(times).saturating_add(FINDING).saturating_mul(runs);
            once.saturating_add(slots.saturating_mul(bytes).saturating_mul(facts.costs.keep_byte_once))
        };
        let ways = (0..7).map(|n| 1u64 << n).filter(|&slots| slots <= room).map(|slots| (with(slots), slots));
        let Some((again, slots)) = ways.min() else { continue };
        let chosen = (again < keep).then_some(slots);
        if let Some(numbers) = chosen.and_then(|slots| slice::mark_of(body, op, slots, &steps.states)) {
            body.set_attr(op, stage::SLICE, Attr::i64_array(&numbers));
        }
        out.push(Rerun { function: Name::new(""), loc: body.loc(op), bytes, slots: chosen, again, keep });
    }
    out
}

/// What has no derivative in a loop's body and is kept of each iteration.
fn stored(plan: &Body, facts: &Facts<'_>, needs: &Needs, op: OpId) -> Vec<ValueId> {
    let blocks = plan.op(op).regions.iter().flat_map(|&r| plan.region(r).blocks.iter().copied());
    let mut values: Vec<ValueId> = Vec::new();
    for block in blocks {
        let counter = usize::from(scf::For::is(plan, op));
        values.extend(plan.args(block).iter().skip(counter).filter(|&&a| !follows(plan, a)));
        let kept =
            |o: &OpId| !is_recomputed(plan, *o) && !is_replayed(plan, *o) && plan.attr(*o, stage::ONCE).is_none();
        values.extend(plan.block_ops(block).iter().filter(|o| kept(o)).flat_map(|&o| plan.results(o)));
    }
    values.retain(|&v| {
        needs.is_needed(v) && !is_tangent(plan.ty(v)) && !facts.is_active(v) && slice::stands_in(plan, op, v)
    });
    values
}
