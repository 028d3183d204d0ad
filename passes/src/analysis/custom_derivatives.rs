//! Derivatives that the programmer gives to a function: what its attributes say of them, and which
//! functions lead to one.

use super::stage;
use caustic_dialects::call_graph::{CallGraph, callees};
use caustic_dialects::signature::{
    BACKWARD_DERIVATIVE, CUSTOM, DIFFERENTIABLE, FORWARD_DERIVATIVE, PRIMAL_SUBSTITUTE, Signature, ZERO,
};
use caustic_dialects::{ad, func};
use caustic_ir::{Attr, Body, Module, Name, OpId, SymbolOp};
use rustc_hash::FxHashSet;

/// Marks the call of a custom derivative: its own derivative must exist where one is needed.
pub const CUSTOM_CALL: &str = "ad.custom";

/// Marks a function with a custom derivative that more may lead to than the module asks for: a
/// library, say, asks once the program is normalized. Until then two equal calls are two.
pub const ASKED_LATER: &str = "asked_later";

/// Sets [`ASKED_LATER`] wherever it means something, or takes it away.
pub fn ask_later(module: &mut Module, later: bool) {
    for symbol in module.symbols_mut() {
        match later {
            true if any(symbol) => symbol.set_attr(ASKED_LATER, Attr::unit()),
            true => {}
            false => symbol.remove_attr(ASKED_LATER),
        }
    }
}

/// The function given as the derivative in this mode.
pub fn derivative(symbol: &SymbolOp, mode: &str) -> Option<Name> {
    let forward = mode == stage::FORWARD || mode == stage::GATED;
    symbol.symbol_attr(if forward { FORWARD_DERIVATIVE } else { BACKWARD_DERIVATIVE })
}

pub fn substitute(symbol: &SymbolOp) -> Option<Name> {
    symbol.symbol_attr(PRIMAL_SUBSTITUTE)
}

pub fn any(symbol: &SymbolOp) -> bool {
    symbol.attr(FORWARD_DERIVATIVE).is_some() || symbol.attr(BACKWARD_DERIVATIVE).is_some()
}

pub fn is_zero(symbol: &SymbolOp) -> bool {
    symbol.attr(DIFFERENTIABLE).and_then(|a| a.as_str()) == Some(ZERO)
}

/// Whether no mode's derivative is made from the function's own code.
pub fn replaces_code(symbol: &SymbolOp) -> bool {
    let both = symbol.attr(FORWARD_DERIVATIVE).is_some() && symbol.attr(BACKWARD_DERIVATIVE).is_some();
    both || any(symbol) && symbol.attr(DIFFERENTIABLE).and_then(|a| a.as_str()) == Some(CUSTOM)
}

/// The function whose derivatives `symbol` has: itself, or what substitutes it.
pub fn differentiated<'m>(module: &'m Module, mut symbol: &'m SymbolOp) -> &'m SymbolOp {
    // A chain of substitutes is followed as far as there are functions; one that leads back ends
    // anywhere in it.
    for _ in 0..module.symbols().len() {
        match substitute(symbol).and_then(|n| module.get(n)) {
            Some(next) => symbol = next,
            None => break,
        }
    }
    symbol
}

/// The functions that call one with a custom derivative, or are one.
pub fn sources(module: &Module) -> FxHashSet<Name> {
    let found = module.symbols().iter().filter(|s| any(s)).map(|s| s.name).collect();
    leading_to(module, found, |_| true)
}

/// Whether a derivative could flow through the results of a call.
pub fn gives_differentiable(body: &Body, op: OpId) -> bool {
    body.results(op).iter().any(|&r| ad::differential_type(body.ty(r)).is_some())
}

/// The functions in which a custom derivative that has none itself is called, and gives something
/// that could carry one.
pub fn hidden_reads(module: &Module) -> FxHashSet<Name> {
    let is_hidden = |body: &Body, op: OpId| {
        let callee = body.callee(op).and_then(|n| module.get(n));
        body.attr(op, CUSTOM_CALL).is_some()
            && callee.is_some_and(|c| c.attr(DIFFERENTIABLE).is_none())
            && gives_differentiable(body, op)
    };
    let holds = |s: &&SymbolOp| s.body.all_ops().any(|op| func::Call::is(&s.body, op) && is_hidden(&s.body, op));
    module.symbols().iter().filter(holds).map(|s| s.name).collect()
}

/// Whether a function has a derivative given in one of these modes that no tangent or cotangent
/// leads to: a call of it is no dead code.
pub fn is_silent(symbol: &SymbolOp, modes: &[&str]) -> bool {
    let gives_nothing = |s: Signature| (0..s.results.len()).all(|i| s.result_differential(i).is_none());
    modes.iter().any(|mode| derivative(symbol, mode).is_some()) && Signature::of(symbol).is_some_and(gives_nothing)
}

/// `found` with the functions of which `passes_on` holds and that call one of them, directly or
/// through others.
pub fn leading_to(module: &Module, found: FxHashSet<Name>, passes_on: impl Fn(&SymbolOp) -> bool) -> FxHashSet<Name> {
    if found.is_empty() {
        return found;
    }
    let graph = CallGraph::of_names(module, |symbol, names| {
        if passes_on(symbol) {
            names.extend(callees(symbol).chain(substitute(symbol)));
        }
    });
    graph.reaching(found)
}
