//! Step 5, checkpoint: which primal values the reverse pass stores and which it computes again.
//!
//! It stands between linearize and unzip: there, primal values and what reads them are still in one scope, so the choice is a mark on
//! each op (`ad.recompute`) that a person can see and edit, and unzip stores all else. (What the reverse pass reads is the same before
//! and after transposition: the primal operands of linear ops.)
//!
//! A [`Policy`] decides; [`minimum_cut`] takes the cheapest choice by the numbers of [`cost`]. Marks on pure ops mean computing them again;
//! marks on branches, inner loops and calls mean running those again as a whole. What was chosen is told by [`report`], from the marks.

mod branches;
mod cut;
mod flow;
pub(super) mod invariant;
mod origin;
pub mod report;
pub mod schedule;
pub mod slices;

use super::forward::{self, Choice};
use super::partials::Corners;
use super::space::Spaces;
use super::unzip::needs::is_linear;
use crate::analysis::cost::{self, Costs, Frequencies, Near};
use crate::analysis::derivative_links::Links;
use crate::analysis::effects::{Effect, Summary};
use crate::analysis::stage;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::{ad, func};
use caustic_ir::{Attr, Body, Module, Name, OpId, Result, SymbolOp, ValueId};
use report::Stored;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::Schedule;
use slices::Rerun;

/// Work of a call of a function that is not looked into.
const CALL: u64 = 64;

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
        match symbol.attr("prefer")?.as_str()? {
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
    /// What its tangents take on top of that in one direction, and what its reverse derivative does.
    pub forward: u64,
    pub reverse: u64,
    pub context_bytes: u64,
    /// Whether no control flow decides about its tangents: a zero among them is one that was computed.
    pub straight: bool,
    pub prefer: Option<Prefer>,
}

impl Default for Callee {
    fn default() -> Self {
        let work = 1 << 20;
        let (forward, reverse) = (work, work);
        Callee { may_run_again: false, work, forward, reverse, context_bytes: 64, straight: false, prefer: None }
    }
}

/// What a policy may know about a function besides its code.
pub struct Facts<'a> {
    effects: Vec<Effect>,
    /// By value: it depends on an active input.
    active: Vec<bool>,
    callees: &'a FxHashMap<Name, Callee>,
    /// The work of functions that are called without a derivative.
    plain: &'a FxHashMap<Name, u64>,
    pub links: &'a Links,
    /// Of the machine that the derivative is for.
    pub costs: &'static Costs,
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
        let name = body.attr(op, "callee").and_then(|a| a.as_symbol());
        name.and_then(|n| self.plain.get(&n)).copied().unwrap_or(1 << 20)
    }
    pub fn callee(&self, body: &Body, op: OpId) -> Callee {
        let key = body.attr(op, "callee").and_then(|a| a.as_symbol());
        key.and_then(|k| self.callees.get(&k)).copied().unwrap_or_default()
    }
}

/// How derivatives are made: a machine, what it may store, and who decides.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The machine that derivatives are made for.
    pub costs: &'static Costs,
    /// For targets that cannot allocate: loops without a constant trip count that would store in their iterations keep at most this many of their
    /// states and compute the others again. Without, they store each.
    pub snapshots: Option<i64>,
    /// What derivatives are at corners.
    pub corners: Corners,
    /// Whether loops may have their tangents carried forward.
    pub chooses_modes: bool,
    pub strategy: Strategy,
}

/// Decides between storing and computing again: gives the ops to compute again, each pure, or a branch, a loop or a call that only computes.
pub type Strategy = fn(&Body, &Facts<'_>) -> Vec<OpId>;

impl Default for Policy {
    /// The cheapest choice for a CPU.
    fn default() -> Self {
        Policy {
            costs: &cost::CPU,
            snapshots: None,
            corners: Corners::Zero,
            chooses_modes: true,
            strategy: minimum_cut,
        }
    }
}

/// The cheapest choice. An inner loop that would store too much over all rounds of the loops around it is run again.
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

/// The cheapest choice if all that is stored in loops is as cheap as what lies close by, provided that it fits in there.
fn all_near(body: &Body, facts: &Facts<'_>, near: Near, frequencies: &Frequencies) -> Option<Vec<OpId>> {
    body.all_ops().any(|op| cost::is_loop(body, op)).then_some(())?;
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

/// Inner loops whose residuals take too much room, the outer ones of those that stand in each other.
fn large_loops(body: &Body, facts: &Facts<'_>, frequencies: &Frequencies, chosen: &[OpId]) -> Vec<OpId> {
    let inner: Vec<OpId> = body
        .walk_all()
        .into_iter()
        .filter(|&op| cost::is_loop(body, op) && facts.may_run_again(op))
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

/// The instances whose linearizations a function calls.
fn called(symbol: &SymbolOp) -> Vec<Name> {
    let body = &symbol.body;
    let calls = body.all_ops().filter(|&op| ad::JvpCall::is(body, op));
    calls.filter_map(|op| body.attr(op, "callee")?.as_symbol()).collect()
}

/// The symbols of linearized functions whose reverse derivative is wanted, by instance.
fn by_key(module: &Module) -> FxHashMap<Name, Name> {
    let wanted = |s: &&SymbolOp| stage::is_stage(s, stage::LINEARIZED) && s.attr(stage::REVERSE).is_some();
    let symbols = module.symbols().iter().filter(wanted);
    symbols.filter_map(|s| Some((stage::instance_of(s)?, s.name))).collect()
}

/// Their instances and symbols, callees first.
fn in_order(module: &Module) -> Vec<(Name, Name)> {
    let known = by_key(module);
    let mut keys: Vec<Name> = known.keys().copied().collect();
    keys.sort_by_key(|k| k.as_str());
    let graph = CallGraph::of_nodes(&keys, |i, edges| {
        let Some(symbol) = known.get(&keys[i]).and_then(|name| module.get(*name)) else { return };
        let forward = forward::forward_calls(&symbol.body).into_iter().map(|(instance, _)| instance);
        edges.extend(called(symbol).into_iter().chain(forward).map(|key| (key, ())));
    });
    graph.post_order().into_iter().filter_map(|key| Some((key, *known.get(&key)?))).collect()
}

/// What was decided about reverse derivatives.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub stored: Vec<Stored>,
    pub choices: Vec<Choice>,
    pub schedules: Vec<Schedule>,
    pub reruns: Vec<Rerun>,
}

/// Chooses a mode for each loop of the linearized functions whose reverse derivative is wanted, and rewrites those that are to be carried forward.
pub fn choose_modes_module(module: &mut Module, policy: &Policy) -> Result<Vec<Choice>> {
    let mut report = Report::default();
    plan(module, policy, Step::Modes, &mut report)?;
    Ok(report.choices)
}

/// Marks what the reverse pass computes again, in every linearized function whose reverse derivative is wanted; what it stores.
pub fn checkpoint_module(module: &mut Module, policy: &Policy) -> Result<Vec<Stored>> {
    let mut report = Report::default();
    plan(module, policy, Step::Marks, &mut report)?;
    Ok(report.stored)
}

/// What [`plan`] decides about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Modes,
    Marks,
}

/// One step, function by function, callees first; whether anything changed.
pub fn plan(module: &mut Module, policy: &Policy, step: Step, report: &mut Report) -> Result<bool> {
    let order = in_order(module);
    let costs = policy.costs;
    let regions = |b: &Body, op: OpId| cost::is_loop(b, op) || ad::JvpCall::is(b, op);
    let chooses = |name: Name| module.get(name).is_some_and(|s| s.body.all_ops().any(|op| regions(&s.body, op)));
    let modes = step == Step::Modes && policy.chooses_modes;
    if order.is_empty()
        || step == Step::Modes && !modes
        || step == Step::Modes && !order.iter().any(|&(_, name)| chooses(name))
    {
        return Ok(false);
    }
    let (summary, spaces, links) = (Summary::of(module), Spaces::of(module), Links::of(module));
    let mut callees: FxHashMap<Name, Callee> = FxHashMap::default();
    let mut carried: Vec<SymbolOp> = Vec::new();
    let mut plain: FxHashMap<Name, u64> = FxHashMap::default();
    for symbol in order.iter().filter_map(|(_, name)| module.get(*name)) {
        for op in symbol.body.all_ops().filter(|&op| func::Call::is(&symbol.body, op)) {
            if let Some(called) = symbol.body.attr(op, "callee").and_then(|a| a.as_symbol()).and_then(|n| module.get(n))
            {
                plain.entry(called.name).or_insert_with(|| own_work(costs, called));
            }
        }
    }
    for (key, name) in order {
        let Some(symbol) = module.get(name) else { continue };
        for op in symbol.body.all_ops().filter(|&op| ad::JvpCall::is(&symbol.body, op)) {
            let attr = |n: &str| symbol.body.attr(op, n).and_then(|a| a.as_symbol());
            let (Some(key), plain) = (attr("callee"), attr(stage::PLAIN_CALLEE).and_then(|n| module.get(n))) else {
                continue;
            };
            let prefer = plain.and_then(Prefer::of);
            let callee = callees.entry(key).or_default();
            callee.prefer = prefer;
            let Some(forms) = links.forms(key) else { continue };
            let made = [forms.jvp, forms.primal].into_iter().find(|&n| module.contains(n));
            let pure = plain.is_some() && made.is_some_and(|n| summary.function(n) <= Effect::ReadsConstant);
            callee.may_run_again = pure && prefer != Some(Prefer::Checkpoint);
            let given = module.get(forms.bwd).is_some_and(|s| s.attr(stage::GIVEN).is_some());
            if let Some(plain) = plain.filter(|_| given || !module.contains(forms.jvp)) {
                // Its derivative is given: it keeps nothing.
                callee.work = own_work(costs, plain);
                (callee.forward, callee.reverse) = (callee.work, callee.work.saturating_mul(2));
                (callee.context_bytes, callee.straight) = (0, true);
            }
        }
        for op in symbol.body.all_ops().filter(|&op| func::Call::is(&symbol.body, op)) {
            let attr = |n: &str| symbol.body.attr(op, n).and_then(|a| a.as_symbol());
            if let (Some(made), Some(of)) = (attr("callee"), attr(stage::FORWARD_OF)) {
                let callee = callees.get(&of).copied().unwrap_or_default();
                plain.entry(made).or_insert(callee.work.saturating_add(callee.forward));
            }
        }
        let facts_of = |symbol: &SymbolOp| Facts {
            effects: summary.all_ops(&symbol.body),
            active: origin::active(symbol),
            callees: &callees,
            plain: &plain,
            links: &links,
            costs,
        };
        let mut symbol = symbol.clone();
        let work = work_of(&symbol.body, &facts_of(&symbol), Half::Primal);
        let forward = work_of(&symbol.body, &facts_of(&symbol), Half::Tangents);
        let straight = is_straight(&symbol.body, &facts_of(&symbol));
        if modes {
            let has_forward = |key: Name| has_forward(module, &links, key);
            let (chosen, choices) = forward::choose(&symbol, &facts_of(&symbol), policy, &spaces, &has_forward);
            for &op in &chosen {
                let facts = facts_of(&symbol);
                let straight = ad::JvpCall::is(&symbol.body, op) && facts.callee(&symbol.body, op).straight;
                forward::apply(&spaces, &links, &mut symbol.body, op, !straight)?;
            }
            if !chosen.is_empty() {
                carried.push(symbol.clone());
            }
            report.choices.extend(choices);
        }
        let facts = facts_of(&symbol);
        let mut reruns = slices::choose(&mut symbol.body, &facts, policy);
        if step == Step::Marks {
            // Branches stay together unless taking them apart lets more state run again; the report says what that would cost.
            let (mut apart, mut split) = (symbol.clone(), false);
            while {
                let facts = facts_of(&apart);
                branches::split_one(&mut apart.body, &facts)
            } {
                split = true;
            }
            if split {
                let facts = facts_of(&apart);
                let more = slices::choose(&mut apart.body, &facts, policy);
                let chosen = |reruns: &[Rerun]| reruns.iter().filter(|r| r.slots.is_some()).count();
                if chosen(&more) > chosen(&reruns) {
                    symbol = apart;
                    reruns = more;
                } else if more.len() > reruns.len() {
                    reruns = more;
                }
            }
        }
        reruns.iter_mut().for_each(|r| r.function = links.shown(key));
        if step == Step::Marks {
            report.reruns.extend(reruns);
        }
        let chosen = (policy.strategy)(&symbol.body, &facts_of(&symbol));
        let once = invariant::of(&symbol.body, &facts_of(&symbol));
        mark(&mut symbol.body, &chosen, &once);
        cost::make_room(&mut symbol.body, costs);
        if let Some(slots) = policy.snapshots {
            let facts = facts_of(&symbol);
            let mut schedules = schedule::mark(&mut symbol.body, &facts, slots);
            schedules.iter_mut().for_each(|s| s.function = links.shown(key));
            if step == Step::Marks {
                report.schedules.extend(schedules);
            }
        }
        let mut rows = report::stored(&symbol.body, &facts_of(&symbol));
        rows.iter_mut().for_each(|r| r.function = links.shown(key));
        let context_bytes = rows.iter().map(|r| r.bytes.saturating_mul(r.times)).fold(0, u64::saturating_add);
        // What is carried forward is primal code here.
        let facts = facts_of(&symbol);
        let more = work_of(&symbol.body, &facts, Half::Primal).saturating_sub(work);
        let swept = work_of(&symbol.body, &facts, Half::Tangents);
        let callee = callees.entry(key).or_default();
        (callee.work, callee.context_bytes, callee.straight) = (work, context_bytes, straight);
        (callee.forward, callee.reverse) = (forward, more.saturating_add(swept + swept / 2));
        if step == Step::Marks {
            report.stored.extend(rows);
            module.put(symbol);
        }
    }
    let changed = step == Step::Marks || !carried.is_empty();
    put_carried(module, &links, carried);
    Ok(changed)
}

/// Where calls have become calls of forward derivatives, some backward ones are not asked for any more. `roots` are the instances that are.
pub fn forget_unused(module: &mut Module, roots: Vec<Name>) {
    let known = by_key(module);
    let keys: Vec<Name> = known.keys().copied().collect();
    let graph = CallGraph::of_nodes(&keys, |i, edges| {
        if let Some(symbol) = known.get(&keys[i]).and_then(|name| module.get(*name)) {
            edges.extend(called(symbol).into_iter().map(|key| (key, ())));
        }
    });
    let used = graph.reachable(roots);
    for (_, name) in known.iter().filter(|(key, _)| !used.contains(key)) {
        if let Some(symbol) = module.get_mut(*name) {
            symbol.remove_attr(stage::REVERSE);
        }
    }
}

/// Whether the forward derivative of an instance exists or can be made, with all that it calls, and says what the backward one does: where the
/// programmer gives a backward derivative, that is what the reverse pass calls, with the effects it has.
fn has_forward(module: &Module, links: &Links, key: Name) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![key];
    while let Some(key) = work.pop() {
        if !seen.insert(key) {
            continue;
        }
        let Some(forms) = links.forms(key) else { return false };
        if module.get(forms.bwd).is_some_and(|s| s.attr(stage::GIVEN).is_some()) {
            return false;
        }
        if module.contains(forms.fwd) {
            continue;
        }
        match module.get(forms.jvp).filter(|s| stage::is_stage(s, stage::LINEARIZED)) {
            Some(symbol) => work.extend(called(symbol)),
            None => return false,
        }
    }
    true
}

/// Functions with loops carried forward take the place of what they were made from, or stand beside it where its forward derivative is wanted, by
/// a request or by a loop that calls it.
fn put_carried(module: &mut Module, links: &Links, carried: Vec<SymbolOp>) {
    let linearization = |key: Name, gated: bool| links.forms(key).map(|f| f.linearization(gated));
    let calls = carried.iter().flat_map(|s| forward::forward_calls(&s.body));
    let is_gated = |key: Name, callee: Name| links.forms(key).is_some_and(|f| f.gated == callee);
    let mut work: Vec<Name> = calls.filter_map(|(key, callee)| linearization(key, is_gated(key, callee))).collect();
    while let Some(name) = work.pop() {
        if let Some(symbol) = module.get_mut(name)
            && stage::is_stage(symbol, stage::LINEARIZED)
            && symbol.attr(stage::FORWARD).is_none()
        {
            symbol.set_attr(stage::FORWARD, Attr::unit());
            let body = &symbol.body;
            let calls = body.all_ops().filter(|&op| ad::JvpCall::is(body, op));
            work.extend(calls.filter_map(|op| {
                let key = body.attr(op, "callee")?.as_symbol()?;
                linearization(key, body.attr(op, stage::GATED).is_some())
            }));
        }
    }
    for mut symbol in carried {
        let Some(original) = module.get_mut(symbol.name) else { continue };
        if original.attr(stage::FORWARD).is_some() {
            original.remove_attr(stage::REVERSE);
            symbol.name = module.fresh_name(&format!("{}.reverse", symbol.name));
        }
        symbol.remove_attr(stage::FORWARD);
        module.put(symbol);
    }
}

/// Whether no condition decides about a function's tangents.
fn is_straight(body: &Body, facts: &Facts<'_>) -> bool {
    body.all_ops().all(|op| match () {
        _ if ad::JvpCall::is(body, op) => facts.callee(body, op).straight,
        _ if ad::TSelect::is(body, op) => false,
        _ => body.op(op).regions.is_empty() || !body.results(op).iter().any(|&r| ad::is_tangent(body.ty(r))),
    })
}

/// The work of one call of a function; each that it calls counts as much as a few ops.
fn own_work(costs: &Costs, symbol: &SymbolOp) -> u64 {
    let body = &symbol.body;
    let frequencies = Frequencies::of(body);
    let runs = |op: OpId| body.op(op).block.map_or(1, |b| frequencies.runs(b));
    let once = |op: OpId| if func::Call::is(body, op) { CALL } else { costs.work(body, op) };
    let works = body.walk_all().into_iter().map(|op| once(op).saturating_mul(runs(op)));
    works.fold(0, u64::saturating_add).min(MOST_WORK)
}

/// Works are no larger, so that sums of them fit.
const MOST_WORK: u64 = 1 << 40;

/// A half of a linearized function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Primal,
    Tangents,
}

/// The work of one half in one call, with what it calls.
fn work_of(body: &Body, facts: &Facts<'_>, half: Half) -> u64 {
    let frequencies = Frequencies::of(body);
    let mut sum = 0u64;
    for op in body.walk_all() {
        let linear = body.op(op).regions.is_empty() && is_linear(body, op);
        let once = match half {
            _ if ad::JvpCall::is(body, op) => {
                let callee = facts.callee(body, op);
                if half == Half::Primal { callee.work } else { callee.forward }
            }
            Half::Primal if linear => 0,
            Half::Tangents if !linear => 0,
            _ => facts.costs.work(body, op),
        };
        let runs = body.op(op).block.map_or(1, |b| frequencies.runs(b));
        sum = sum.saturating_add(once.saturating_mul(runs));
    }
    sum.min(MOST_WORK)
}
