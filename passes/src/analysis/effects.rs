//! What executing an op, a region or a function may do besides computing its results.
//!
//! Ops say it in their rows; a call does what its callee does, so a [`Summary`] is made of the
//! whole module first. Recursion is resolved optimistically: a function that only calls itself does
//! nothing. A callee that the module does not define may do anything.
//!
//! What a function's code says by itself ([`Facts`]) is kept beside what follows from it, so that
//! after a pass only functions that it changed are looked at again ([`Summary::update`]).

use super::custom_derivatives;
use super::derivative_links::Links;
use super::memory::{Flow, Flows, Place, Written, place};
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::agg::as_buffer;
use caustic_dialects::call_graph::{CallGraph, callee};
use caustic_dialects::{ad, func};
use caustic_ir::op::{Access, MemoryUse};
use caustic_ir::{Body, Effects, Module, Name, OpId, SymbolOp, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// In rising order: what does less can go where what does more can.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Equal operands give equal results; can go when unused.
    Pure,
    /// Reads memory that nobody writes while a dispatch runs: as good as computing.
    ReadsConstant,
    /// Depends on memory that others may write; can go when unused.
    Reads,
    /// Has to happen, and in order.
    Writes,
}

/// What a function's code says by itself: nothing else of the module counts for it than which
/// symbols there are, and their attributes.
#[derive(Clone, PartialEq, Debug)]
struct Facts {
    /// Of all ops, calls and reads of buffers left out.
    effect: Effect,
    /// Buffers that it reads and something may write: they belong there.
    reads: Vec<Place>,
    /// What it calls, each once.
    targets: Vec<Name>,
    /// What its `func.call` ops name, each once.
    callees: Vec<Name>,
    flows: Vec<Flow>,
}

/// Effects of a module's functions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// In the order of the module's symbols.
    facts: Vec<Facts>,
    by_name: FxHashMap<Name, Effect>,
    /// Buffers that something may write.
    written: Written,
    links: Links,
    /// Functions of which each call counts while derivatives are asked for.
    counted: FxHashSet<Name>,
}

enum Target {
    Function(Name),
    /// The first of these that exists.
    Either(Name, Name),
    /// Linear code only computes.
    LinearHalf,
    Unknown,
}

impl Target {
    fn in_module(self, module: &Module) -> Target {
        match self {
            Target::Either(first, second) => Target::Function(if module.contains(first) { first } else { second }),
            other => other,
        }
    }

    /// Whether the module has the code.
    fn is_known(&self, module: &Module) -> bool {
        match self {
            Target::Function(name) => {
                module.get(*name).is_some_and(|s| s.body.entry().is_some() || ad::requested(s).is_some())
            }
            Target::Either(..) | Target::LinearHalf | Target::Unknown => false,
        }
    }
}

fn target(links: &Links, body: &Body, op: OpId) -> Target {
    let Some(callee) = body.callee(op) else { return Target::Unknown };
    if func::Call::is(body, op) {
        // Until the forward derivative is made, what it is made of tells.
        let forward_of = body.attr(op, stage::FORWARD_OF).and_then(|a| a.as_symbol());
        return match forward_of.and_then(|instance| links.forms(instance)) {
            Some(forms) => Target::Either(callee, forms.linearization(callee == forms.gated)),
            None => Target::Function(callee),
        };
    }
    // The others name an instance; the code stands in its forms.
    match links.forms(callee) {
        _ if ad::LinearCall::is(body, op) => Target::LinearHalf,
        Some(forms) if ad::JvpCall::is(body, op) => {
            let gated = body.attr(op, stage::GATED).is_some();
            Target::Either(forms.linearization(gated), forms.primal)
        }
        Some(forms) if ad::PrimalCall::is(body, op) => Target::Function(forms.rev),
        // A backward derivative that the programmer gives may write gradients to memory.
        Some(forms) if ad::TransposeCall::is(body, op) => {
            let half = links.backward(callee, stage::form_of(body, op));
            Target::Either(half.unwrap_or(forms.bwd), forms.rev)
        }
        _ => Target::Unknown,
    }
}

impl Facts {
    fn of(module: &Module, links: &Links, flows: &mut Flows, symbol: &SymbolOp) -> Facts {
        let body = &symbol.body;
        let (mut effect, mut reads, mut targets, mut callees) = (Effect::Pure, Vec::new(), Vec::new(), Vec::new());
        let mut seen = [FxHashSet::default(), FxHashSet::default()];
        for op in body.all_ops() {
            let def = body.op(op).def;
            if def.effects != Effects::Call {
                flows.add(body, op, || false);
                effect = effect.max(of_op(body, op, |place| {
                    if !reads.contains(&place) {
                        reads.push(place);
                    }
                    false
                }));
                continue;
            }
            let target = target(links, body, op).in_module(module);
            flows.add(body, op, || target.is_known(module));
            match target {
                Target::Function(name) if seen[0].insert(name) => targets.push(name),
                Target::Function(_) | Target::Either(..) | Target::LinearHalf => {}
                Target::Unknown => effect = Effect::Writes,
            }
            callees.extend(callee(body, op).filter(|name| seen[1].insert(*name)));
        }
        Facts { effect, reads, targets, callees, flows: flows.take() }
    }

    /// What its code does besides what it calls.
    fn effect(&self, written: &Written) -> Effect {
        let read = if self.reads.iter().any(|&place| written.place(place)) { Effect::Reads } else { Effect::Pure };
        self.effect.max(read)
    }
}

/// What a symbol does by itself, and the functions whose effects are its own too.
fn direct<'f>(
    sources: &FxHashSet<Name>,
    written: &Written,
    symbol: &SymbolOp,
    facts: &'f Facts,
) -> (Effect, Cow<'f, [Name]>) {
    if let Some(of) = ad::requested(symbol) {
        // A derivative that is not made yet does what its function does, and what custom
        // derivatives do that it leads to.
        let given = if sources.contains(&of) { Effect::Writes } else { Effect::Pure };
        return (given, vec![of].into());
    }
    if symbol.body.entry().is_none() || custom_derivatives::is_silent(symbol, &[stage::FORWARD, stage::REVERSE]) {
        return (Effect::Writes, Cow::default());
    }
    (facts.effect(written), facts.targets.as_slice().into())
}

/// What an op does by itself, calls left out. `is_written`: whether a buffer that belongs there may
/// be written.
fn of_op(body: &Body, op: OpId, mut is_written: impl FnMut(Place) -> bool) -> Effect {
    let def = body.op(op).def;
    let effect = of_row(def.effects);
    if effect != Effect::Reads || def.memory.is_empty() {
        return effect;
    }
    let constant = |entry: &MemoryUse| {
        let buffer = body.operand(op, entry.operand);
        let is_constant = |(_, writable): (Type, bool)| !writable || !is_written(place(body, buffer));
        entry.access != Access::Reads || as_buffer(body.ty(buffer)).is_some_and(is_constant)
    };
    if def.memory.iter().all(constant) { Effect::ReadsConstant } else { effect }
}

fn of_row(effects: Effects) -> Effect {
    match effects {
        Effects::Pure | Effects::Regions | Effects::Terminator => Effect::Pure,
        Effects::Reads => Effect::Reads,
        Effects::Writes | Effects::Call | Effects::Symbol => Effect::Writes,
    }
}

impl Summary {
    pub fn of(module: &Module) -> Summary {
        let (links, mut flows) = (Links::of(module), Flows::default());
        let facts = module.symbols().iter().map(|s| Facts::of(module, &links, &mut flows, s)).collect();
        let mut found = Summary { facts, links, ..Summary::default() };
        found.conclude(module);
        found
    }

    /// Makes this, which was that of `module`, its own again after the code of `changed` changed
    /// and nothing else did.
    pub fn update(&mut self, module: &Module, changed: &FxHashSet<Name>) {
        if changed.is_empty() {
            return;
        }
        let (mut flows, mut same) = (Flows::default(), true);
        for (symbol, facts) in module.symbols().iter().zip(&mut self.facts) {
            if changed.contains(&symbol.name) {
                let now = Facts::of(module, &self.links, &mut flows, symbol);
                same &= now == *facts;
                *facts = now;
            }
        }
        if !same {
            self.conclude(module);
        }
    }

    /// What follows from the facts.
    fn conclude(&mut self, module: &Module) {
        let facts = std::mem::take(&mut self.facts);
        let mut by_name: FxHashMap<Name, Effect> = FxHashMap::default();
        let sources = custom_derivatives::sources(module);
        let written = Written::of(module, facts.iter().flat_map(|f| &f.flows));
        let mut own = facts.iter();
        let graph = CallGraph::of_names(module, |symbol, names| {
            let Some(facts) = own.next() else { return };
            let (mut effect, targets) = direct(&sources, &written, symbol, facts);
            for &target in &*targets {
                if module.contains(target) {
                    names.push(target);
                } else {
                    effect = Effect::Writes;
                }
            }
            by_name.insert(symbol.name, effect);
        });
        // A function does what any that it leads to does. The greatest effect comes last.
        for effect in [Effect::ReadsConstant, Effect::Reads, Effect::Writes] {
            let own = by_name.iter().filter(|(_, e)| **e == effect).map(|(name, _)| *name);
            for name in graph.reaching(own.collect::<Vec<_>>()) {
                by_name.entry(name).and_modify(|known| *known = effect.max(*known));
            }
        }
        let links = std::mem::take(&mut self.links);
        *self = Summary { facts, by_name, written, links, counted: FxHashSet::default() };
        self.counted = self.counted_in(module);
    }

    /// The functions that lead to a custom derivative which acts on memory, or to one of a function
    /// that reads memory which may change: two equal calls are two calls of that derivative, each
    /// with a cotangent of its own. Once all derivatives are made the calls of these stand in the
    /// code.
    #[mutant(Site::CseGiven => FxHashSet::default())]
    fn counted_in(&self, module: &Module) -> FxHashSet<Name> {
        let is_asked = |s: &SymbolOp| ad::is_request(s) || s.attr(custom_derivatives::ASKED_LATER).is_some();
        if !module.symbols().iter().any(is_asked) {
            return FxHashSet::default();
        }
        let acts = |s: &SymbolOp| {
            let derivatives =
                [stage::FORWARD, stage::REVERSE].into_iter().filter_map(|mode| custom_derivatives::derivative(s, mode));
            let writes = derivatives.map(|d| self.function(d)).any(|effect| effect == Effect::Writes);
            custom_derivatives::any(s) && (writes || self.function(s.name) >= Effect::Reads)
        };
        let found = module.symbols().iter().filter(|s| acts(s)).map(|s| s.name).collect();
        custom_derivatives::leading_to(module, found, |_| true)
    }

    /// Whether a call must stay one by itself, though another one is equal.
    pub fn is_counted(&self, body: &Body, op: OpId) -> bool {
        // A call of a linearization names the function as well.
        let named = |attr: &str| body.attr(op, attr).and_then(|a| a.as_symbol());
        let counted = |name: Option<Name>| name.is_some_and(|n| self.counted.contains(&n));
        !self.counted.is_empty() && (counted(named("callee")) || counted(named(stage::PLAIN_CALLEE)))
    }

    /// Whether something in the module may write the buffer.
    pub fn is_written(&self, buffer: Name) -> bool {
        self.written.resource(buffer)
    }
    /// What a call of `name` does.
    pub fn function(&self, name: Name) -> Effect {
        self.by_name.get(&name).copied().unwrap_or(Effect::Writes)
    }

    /// What `op` does, without what its regions do.
    pub fn op(&self, body: &Body, op: OpId) -> Effect {
        match body.op(op).def.effects {
            Effects::Call => match target(&self.links, body, op) {
                Target::Function(name) => self.function(name),
                Target::Either(first, second) => {
                    self.by_name.get(&first).copied().unwrap_or_else(|| self.function(second))
                }
                Target::LinearHalf => Effect::Pure,
                Target::Unknown => Effect::Writes,
            },
            _ => of_op(body, op, |place| self.written.place(place)),
        }
    }

    /// [`Self::all_ops`] for who moves or shares ops: a call that must stay one by itself stays
    /// where it is.
    pub fn moved_ops(&self, body: &Body) -> Vec<Effect> {
        let mut effects = self.all_ops(body);
        for op in body.all_ops().filter(|&op| self.is_counted(body, op)) {
            effects[op.index()] = Effect::Writes;
        }
        effects
    }

    /// By op number: what each op does, regions included.
    pub fn all_ops(&self, body: &Body) -> Vec<Effect> {
        let mut effects = vec![Effect::Pure; body.num_ops()];
        // An op comes before what is nested in it, so that from the end all nested ones are known.
        for op in body.walk_all().into_iter().rev() {
            let effect = effects[op.index()].max(self.op(body, op));
            effects[op.index()] = effect;
            if let Some(parent) = body.op(op).block.and_then(|b| body.parent_op(b)) {
                effects[parent.index()] = effects[parent.index()].max(effect);
            }
        }
        effects
    }
}
