//! Requests for derivatives, the `ad.derivative` symbols: which of them a round serves, and what
//! they ask for.

use super::activity::Instance;
use super::custom;
use crate::analysis::custom_derivatives;
use crate::analysis::derivative_links::Links;
use crate::analysis::stage;
use caustic_dialects::ad::{self, is_request};
use caustic_dialects::call_graph::{CallGraph, callees};
use caustic_dialects::signature::Signature;
use caustic_ir::{Diagnostic, Module, Name, SymbolOp};
use rustc_hash::FxHashSet;

/// The mode that a request asks for.
pub(super) fn wants(symbol: &SymbolOp) -> &'static str {
    if ad::asks_forward(symbol) { stage::FORWARD } else { stage::REVERSE }
}

/// The requests whose function, with all it calls, contains no further request.
pub(super) fn ready_requests(module: &Module) -> Vec<Name> {
    let requests = || module.symbols().iter().filter(|s| is_request(s));
    if requests().next().is_none() {
        return Vec::new();
    }
    let graph = CallGraph::of_names(module, |symbol, names| {
        names.extend(callees(symbol).chain(custom_derivatives::substitute(symbol)));
    });
    // What leads to a request has to wait for it.
    let waiting = graph.reaching(requests().map(|s| s.name));
    let is_ready = |s: &&SymbolOp| ad::requested(s).is_some_and(|of| !waiting.contains(&of));
    requests().filter(is_ready).map(|s| s.name).collect()
}

/// Whether requests are left for a later round.
pub(super) fn waits(module: &Module) -> bool {
    module.symbols().iter().filter(|s| is_request(s)).count() > ready_requests(module).len()
}

/// The functions whose derivatives, made in this round, are differentiated again: requests that
/// wait need them.
pub(super) fn nested(module: &Module) -> FxHashSet<Name> {
    let ready: FxHashSet<Name> = ready_requests(module).into_iter().collect();
    let waiting = module.symbols().iter().filter(|s| is_request(s) && !ready.contains(&s.name));
    // A request leads to its function.
    let graph = CallGraph::of_names(module, |symbol, names| {
        names.extend(ad::requested(symbol));
        names.extend(symbol.body.all_ops().filter_map(|op| symbol.body.callee(op)));
        names.extend(custom_derivatives::substitute(symbol));
    });
    let needed = graph.reachable(waiting.filter_map(ad::requested));
    let below = needed.into_iter().filter_map(|name| module.get(name)).filter_map(ad::requested);
    graph.reachable(below)
}

/// The instance that a request asks for.
pub(super) fn requested(module: &Module, request: &SymbolOp) -> Result<(Instance, Signature), Diagnostic> {
    let of = ad::requested(request);
    let target = of.and_then(|n| module.get(n)).map(|t| custom_derivatives::differentiated(module, t));
    let signature = target.and_then(Signature::of);
    match (target, signature) {
        (Some(t), Some(s)) => {
            let mut instance = Instance::all_active(t, &s);
            if request.attr(custom::transposed::WRT).is_some() {
                let wrt = stage::mask_of(request, custom::transposed::WRT);
                instance.active.iter_mut().zip(wrt).for_each(|(active, wanted)| *active &= wanted);
            }
            Ok((instance, s))
        }
        _ => Err(Diagnostic::invalid_ir(request.loc, format!("@{} is the derivative of no function", request.name))),
    }
}

/// The instances whose reverse derivatives this round's requests name.
pub(super) fn reverse_roots(module: &Module) -> Vec<Name> {
    let links = Links::of(module);
    let requests = ready_requests(module).into_iter().filter_map(|n| module.get(n));
    let reverse = requests.filter(|r| wants(r) == stage::REVERSE);
    reverse.filter_map(|r| Some(links.find(&requested(module, r).ok()?.0)?.instance)).collect()
}
