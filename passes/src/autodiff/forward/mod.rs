//! Choice of mode: a reverse derivative need not be a reverse sweep.
//!
//! Where few scalars with a derivative go into a loop nest, its part of the reverse derivative is
//! cheaper to have by carrying tangents along in the primal code, one for each of these scalars,
//! and keeping only what they are in the end: the loop's Jacobian. The linear code is then a small
//! product with the Jacobian, and nothing is stored in any iteration (preaccumulation). Chosen loop
//! by loop, the outer ones first, then call by call of what is left, by the numbers that also
//! decide what is stored; [`choose`] says what, [`apply`] does it.
//!
//! Stands between linearize and checkpoint. Input and output are linearized functions; a loop or
//! call that is chosen touches no tangent afterwards.
//!
//! What does not reach a result has a zero column in the Jacobian. Like any zero that control flow
//! made it must annihilate, so the tangent of an input goes through a gate that is closed where its
//! column is zero, unless the input surely reaches the result. Calls are carried only then.

mod carry;
mod directions;

use super::checkpoint::report::{self, is_inside};
use super::checkpoint::{invariant, mark, spared};
use super::space::Spaces;
use super::unzip::needs::is_linear;
use super::unzip::undo;
use super::{Facts, Policy};
use crate::analysis::costs::{self, Frequencies};
use crate::analysis::liveness::Liveness;
use crate::analysis::stage;
pub use carry::apply;
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::func;
use caustic_ir::{BlockId, Body, Loc, Name, OpId, SymbolOp};
use directions::Directions;

/// A Jacobian with more entries than this is not kept.
const MOST_ENTRIES: u64 = 64;
/// Tangents beyond this many are not carried: they fill the registers.
const MOST_DIRECTIONS: usize = 8;

/// A loop nest or a call, and how its part of the reverse derivative is computed.
#[derive(Clone, Debug)]
pub struct Choice {
    pub function: Name,
    /// Of a call: the instance that is called.
    pub callee: Option<Name>,
    pub loc: Loc,
    /// Tangents carried forward; otherwise a reverse sweep.
    pub forward: bool,
    /// Scalars with a derivative that go into it.
    pub directions: usize,
    pub forward_cost: u64,
    pub reverse_cost: u64,
}

/// What [`choose`] looks at.
struct Region<'a> {
    body: &'a Body,
    facts: &'a Facts<'a>,
    frequencies: Frequencies,
    spaces: &'a Spaces,
    /// With what a reverse sweep would compute again.
    marked: Body,
    /// And what it would store.
    stored: Vec<report::Stored>,
    /// What a reverse sweep would leave of the primal code.
    left: Liveness,
}

/// The loops and calls of a linearized function whose derivative is to be carried forward, and the
/// costs of all that were looked at. `has_forward` says whether there is, or can be, a forward
/// derivative of an instance.
pub fn choose(
    symbol: &SymbolOp,
    facts: &Facts<'_>,
    policy: &Policy,
    spaces: &Spaces,
    has_forward: &dyn Fn(Name) -> bool,
) -> (Vec<OpId>, Vec<Choice>) {
    let body = &symbol.body;
    let (mut chosen, mut choices) = (Vec::new(), Vec::new());
    let mixed = |op: OpId| body.op(op).results.iter().any(|&r| is_tangent(body.ty(r)));
    let looked_at = |op: OpId| (costs::is_loop(body, op) || ad::JvpCall::is(body, op)) && mixed(op);
    let mut regions: Vec<OpId> = body.walk_all().into_iter().filter(|&op| looked_at(op)).collect();
    if regions.is_empty() {
        return (chosen, choices);
    }
    // Outer loops are asked before inner ones, and calls last.
    regions.sort_by_key(|&op| !costs::is_loop(body, op));
    let mut marked = body.clone();
    mark(&mut marked, &(policy.strategy)(body, facts), &invariant::of(body, facts));
    let stored = report::stored(&marked, facts);
    let left = spared::computed(&marked, facts);
    let region = Region { body, facts, frequencies: Frequencies::of(body), spaces, marked, stored, left };
    for op in regions {
        let within_chosen = body.op(op).block.is_some_and(|b| chosen.iter().any(|&c| is_inside(body, b, c)));
        if within_chosen {
            continue;
        }
        let Some((directions, forward_cost, reverse_cost)) = region.costs(op, has_forward) else { continue };
        let entries = directions.entries(body, op);
        // Whether a call's column is zero by its conditions or by its numbers is known of straight
        // code only, and costs must not decide about a number.
        let known = !ad::JvpCall::is(body, op) || facts.callee(body, op).straight;
        let forward = known && entries <= MOST_ENTRIES && forward_cost <= reverse_cost;
        if forward {
            chosen.push(op);
        }
        choices.push(Choice {
            function: facts.links.shown(stage::instance_of(symbol).unwrap_or(symbol.name)),
            callee: callee(body, op).filter(|_| ad::JvpCall::is(body, op)).map(|c| facts.links.shown(c)),
            loc: body.loc(op),
            forward,
            directions: directions.count(),
            forward_cost,
            reverse_cost,
        });
    }
    (chosen, choices)
}

fn callee(body: &Body, op: OpId) -> Option<Name> {
    body.callee(op)
}

impl Region<'_> {
    fn runs(&self, op: OpId) -> u64 {
        self.body.op(op).block.map_or(1, |b| self.frequencies.runs(b))
    }

    /// What the tangents of an op's region would cost carried forward, and in a sweep; nothing
    /// where they cannot be carried.
    fn costs(&self, op: OpId, has_forward: &dyn Fn(Name) -> bool) -> Option<(Directions, u64, u64)> {
        let body = self.body;
        let directions = Directions::of(body, op).filter(|d| d.count() <= MOST_DIRECTIONS)?;
        let inner: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
        let callable = |o: OpId| callee(body, o).is_some_and(has_forward);
        // The function is called once for each direction that passes through; what it does besides
        // must happen once.
        let once = |o: OpId| !self.facts.has_effects(o) || directions.reaching(body, o) <= 1;
        let calls = inner.iter().chain([&op]).filter(|&&o| ad::JvpCall::is(body, o));
        if calls.copied().any(|o| !(callable(o) && once(o))) {
            return None;
        }
        // Sums of the programmer's own are not taken apart.
        let tangents = inner.iter().chain([&op]).flat_map(|&o| body.results(o).iter().chain(body.operands(o)));
        let mut tangents = tangents.filter(|&&v| is_tangent(body.ty(v)));
        if tangents.any(|&v| self.spaces.is_given(strip_tangent(body.ty(v)))) {
            return None;
        }
        let (forward, reverse) = if ad::JvpCall::is(body, op) {
            self.call_costs(op, &directions)?
        } else {
            self.loop_costs(op, &inner, &directions)
        };
        let own_runs = self.runs(op);
        let (per_byte, _) = self.facts.costs.keep((own_runs > 1).into());
        let entries = directions.entries(body, op).saturating_mul(4 * per_byte).saturating_mul(own_runs);
        Some((directions, forward.saturating_add(entries), reverse))
    }

    fn loop_costs(&self, op: OpId, inner: &[OpId], directions: &Directions) -> (u64, u64) {
        let body = self.body;
        let mut linear = 0u64;
        let mut carried = 0u64;
        for &o in inner {
            let reached = directions.reaching(body, o) as u64;
            let often = self.runs(o);
            if ad::JvpCall::is(body, o) {
                let work = self.facts.callee(body, o).work;
                linear = linear.saturating_add(work.saturating_mul(3 * often));
                // The function is called again for each direction.
                carried = carried.saturating_add(work.saturating_mul(2 * often).saturating_mul(reached));
            } else if body.op(o).regions.is_empty() && is_linear(body, o) {
                let work = self.facts.costs.work(body, o).saturating_mul(often);
                linear = linear.saturating_add(work);
                carried = carried.saturating_add(work.saturating_mul(reached));
            }
        }
        let kept = self.stored.iter().filter(|s| is_inside(body, s.block, op));
        let kept = kept.map(|s| s.bytes.saturating_mul(s.times)).fold(0, u64::saturating_add);
        // What is computed again may be of no use before, as the value of a loop that only its
        // derivative is asked of: then the sweep computes what the loop does not.
        let twice = |&&o: &&OpId| self.marked.attr(o, stage::RECOMPUTE).is_some() && self.left.ops[o.index()];
        let again = inner.iter().filter(twice).map(|&o| self.work(o).saturating_mul(self.runs(o)));
        // A sweep is a second loop, and every product in it is one with a sum.
        let reverse = (linear + linear / 2).saturating_add(kept.saturating_mul(self.facts.costs.keep_byte));
        (carried, again.fold(reverse, u64::saturating_add).saturating_add(self.undone(inner, op)))
    }

    /// The work of going back through states that are undone.
    fn undone(&self, inner: &[OpId], op: OpId) -> u64 {
        let body = self.body;
        let blocks = inner.iter().chain([&op]).flat_map(|&o| &body.op(o).regions);
        let blocks = blocks.flat_map(|&r| &body.region(r).blocks);
        let of = |&block: &BlockId| -> u64 {
            let args = body.args(block).iter().filter(|&&a| !is_tangent(body.ty(a)));
            let ops: u64 = args.filter_map(|&a| undo::of(body, a)).map(|u| u.ops()).sum();
            ops.saturating_mul(self.frequencies.runs(block))
        };
        blocks.map(of).fold(0, u64::saturating_add)
    }

    /// Of one run of an op of the primal code.
    fn work(&self, op: OpId) -> u64 {
        match ad::JvpCall::is(self.body, op) {
            true => self.facts.callee(self.body, op).work,
            false => self.facts.costs.work(self.body, op),
        }
    }

    /// Of a call, beyond what its value costs. A programmer's word about storing or calling again
    /// is one about the backward derivative.
    fn call_costs(&self, op: OpId, directions: &Directions) -> Option<(u64, u64)> {
        let callee = self.facts.callee(self.body, op);
        let count = directions.reaching(self.body, op) as u64;
        if callee.prefer.is_some() || count == 0 {
            return None;
        }
        let often = self.runs(op);
        // Each direction after the first computes the value again.
        let values = callee.work.saturating_mul(count - 1);
        let forward = callee.forward.saturating_mul(count).saturating_add(values);
        let (per_byte, _) = self.facts.costs.keep((often > 1).into());
        let again = if self.marked.attr(op, stage::RECOMPUTE).is_some() { callee.work } else { 0 };
        let kept = if again > 0 { 0 } else { callee.context_bytes.saturating_mul(per_byte) };
        let reverse = callee.reverse.saturating_add(kept).saturating_add(again);
        Some((forward.saturating_mul(often), reverse.saturating_mul(often)))
    }
}

/// The instances that a body calls the forward derivative of, and as what it calls them.
pub fn forward_calls(body: &Body) -> Vec<(Name, Name)> {
    let calls = body.all_ops().filter(|&op| func::Call::is(body, op));
    calls.filter_map(|op| Some((body.attr(op, stage::FORWARD_OF)?.as_symbol()?, callee(body, op)?))).collect()
}
