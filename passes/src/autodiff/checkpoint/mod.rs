//! Step 5, checkpoint: which primal values the reverse pass stores and which it computes again.
//!
//! It stands between linearize and unzip: there, primal values and what reads them are still in one
//! scope, so the choice is a mark on each op (`ad.recompute`) that a person can see and edit, and
//! unzip stores all else. (What the reverse pass reads is the same before and after transposition:
//! the primal operands of linear ops.)
//!
//! A [`Policy`] decides; [`minimum_cut`] takes the cheapest choice by the numbers of [`costs`].
//! Marks on pure ops mean computing them again; marks on branches, inner loops and calls mean
//! running those again as a whole. What was chosen is told by [`report`], from the marks.

mod ascending;
mod bounded;
mod branches;
mod cut;
mod flow;
pub(super) mod invariant;
mod origin;
mod plan;
pub mod report;
pub mod schedule;
pub mod slices;
pub mod spared;
pub mod step;
mod straight;
mod work;

pub use plan::{choose_modes, forget_unused, mark_all};

use super::forward::Choice;
use super::partials::SingularPoints;
use crate::analysis::costs::{self, Costs, Frequencies, Near};
use crate::analysis::derivative_links::Links;
use crate::analysis::effects::Effect;
use crate::analysis::stage;
use caustic_dialects::signature::PREFER;
use caustic_ir::{Attr, Body, Name, OpId, SymbolOp, ValueId};
use report::Stored;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::Schedule;
use slices::Rerun;

/// What a programmer says about calls of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefer {
    /// `[PreferRecompute]`
    Recompute,
    /// `[PreferCheckpoint]`
    Checkpoint,
}

impl Prefer {
    fn of(symbol: &SymbolOp) -> Option<Prefer> {
        match symbol.attr(PREFER)?.as_str()? {
            "recompute" => Some(Prefer::Recompute),
            "checkpoint" => Some(Prefer::Checkpoint),
            _ => None,
        }
    }
}

/// What is known about a function that is called.
#[derive(Clone, Copy, Debug)]
pub struct Callee {
    pub may_run_again: bool,
    pub work: u64,
    /// What its tangents take on top of that in one direction, and what its reverse derivative
    /// does.
    pub forward: u64,
    pub reverse: u64,
    pub context_bytes: u64,
    /// Elements of tapes in it.
    pub on_tapes: u64,
    /// Whether no control flow decides which tangents come out: a zero among them is one that was
    /// computed.
    pub straight: bool,
    pub prefer: Option<Prefer>,
}

impl Default for Callee {
    fn default() -> Self {
        let work = 1 << 20;
        let (forward, reverse) = (work, work);
        let (context_bytes, on_tapes) = (64, 0);
        Callee { may_run_again: false, work, forward, reverse, context_bytes, on_tapes, straight: false, prefer: None }
    }
}

/// What a policy may know about a function besides its code.
pub struct Facts<'a> {
    effects: Vec<Effect>,
    /// By value: it depends on an active input.
    active: Vec<bool>,
    /// Calls that may lead to a custom derivative which acts on memory.
    acts_backwards: FxHashSet<OpId>,
    callees: &'a FxHashMap<Name, Callee>,
    /// The work of functions that are called without a derivative.
    plain: &'a FxHashMap<Name, u64>,
    pub links: &'a Links,
    /// Of the machine that the derivative is for.
    pub costs: &'static Costs,
    /// Whether the function's value is of use besides its derivative.
    pub value_is_used: bool,
}

impl Facts<'_> {
    /// Whether an op with its regions only computes, or reads what does not change.
    pub fn may_run_again(&self, op: OpId) -> bool {
        self.effects.get(op.index()).is_some_and(|&e| e <= Effect::ReadsConstant)
    }
    /// Whether an op does something that has to happen as often as it is asked for.
    pub fn has_effects(&self, op: OpId) -> bool {
        self.effects.get(op.index()).is_none_or(|&e| e == Effect::Writes)
    }
    pub fn is_active(&self, value: ValueId) -> bool {
        self.active.get(value.index()).copied().unwrap_or(true)
    }
    /// The work of a call without a derivative.
    pub fn plain_work(&self, body: &Body, op: OpId) -> u64 {
        let name = body.callee(op);
        name.and_then(|n| self.plain.get(&n)).copied().unwrap_or(1 << 20)
    }
    pub fn callee(&self, body: &Body, op: OpId) -> Callee {
        let key = body.callee(op);
        key.and_then(|k| self.callees.get(&k)).copied().unwrap_or_default()
    }
}

/// How derivatives are made: a machine, what it may store, and who decides.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The machine that derivatives are made for.
    pub costs: &'static Costs,
    /// For targets that cannot allocate: loops without a constant trip count that would store in
    /// their iterations keep at most this many of their states and compute the others again.
    /// Without, they store each.
    pub snapshots: Option<i64>,
    /// Whether such a loop that cannot run again keeps what it needs of as many iterations as
    /// `[MaxIters]` says; its derivative is wrong if it has more.
    pub trust_max_iters: bool,
    /// What derivatives are at singular points.
    pub singular: SingularPoints,
    /// Whether loops may have their tangents carried forward.
    pub chooses_modes: bool,
    /// Whether nothing may be folded that makes a NaN or an infinity of finite numbers.
    pub keep_non_finite: bool,
    pub strategy: Strategy,
}

/// Decides between storing and computing again: gives the ops to compute again, each pure, or a
/// branch, a loop or a call that only computes.
pub type Strategy = fn(&Body, &Facts<'_>) -> Vec<OpId>;

impl Default for Policy {
    /// The cheapest choice for a CPU.
    fn default() -> Self {
        Policy {
            costs: &costs::CPU,
            snapshots: None,
            trust_max_iters: false,
            singular: SingularPoints::Convention,
            chooses_modes: true,
            keep_non_finite: false,
            strategy: minimum_cut,
        }
    }
}

/// The cheapest choice. An inner loop that would store too much over all rounds of the loops around
/// it is run again.
pub fn minimum_cut(body: &Body, facts: &Facts<'_>) -> Vec<OpId> {
    let frequencies = Frequencies::of(body);
    if let Some(chosen) = facts.costs.near.and_then(|near| all_near(body, facts, near, &frequencies)) {
        return chosen;
    }
    let chosen = cut::choose(body, facts, facts.costs, &frequencies, &[]);
    let replayed = large_loops(body, facts, &frequencies, &chosen);
    if replayed.is_empty() {
        return chosen;
    }
    let mut chosen = cut::choose(body, facts, facts.costs, &frequencies, &replayed);
    chosen.extend(replayed);
    chosen
}

/// The cheapest choice if all that is stored in loops is as cheap as what lies close by, provided
/// that it fits in there.
fn all_near(body: &Body, facts: &Facts<'_>, near: Near, frequencies: &Frequencies) -> Option<Vec<OpId>> {
    body.all_ops().any(|op| costs::is_loop(body, op)).then_some(())?;
    let chosen = cut::choose(body, facts, &facts.costs.with(near), frequencies, &[]);
    let stored = stored_with(body, facts, &chosen);
    let in_loops = stored.iter().filter(|s| frequencies.depth(s.block) > 0);
    let room = in_loops.map(|s| s.bytes.saturating_mul(s.times)).fold(0, u64::saturating_add);
    (room <= near.room).then_some(chosen)
}

/// What is stored if `chosen` is computed again.
fn stored_with(body: &Body, facts: &Facts<'_>, chosen: &[OpId]) -> Vec<Stored> {
    let mut marked = body.clone();
    mark(&mut marked, chosen, &invariant::of(body, facts));
    report::stored(&marked, facts)
}

/// Inner loops whose residuals take too much room, the outer ones of those that stand in each
/// other.
fn large_loops(body: &Body, facts: &Facts<'_>, frequencies: &Frequencies, chosen: &[OpId]) -> Vec<OpId> {
    let inner: Vec<OpId> = body
        .walk_all()
        .into_iter()
        .filter(|&op| costs::is_loop(body, op) && facts.may_run_again(op))
        .filter(|&op| body.op(op).block.is_some_and(|b| frequencies.depth(b) > 0))
        .collect();
    if inner.is_empty() {
        return inner;
    }
    let stored = stored_with(body, facts, chosen);
    let mut large: Vec<OpId> = Vec::new();
    for op in inner {
        let within = stored.iter().filter(|s| report::is_inside(body, s.block, op));
        let room: u64 = within.map(|s| s.bytes.saturating_mul(s.times)).sum();
        let nested = body.op(op).block.is_some_and(|b| large.iter().any(|&l| report::is_inside(body, b, l)));
        if room > facts.costs.largest_footprint && !nested {
            large.push(op);
        }
    }
    large
}

/// Marks what is computed again, and of the rest what is stored once.
pub(super) fn mark(body: &mut Body, again: &[OpId], once: &FxHashSet<OpId>) {
    for op in body.walk_all() {
        body.remove_attr(op, stage::ONCE);
    }
    for &op in again {
        body.set_attr(op, stage::RECOMPUTE, Attr::unit());
    }
    for &op in once.iter().filter(|op| !again.contains(op)) {
        body.set_attr(op, stage::ONCE, Attr::unit());
    }
}

/// What was decided about reverse derivatives.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub stored: Vec<Stored>,
    pub choices: Vec<Choice>,
    pub schedules: Vec<Schedule>,
    pub reruns: Vec<Rerun>,
}
