//! The two steps of the checkpoint over whole modules: a mode for each loop, then the marks.
//!
//! Both go function by function, callees first, since what a function costs its callers depends on
//! what is decided for it. The first step therefore decides about marks, too, and drops them: only
//! the second one keeps them.

use super::straight::{is_straight, surely_reached};
use super::work::{Half, own_work, work_of};
use super::{
    Callee, Facts, Policy, Prefer, Report, bounded, branches, invariant, mark, origin, report, schedule, slices,
};
use crate::analysis::costs;
use crate::analysis::custom_derivatives;
use crate::analysis::derivative_links::{Forms, Links};
use crate::analysis::effects::{Effect, Summary};
use crate::analysis::stage;
use crate::autodiff::forward;
use crate::autodiff::space::Spaces;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::{ad, func};
use caustic_ir::{Attr, Body, Module, Name, OpId, Result, SymbolOp, ValueId};
use report::Stored;
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::Schedule;
use slices::Rerun;

/// The instances whose linearizations a function calls.
fn called(symbol: &SymbolOp) -> Vec<Name> {
    let body = &symbol.body;
    let calls = body.all_ops().filter(|&op| ad::JvpCall::is(body, op));
    calls.filter_map(|op| body.callee(op)).collect()
}

/// The symbols of linearized functions whose reverse derivative is wanted, by instance.
fn by_key(module: &Module) -> FxHashMap<Name, Name> {
    let wanted = |s: &&SymbolOp| stage::is_stage(s, stage::LINEARIZED) && s.attr(stage::REVERSE).is_some();
    let symbols = module.symbols().iter().filter(wanted);
    symbols.filter_map(|s| Some((stage::instance_of(s)?, s.name))).collect()
}

/// The instances of which a function's decisions ask what they cost.
fn asked_by(symbol: &SymbolOp) -> impl Iterator<Item = Name> {
    let forward = forward::forward_calls(&symbol.body).into_iter().map(|(instance, _)| instance);
    called(symbol).into_iter().chain(forward)
}

/// Those of which any function's do.
fn asked(module: &Module, order: &[(Name, Name)]) -> FxHashSet<Name> {
    order.iter().filter_map(|(_, name)| module.get(*name)).flat_map(asked_by).collect()
}

/// Their instances and symbols, callees first.
fn in_order(module: &Module) -> Vec<(Name, Name)> {
    let known = by_key(module);
    let mut keys: Vec<Name> = known.keys().copied().collect();
    keys.sort_by_key(|k| k.as_str());
    let graph = CallGraph::of_nodes(&keys, |i, edges| {
        let Some(symbol) = known.get(&keys[i]).and_then(|name| module.get(*name)) else { return };
        edges.extend(asked_by(symbol).map(|key| (key, ())));
    });
    graph.post_order().into_iter().filter_map(|key| Some((key, *known.get(&key)?))).collect()
}

/// Chooses a mode for each loop of the linearized functions whose reverse derivative is wanted, and
/// rewrites those that are to be carried forward; whether there were any.
pub fn choose_modes(module: &mut Module, policy: &Policy, report: &mut Report) -> Result<bool> {
    // Which loops are carried forward decides what derivatives are at singular points
    // (docs/singular.md). So the machine, and what its memory holds, may not: one table chooses for
    // all of them.
    let policy = &Policy { costs: &costs::GPU, snapshots: None, ..*policy };
    let order = in_order(module);
    let regions = |b: &Body, op: OpId| costs::is_loop(b, op) || ad::JvpCall::is(b, op);
    let chooses = |name: Name| module.get(name).is_some_and(|s| s.body.all_ops().any(|op| regions(&s.body, op)));
    if !policy.chooses_modes || !order.iter().any(|&(_, name)| chooses(name)) {
        return Ok(false);
    }
    let mut plan = Plan::new(module, policy, &order);
    let without_forward = without_forward(module, &plan.links);
    let mut carried: Vec<SymbolOp> = Vec::new();
    for (key, name) in order {
        let Some(symbol) = module.get(name) else { continue };
        plan.note_calls(symbol);
        let mut symbol = symbol.clone();
        let before = plan.asked.contains(&key).then(|| plan.works(&symbol));
        let (chosen, choices) = plan.choose_forward(&symbol, &without_forward);
        for &op in &chosen {
            let facts = plan.facts(&symbol);
            let before = symbol.body.clone();
            // Calls that are carried are straight.
            let reached = |seeds: &[ValueId]| match ad::JvpCall::is(&before, op) {
                true => before.results(op).iter().copied().collect(),
                false => surely_reached(&before, &facts, op, seeds),
            };
            forward::apply(&plan.spaces, &plan.links, &mut symbol.body, op, &reached)?;
        }
        if !chosen.is_empty() {
            carried.push(symbol.clone());
        }
        report.choices.extend(choices);
        let Some(before) = before else { continue };
        let facts = plan.facts(&symbol);
        slices::choose(&mut symbol.body, &facts, policy);
        let marks = plan.mark(&mut symbol, key);
        plan.note_costs(&symbol, key, before, &marks.stored);
    }
    let (changed, links) = (!carried.is_empty(), plan.links);
    put_carried(module, &links, carried);
    Ok(changed)
}

/// Marks what the reverse pass computes again, in every linearized function whose reverse
/// derivative is wanted.
pub fn mark_all(module: &mut Module, policy: &Policy, report: &mut Report) {
    let order = in_order(module);
    if order.is_empty() {
        return;
    }
    let mut plan = Plan::new(module, policy, &order);
    let mut marked: Vec<SymbolOp> = Vec::new();
    for (key, name) in order {
        let Some(symbol) = module.get(name) else { continue };
        plan.note_calls(symbol);
        let mut symbol = symbol.clone();
        let before = plan.asked.contains(&key).then(|| plan.works(&symbol));
        let reruns = plan.choose_reruns(&mut symbol, key);
        let marks = plan.mark(&mut symbol, key);
        if let Some(before) = before {
            plan.note_costs(&symbol, key, before, &marks.stored);
        }
        report.reruns.extend(reruns);
        report.schedules.extend(marks.schedules);
        report.stored.extend(marks.stored);
        marked.push(symbol);
    }
    marked.into_iter().for_each(|symbol| module.put(symbol));
}

/// The works of a function as it was linearized, before anything is decided.
#[derive(Clone, Copy)]
struct Works {
    primal: u64,
    tangents: u64,
    /// As in [`Callee::straight`].
    straight: bool,
}

/// What [`Plan::mark`] has decided about a function.
struct Marks {
    schedules: Vec<Schedule>,
    stored: Vec<Stored>,
}

/// A step's way through the functions of a module.
struct Plan<'m> {
    module: &'m Module,
    policy: &'m Policy,
    summary: Summary,
    spaces: Spaces,
    links: Links,
    /// The instances whose value other functions need.
    asked: FxHashSet<Name>,
    /// What is known by now of instances that are called.
    callees: FxHashMap<Name, Callee>,
    /// The work of functions that are called without a derivative.
    plain: FxHashMap<Name, u64>,
}

impl<'m> Plan<'m> {
    fn new(module: &'m Module, policy: &'m Policy, order: &[(Name, Name)]) -> Plan<'m> {
        let mut plain: FxHashMap<Name, u64> = FxHashMap::default();
        for symbol in order.iter().filter_map(|(_, name)| module.get(*name)) {
            let body = &symbol.body;
            for op in body.all_ops().filter(|&op| func::Call::is(body, op)) {
                if let Some(called) = body.callee(op).and_then(|n| module.get(n)) {
                    plain.entry(called.name).or_insert_with(|| own_work(policy.costs, called));
                }
            }
        }
        let (summary, spaces, links) = (Summary::of(module), Spaces::of(module), Links::of(module));
        let asked = asked(module, order);
        Plan { module, policy, summary, spaces, links, asked, callees: FxHashMap::default(), plain }
    }

    fn facts(&self, symbol: &SymbolOp) -> Facts<'_> {
        Facts {
            effects: self.summary.all_ops(&symbol.body),
            active: origin::active(symbol),
            acts_backwards: symbol.body.all_ops().filter(|&op| self.summary.is_counted(&symbol.body, op)).collect(),
            callees: &self.callees,
            plain: &self.plain,
            links: &self.links,
            costs: self.policy.costs,
            value_is_used: stage::instance_of(symbol).is_none_or(|key| self.asked.contains(&key)),
        }
    }

    fn works(&self, symbol: &SymbolOp) -> Works {
        let (body, facts) = (&symbol.body, self.facts(symbol));
        let (primal, tangents) = (work_of(body, &facts, Half::Primal), work_of(body, &facts, Half::Tangents));
        Works { primal, tangents, straight: is_straight(body, &facts) }
    }

    /// Notes what a function's calls say about their callees.
    fn note_calls(&mut self, symbol: &SymbolOp) {
        let body = &symbol.body;
        for op in body.all_ops().filter(|&op| ad::JvpCall::is(body, op)) {
            self.note_call(body, op);
        }
        for op in body.all_ops().filter(|&op| func::Call::is(body, op)) {
            if let (Some(made), Some(of)) = (body.callee(op), body.symbol_attr(op, stage::FORWARD_OF)) {
                let callee = self.callees.get(&of).copied().unwrap_or_default();
                self.plain.entry(made).or_insert(callee.work.saturating_add(callee.forward));
            }
        }
    }

    /// Of the instance that a call of a linearization is of: what its function's attributes say,
    /// and its costs if it has a custom derivative.
    fn note_call(&mut self, body: &Body, op: OpId) {
        let module = self.module;
        let Some(key) = body.callee(op) else { return };
        let plain = body.symbol_attr(op, stage::PLAIN_CALLEE).and_then(|n| module.get(n));
        let prefer = plain.and_then(Prefer::of);
        let callee = self.callees.entry(key).or_default();
        callee.prefer = prefer;
        let Some(forms) = self.links.forms(key) else { return };
        let made = [forms.jvp, forms.primal].into_iter().find(|&n| module.contains(n));
        let pure = plain.is_some() && made.is_some_and(|n| self.summary.function(n) <= Effect::ReadsConstant);
        callee.may_run_again = pure && prefer != Some(Prefer::Checkpoint);
        let custom = module.get(forms.bwd).is_some_and(|s| s.attr(stage::CUSTOM).is_some());
        if let Some(plain) = plain.filter(|_| custom || !module.contains(forms.jvp)) {
            // A custom derivative keeps nothing.
            callee.work = own_work(self.policy.costs, plain);
            (callee.forward, callee.reverse) = (callee.work, callee.work.saturating_mul(2));
            (callee.context_bytes, callee.on_tapes, callee.straight) = (0, 0, true);
        }
    }

    /// The loops and calls of a function that are to be carried forward, and all that were asked
    /// about.
    fn choose_forward(
        &self,
        symbol: &SymbolOp,
        without_forward: &FxHashSet<Name>,
    ) -> (Vec<OpId>, Vec<forward::Choice>) {
        let has_forward = |key: Name| self.links.forms(key).is_some() && !without_forward.contains(&key);
        forward::choose(symbol, &self.facts(symbol), self.policy, &self.spaces, &has_forward)
    }

    /// Chooses the loop state that runs again by its own steps. Branches stay together unless
    /// taking them apart lets more state run again; the report says what that would cost.
    fn choose_reruns(&self, symbol: &mut SymbolOp, key: Name) -> Vec<Rerun> {
        let facts = self.facts(symbol);
        let mut reruns = slices::choose(&mut symbol.body, &facts, self.policy);
        let mut apart = symbol.clone();
        if self.split_branches(&mut apart) {
            let facts = self.facts(&apart);
            let more = slices::choose(&mut apart.body, &facts, self.policy);
            let chosen = |reruns: &[Rerun]| reruns.iter().filter(|r| r.slots.is_some()).count();
            if chosen(&more) > chosen(&reruns) {
                *symbol = apart;
                reruns = more;
            } else if more.len() > reruns.len() {
                reruns = more;
            }
        }
        reruns.iter_mut().for_each(|r| r.function = self.links.shown(key));
        reruns
    }

    /// Takes all branches apart that can be; whether there were any.
    fn split_branches(&self, symbol: &mut SymbolOp) -> bool {
        let mut split = false;
        loop {
            let facts = self.facts(symbol);
            if !branches::split_one(&mut symbol.body, &facts) {
                return split;
            }
            split = true;
        }
    }

    /// Marks what is computed again, what is stored once, and the loops that keep snapshots.
    fn mark(&self, symbol: &mut SymbolOp, key: Name) -> Marks {
        let whole = symbol.clone();
        let marks = self.mark_loops(symbol, key);
        let Some(slots) = self.policy.snapshots else { return marks };
        let apart = bounded::candidates(&whole.body, &symbol.body, self.policy.costs, slots);
        if apart.is_empty() {
            return marks;
        }
        *symbol = whole;
        apart.into_iter().for_each(|op| bounded::split(&mut symbol.body, op, slots));
        self.mark_loops(symbol, key)
    }

    fn mark_loops(&self, symbol: &mut SymbolOp, key: Name) -> Marks {
        let facts = self.facts(symbol);
        let chosen = (self.policy.strategy)(&symbol.body, &facts);
        let once = invariant::of(&symbol.body, &facts);
        mark(&mut symbol.body, &chosen, &once);
        costs::make_room(&mut symbol.body, self.policy.costs);
        let mut schedules = Vec::new();
        if let Some(slots) = self.policy.snapshots {
            let facts = self.facts(symbol);
            schedules = schedule::mark(&mut symbol.body, &facts, slots, self.policy.trust_max_iters);
        }
        let mut stored = report::stored(&symbol.body, &self.facts(symbol));
        schedules.iter_mut().for_each(|s| s.function = self.links.shown(key));
        stored.iter_mut().for_each(|r| r.function = self.links.shown(key));
        Marks { schedules, stored }
    }

    /// Notes what calls of a function cost that has been decided about.
    fn note_costs(&mut self, symbol: &SymbolOp, key: Name, before: Works, stored: &[Stored]) {
        let context_bytes = stored.iter().map(|r| r.bytes.saturating_mul(r.times)).fold(0, u64::saturating_add);
        let on_tapes = stored.iter().filter(|r| !r.counted).map(|r| r.times).fold(0, u64::saturating_add);
        // What is carried forward is primal code by now.
        let facts = self.facts(symbol);
        let more = work_of(&symbol.body, &facts, Half::Primal).saturating_sub(before.primal);
        let swept = work_of(&symbol.body, &facts, Half::Tangents);
        let callee = self.callees.entry(key).or_default();
        (callee.work, callee.straight) = (before.primal, before.straight);
        (callee.context_bytes, callee.on_tapes) = (context_bytes, on_tapes);
        (callee.forward, callee.reverse) = (before.tangents, more.saturating_add(swept + swept / 2));
    }
}

/// Where calls have become calls of forward derivatives, some backward ones are not asked for any
/// more. `roots` are the instances that are.
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

/// The instances that have no forward derivative which says what the backward one does, and for
/// which none can be made: they, or what they call, are given a backward derivative by the
/// programmer, which is what the reverse pass calls, with the effects it has; or they are not
/// linearized.
fn without_forward(module: &Module, links: &Links) -> FxHashSet<Name> {
    let given_backward = |forms: &Forms| module.get(forms.bwd).is_some_and(|s| s.attr(stage::CUSTOM).is_some());
    // What is asked of the code is its own derivative, not the one that is given in the other mode.
    let given_forward = |key: Name| {
        let function = links.function(key).and_then(|name| module.get(name));
        function.is_some_and(|s| custom_derivatives::derivative(s, stage::FORWARD).is_some())
    };
    let given: FxHashSet<Name> =
        module.symbols().iter().filter(|s| custom_derivatives::any(s)).map(|s| s.name).collect();
    let leading = custom_derivatives::leading_to(module, given, |_| true);
    let keys: Vec<Name> = links.instances().collect();
    let mut ends = Vec::new();
    let graph = CallGraph::of_nodes(&keys, |i, edges| {
        let Some(forms) = links.forms(keys[i]) else { return };
        match module.get(forms.jvp).filter(|s| stage::is_stage(s, stage::LINEARIZED)) {
            _ if given_backward(&forms) || given_forward(keys[i]) => ends.push(keys[i]),
            // An earlier round made it, of rules that are given in this mode alone, perhaps.
            _ if module.contains(forms.fwd) => {
                ends.extend(links.function(keys[i]).filter(|f| leading.contains(f)).map(|_| keys[i]));
            }
            Some(symbol) => edges.extend(called(symbol).into_iter().map(|key| (key, ()))),
            None => ends.push(keys[i]),
        }
    });
    ends.extend(graph.names().filter(|&key| links.forms(key).is_none()));
    graph.reaching(ends)
}

/// Functions with loops carried forward take the place of what they were made from, or stand beside
/// it where its forward derivative is wanted, by a request or by a loop that calls it.
fn put_carried(module: &mut Module, links: &Links, carried: Vec<SymbolOp>) {
    let linearization = |key: Name, gated: bool| links.forms(key).map(|f| f.linearization(gated));
    let is_gated = |key: Name, callee: Name| links.forms(key).is_some_and(|f| f.gated == callee);
    let is_left = |s: &SymbolOp| stage::is_stage(s, stage::LINEARIZED) && s.attr(stage::FORWARD).is_none();
    let graph = CallGraph::of_names(module, |symbol, names| {
        let body = &symbol.body;
        let calls = body.all_ops().filter(|&op| is_left(symbol) && ad::JvpCall::is(body, op));
        names.extend(calls.filter_map(|op| linearization(body.callee(op)?, body.attr(op, stage::GATED).is_some())));
    });
    let calls = carried.iter().flat_map(|s| forward::forward_calls(&s.body));
    let roots = calls.filter_map(|(key, callee)| linearization(key, is_gated(key, callee)));
    for name in graph.reachable(roots) {
        if let Some(symbol) = module.get_mut(name).filter(|s| is_left(s)) {
            symbol.set_attr(stage::FORWARD, Attr::unit());
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
