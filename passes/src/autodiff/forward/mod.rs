//! Choice of mode: a reverse derivative need not be a reverse sweep.
//!
//! Where few scalars with a derivative go into a loop nest, its part of the reverse derivative is cheaper to have by carrying tangents along in
//! the primal code, one for each of these scalars, and keeping only what they are in the end: the loop's Jacobian. The linear code is then a small
//! product with the Jacobian, and nothing is stored in any iteration (preaccumulation). Chosen loop by loop, the outer ones first, by the numbers
//! that also decide what is stored; [`choose`] says what, [`apply`] does it.
//!
//! Stands between linearize and checkpoint. Input and output are linearized functions; a loop that is chosen touches no tangent afterwards.
//!
//! What does not reach a result has a zero column in the Jacobian. Like any zero that control flow made it must annihilate, so the tangent of each
//! input goes through a gate that is closed where its column is zero.

mod carry;
mod directions;

use super::checkpoint::cost::{self, Frequencies, KEEP_BYTE, KEEP_BYTE_ONCE};
use super::checkpoint::report;
use super::space::Spaces;
use super::stage;
use super::unzip::needs::is_linear;
use super::{Facts, Policy};
pub use carry::apply;
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::func;
use caustic_ir::{Attr, Body, Loc, Name, OpId, SymbolOp};
use directions::Directions;

/// A Jacobian with more entries than this is not kept.
const MOST_ENTRIES: u64 = 64;
/// Tangents beyond this many are not carried: they fill the registers.
const MOST_DIRECTIONS: usize = 8;

/// A loop nest, and how its part of the reverse derivative is computed.
#[derive(Clone, Debug)]
pub struct Choice {
    pub function: Name,
    pub loc: Loc,
    /// Tangents carried forward; otherwise a reverse sweep.
    pub forward: bool,
    /// Scalars with a derivative that go into it.
    pub directions: usize,
    pub forward_cost: u64,
    pub reverse_cost: u64,
}

/// The loops of a linearized function whose derivative is to be carried forward, and the costs of all that were looked at. `has_forward` says
/// whether there is, or can be, a forward derivative of what is called.
pub fn choose(
    symbol: &SymbolOp,
    facts: &Facts<'_>,
    policy: &dyn Policy,
    spaces: &Spaces,
    has_forward: &dyn Fn(Name) -> bool,
) -> (Vec<OpId>, Vec<Choice>) {
    let body = &symbol.body;
    let (mut chosen, mut choices) = (Vec::new(), Vec::new());
    let loops: Vec<OpId> = body.walk_all().into_iter().filter(|&op| cost::is_loop(body, op)).collect();
    let mixed = |op: OpId| body.op(op).results.iter().any(|&r| is_tangent(body.ty(r)));
    if !loops.iter().any(|&op| mixed(op)) {
        return (chosen, choices);
    }
    let frequencies = Frequencies::of(body);
    // What a reverse sweep would store.
    let mut marked = body.clone();
    for op in policy.recompute(body, facts) {
        marked.set_attr(op, stage::RECOMPUTE, Attr::unit());
    }
    let stored = report::stored(&marked, facts);
    let inside = |block: caustic_ir::BlockId, op: OpId| {
        body.op(op).regions.iter().any(|&r| body.region(r).blocks.iter().any(|&o| body.is_block_within(block, o)))
    };
    for op in loops {
        let within_chosen = body.op(op).block.is_some_and(|b| chosen.iter().any(|&c| inside(b, c)));
        if within_chosen || !mixed(op) {
            continue;
        }
        let Some(directions) = Directions::of(body, op).filter(|d| d.count() <= MOST_DIRECTIONS) else { continue };
        let inner: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
        let callable = |o: OpId| body.attr(o, "callee").and_then(|a| a.as_symbol()).is_some_and(has_forward);
        // The function is called once for each direction that passes through; what it does besides must happen once.
        let once = |o: OpId| !facts.has_effects(o) || directions.reaching(body, o) <= 1;
        if inner.iter().any(|&o| ad::JvpCall::is(body, o) && !(callable(o) && once(o))) {
            continue;
        }
        // Sums of the programmer's own are not taken apart.
        let tangents = inner.iter().chain([&op]).flat_map(|&o| body.results(o).iter().chain(body.operands(o)));
        if tangents.filter(|&&v| is_tangent(body.ty(v))).any(|&v| spaces.is_given(strip_tangent(body.ty(v)))) {
            continue;
        }
        let runs = |o: OpId| body.op(o).block.map_or(1, |b| frequencies.runs(b));
        let own_runs = runs(op);
        let mut linear = 0u64;
        let mut carried = 0u64;
        for &o in &inner {
            let reached = directions.reaching(body, o) as u64;
            let often = runs(o);
            if ad::JvpCall::is(body, o) {
                let work = facts.callee(body, o).work;
                linear = linear.saturating_add(work.saturating_mul(3 * often));
                // The function is called again for each direction.
                carried = carried.saturating_add(work.saturating_mul(2 * often).saturating_mul(reached));
            } else if body.op(o).regions.is_empty() && is_linear(body, o) {
                let work = cost::work(body, o).saturating_mul(often);
                linear = linear.saturating_add(work);
                carried = carried.saturating_add(work.saturating_mul(reached));
            }
        }
        let kept = stored.iter().filter(|s| inside(s.block, op)).map(|s| s.bytes.saturating_mul(s.times));
        let kept = kept.fold(0, u64::saturating_add).saturating_mul(KEEP_BYTE);
        let again = inner.iter().filter(|&&o| marked.attr(o, stage::RECOMPUTE).is_some());
        let again = again.map(|&o| cost::work(body, o).saturating_mul(runs(o))).fold(0, u64::saturating_add);
        // A sweep is a second loop, and every product in it is one with a sum.
        let reverse_cost = (linear + linear / 2).saturating_add(kept).saturating_add(again);
        let entries = directions.entries(body, op);
        let per_byte = if own_runs > 1 { KEEP_BYTE } else { KEEP_BYTE_ONCE };
        let forward_cost = carried.saturating_add(entries.saturating_mul(4 * per_byte).saturating_mul(own_runs));
        let forward = entries <= MOST_ENTRIES && forward_cost <= reverse_cost;
        if forward {
            chosen.push(op);
        }
        choices.push(Choice {
            function: Name::new(stage::key_of(symbol).unwrap_or_default()),
            loc: body.loc(op),
            forward,
            directions: directions.count(),
            forward_cost,
            reverse_cost,
        });
    }
    (chosen, choices)
}

/// The keys of the functions that a body calls the forward derivative of.
pub fn forward_calls(body: &Body) -> Vec<Name> {
    let calls = body.all_ops().filter(|&op| func::Call::is(body, op) && body.attr(op, carry::FORWARD_OF).is_some());
    calls.filter_map(|op| body.attr(op, carry::FORWARD_OF)?.as_symbol()).collect()
}
