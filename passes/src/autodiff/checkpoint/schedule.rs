//! Loops of targets that cannot allocate: which ones work from snapshots, from how many, and why
//! others do not.
//!
//! A loop without a constant trip count that would store something in its iterations keeps some of
//! its states instead and runs again from them (`transpose/replay`). How many is decided for each:
//! as many as are allowed, as fit into the room for them, and as the loop is expected to have
//! iterations. Where the program says how many these are, and one is more work than a state is to
//! keep, each may have a state.

use super::report::Stored;
use super::{Facts, report};
use crate::analysis::costs::{self, Frequencies};
use crate::analysis::effects::Effect;
use crate::analysis::stage;
use crate::autodiff::unzip::needs::is_linear;
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::{agg, scf};
use caustic_ir::{Attr, Body, Loc, Name, OpId};

/// What such a loop does.
#[derive(Clone, Debug)]
pub struct Schedule {
    pub function: Name,
    pub loc: Loc,
    /// Bytes of one state, with the number of its iteration.
    pub bytes: u64,
    pub kept: Kept,
}

/// What such a loop keeps for its reverse derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// States, from which it runs again.
    Snapshots(u64),
    /// The first state: the loop runs again along with its sweep (`ascending`).
    First,
    /// What is needed of so many iterations: the program promises that there are no more.
    Iterations(u64),
    /// What is needed of each iteration. Tells where in the loop stands, and what it is, that keeps
    /// it from running again.
    Tape(Loc, &'static str),
}

/// Of the number of an iteration.
pub const COUNTER_BYTES: u64 = 8;

/// Of a state, and in which iteration it was taken.
pub fn state_bytes(body: &Body, op: OpId) -> u64 {
    let Some(block) = body.region_block(op, 0) else { return COUNTER_BYTES };
    let counter = scf::For::is(body, op) as usize;
    let states = body.args(block)[counter..].iter().filter(|&&a| !is_tangent(body.ty(a)));
    states.map(|&a| costs::bytes(body.ty(a))).fold(COUNTER_BYTES, u64::saturating_add)
}

/// The iterations for which no state is computed more than `times` again: C(slots + times, times).
pub fn iterations(slots: u64, times: u64) -> u64 {
    (1..=times).fold(1u64, |n, k| n.saturating_mul(slots.saturating_add(k)) / k)
}

/// What a loop does besides computing, if it can run again without that: ops that give nothing that
/// is used, where nothing in the loop reads memory that may change.
fn effects_to_leave_out(body: &Body, facts: &Facts<'_>, op: OpId) -> Option<Vec<OpId>> {
    let mut found = Vec::new();
    let mut regions = body.op(op).regions.clone();
    if scf::While::is(body, op) {
        // The trip count is known by then: the condition is not asked again.
        regions.remove(0);
    }
    while let Some(region) = regions.pop() {
        for &block in &body.region(region).blocks {
            for inner in body.block_ops(block) {
                let data = body.op(inner);
                let mixed = data.results.iter().any(|&r| is_tangent(body.ty(r)));
                match () {
                    _ if data.def.is_terminator() || facts.may_run_again(inner) => {}
                    _ if facts.has_effects(inner) && data.results.iter().all(|&r| body.is_unused(r)) => {
                        found.push(inner)
                    }
                    _ if mixed && !data.regions.is_empty() => regions.extend(data.regions.iter().copied()),
                    _ => return None,
                }
            }
        }
    }
    Some(found)
}

/// The first op of a loop that cannot run again.
fn hindrance(body: &Body, facts: &Facts<'_>, op: OpId) -> (Loc, &'static str) {
    let inner = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
    let found = inner.into_iter().find(|&o| body.op(o).regions.is_empty() && !facts.may_run_again(o));
    let why = match found.and_then(|o| facts.effects.get(o.index())) {
        Some(Effect::Reads) => "what it reads from memory may have changed",
        _ => "it does something that must happen once",
    };
    (body.loc(found.unwrap_or(op)), why)
}

/// The work of one iteration of a loop without derivatives.
fn iteration_work(body: &Body, facts: &Facts<'_>, frequencies: &Frequencies, op: OpId) -> u64 {
    let Some(block) = body.op(op).regions.last().and_then(|&r| body.region(r).blocks.first().copied()) else {
        return 0;
    };
    let rounds = frequencies.runs(block).max(1);
    let inner = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
    let of = |o: OpId| {
        let work = match ad::JvpCall::is(body, o) {
            true => facts.callee(body, o).work,
            false if is_linear(body, o) => 0,
            false => facts.costs.work(body, o),
        };
        work.saturating_mul(body.op(o).block.map_or(1, |b| frequencies.runs(b)))
    };
    inner.into_iter().map(of).fold(0, u64::saturating_add) / rounds
}

/// The iterations that the program promises not to exceed, where as many residuals fit into the
/// room for them, and the loop's tangents can say that there were more.
fn promise(body: &Body, facts: &Facts<'_>, stored: &[Stored], op: OpId) -> Option<u64> {
    let most = scf::max_iters(body, op).filter(|&n| n > 0)?;
    let within = stored.iter().filter(|s| report::is_inside(body, s.block, op));
    let room = within.map(|s| s.bytes.saturating_mul(s.times)).fold(0, u64::saturating_add);
    let tangents = body.results(op).iter().filter(|&&r| is_tangent(body.ty(r)));
    let tells = tangents.map(|&r| agg::only_float(strip_tangent(body.ty(r)))).all(|float| float.is_some());
    (room <= facts.costs.largest_footprint && tells).then_some(most as u64)
}

/// Marks the loops that are run again from snapshots; what was decided about each that would store
/// in its iterations. There are at most `most` snapshots, unless the program says how many
/// iterations to expect and these are much work. With `promises`, `[MaxIters]` bounds a loop that
/// cannot run again.
pub fn mark(body: &mut Body, facts: &Facts<'_>, most: i64, promises: bool) -> Vec<Schedule> {
    let stored = report::stored(body, facts);
    let frequencies = Frequencies::of(body);
    let mut out: Vec<Schedule> = Vec::new();
    for op in body.walk_all() {
        let mixed = body.op(op).results.iter().any(|&r| is_tangent(body.ty(r)));
        let has_room = scf::For::is(body, op) && costs::room(body, op).is_some();
        let open = mixed && costs::is_loop(body, op) && !costs::is_counted(body, op) && !has_room;
        if !open || !stored.iter().any(|s| report::is_inside(body, s.block, op)) {
            continue;
        }
        let bytes = state_bytes(body, op);
        let kept = if let Some(effects) = effects_to_leave_out(body, facts, op) {
            effects.into_iter().for_each(|o| body.set_attr(o, stage::PRIMAL_ONLY, Attr::unit()));
            let expected = scf::max_iters(body, op).map_or(u64::MAX, |n| n.max(1) as u64);
            // Beyond those that are allowed anyhow, which mostly are registers, a state has to be
            // cheaper to keep than to compute once more.
            let again = iteration_work(body, facts, &frequencies, op);
            let dear = expected != u64::MAX && again > bytes.saturating_mul(facts.costs.keep_byte);
            let allowed = if dear { expected.max(most.max(1) as u64) } else { most.max(1) as u64 };
            let ascending = body.attr(op, stage::ASCENDING).is_some();
            let allowed = if ascending { 1 } else { allowed };
            let slots = (facts.costs.snapshots / bytes).clamp(1, allowed).min(expected);
            // It runs again as it is.
            body.remove_attr(op, stage::RECOMPUTE);
            body.set_attr(op, stage::SNAPSHOTS, Attr::i64(slots as i64));
            if ascending { Kept::First } else { Kept::Snapshots(slots) }
        } else if let Some(iterations) = promises.then(|| promise(body, facts, &stored, op)).flatten() {
            body.set_attr(op, stage::PROMISED, Attr::i64(iterations as i64));
            Kept::Iterations(iterations)
        } else {
            let (at, why) = hindrance(body, facts, op);
            Kept::Tape(at, why)
        };
        out.push(Schedule { function: Name::new(""), loc: body.loc(op), bytes, kept });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::iterations;

    #[test]
    fn iterations_are_binomial() {
        assert_eq!([0, 1, 2, 3].map(|times| iterations(3, times)), [1, 4, 10, 20]);
        assert_eq!(iterations(8, 4), 495);
    }
}
