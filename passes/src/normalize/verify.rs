//! The check of the normalized form, run behind the pipeline. A diagnostic is a fault of the
//! compiler, but for recursion.
//!
//! Normalized form:
//! - no op, symbol or type of `hl`; functions are `func.func` with one block that ends with
//!   `func.return`, the only return;
//! - regions of `scf` have one block each, which ends with the terminator that belongs there;
//! - the first region of an `scf.while` is pure and forwards exactly its arguments, in order;
//! - an `scf.for` counts an index from 0 by 1;
//! - differentiable functions do not call themselves, directly or through others, where the
//!   derivative of the call is needed: neither the calls with `no_diff` nor the code of functions
//!   whose derivative is given, or which another one substitutes, count.

use crate::analysis::consts::Constants;
use crate::analysis::custom_derivatives;
use crate::analysis::while_loops::WhileLoop;
use crate::manager::{Changed, PassReport};
use crate::passes;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::signature::DIFFERENTIABLE;
use caustic_dialects::{ad, func, hl, scf};
use caustic_ir::codes;
use caustic_ir::{Body, Diagnostic, Effects, Loc, Module, Name, OpId, SymbolOp};
use rustc_hash::FxHashSet;

passes! {
    /// Checks that the module is in normalized form, and that no differentiable function calls
    /// itself.
    pub static VERIFY_NORMALIZED: "verify-normalized" {
        level: module, options: none, before: "func scf arith math vector agg, ad.derivative", after: "the same", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let found = verify_module(module);
            if found.is_empty() { Ok(Changed::No) } else { Err(found) }
        },
    }
}

/// Checks one symbol.
pub fn verify_normalized(symbol: &SymbolOp) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut fail = |loc: Loc, text: String| {
        found.push(Diagnostic::internal(loc, format!("@{}: not in normalized form: {text}", symbol.name)));
    };
    if symbol.def.dialect() == "hl" {
        fail(symbol.loc, format!("{} is left", symbol.def.name));
    }
    if let Some((inputs, results)) = symbol.function_type()
        && inputs.iter().chain(results).any(|&ty| hl::as_ref(ty).is_some())
    {
        fail(symbol.loc, "a ref in the function's type".into());
    }
    let body = &symbol.body;
    if let Some(entry) = body.entry() {
        if body.region(body.root()).blocks.len() > 1 {
            fail(symbol.loc, "more than one block".into());
        }
        if !body.terminator(entry).is_some_and(|t| func::Return::is(body, t)) {
            fail(symbol.loc, "the function does not end with func.return".into());
        }
    }
    for op in body.walk_all() {
        if let Some(text) = check_op(body, op) {
            fail(body.loc(op), format!("{}: {text}", body.op(op).def.name));
        }
    }
    found
}

fn check_op(body: &Body, op: OpId) -> Option<String> {
    let data = body.op(op);
    if data.def.dialect() == "hl" {
        return Some("is left".into());
    }
    if data.results.iter().any(|&v| hl::as_ref(body.ty(v)).is_some()) {
        return Some("gives a ref".into());
    }
    if func::Return::is(body, op) && data.block.is_some_and(|b| body.parent_op(b).is_some()) {
        return Some("is not at the end of the function".into());
    }
    if data.def.dialect() == "scf" {
        for (i, &region) in data.regions.iter().enumerate() {
            let blocks = &body.region(region).blocks;
            let optional = scf::If::is(body, op) && i == 1 && data.results.is_empty();
            if blocks.is_empty() && optional {
                continue;
            }
            let [block] = blocks.as_slice() else { return Some("a region does not have exactly one block".into()) };
            let wanted = if scf::While::is(body, op) && i == 0 { scf::Condition::DEF } else { scf::Yield::DEF };
            if !body.terminator(*block).is_some_and(|t| body.is(t, wanted)) {
                return Some(format!("region {i} does not end with {}", wanted.name));
            }
        }
    }
    if scf::While::is(body, op) {
        if WhileLoop::of(body, op).is_none() {
            return Some("the first region does not forward exactly its arguments".into());
        }
        let impure = body.walk(data.regions[0]).into_iter().find(|&inner| {
            !matches!(body.op(inner).def.effects, Effects::Pure | Effects::Regions | Effects::Terminator)
        });
        if let Some(inner) = impure {
            return Some(format!("the condition has an effect: {}", body.op(inner).def.name));
        }
    }
    if let Some(counted) = scf::For::cast(body, op) {
        let mut constants = Constants::default();
        let normal = body.ty(counted.lower(body)).is_index()
            && constants.int(body, counted.lower(body)) == Some(0)
            && constants.int(body, counted.step(body)) == Some(1);
        if !normal {
            return Some("does not count an index from 0 by 1".into());
        }
    }
    None
}

/// Checks a module: each symbol, and that no differentiable function is recursive.
pub fn verify_module(module: &Module) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = module.symbols().iter().flat_map(verify_normalized).collect();
    found.extend(recursion(module));
    found
}

/// What each function calls whose derivative its own needs, with the place of the first call.
fn calls(module: &Module) -> CallGraph<Loc> {
    CallGraph::of(module.symbols(), |symbol, edges| {
        edges.extend(ad::requested(symbol).map(|of| (of, symbol.loc)));
        let substitute = custom_derivatives::substitute(symbol);
        edges.extend(substitute.map(|instead| (instead, symbol.loc)));
        if custom_derivatives::any(symbol) || substitute.is_some() {
            return;
        }
        let body = &symbol.body;
        for op in body.walk_all() {
            if body.op(op).def.effects == Effects::Call
                && !func::Call(op).no_diff(body)
                && let Some(callee) = body.callee(op)
                && !edges.iter().any(|&(name, _)| name == callee)
            {
                edges.push((callee, body.loc(op)));
            }
        }
    })
}

/// A cycle through each differentiable function, if there is one.
fn recursion(module: &Module) -> Vec<Diagnostic> {
    let graph = calls(module);
    let differentiable = |name: &Name| module.get(*name).is_some_and(|s| s.attr(DIFFERENTIABLE).is_some());
    let circular = graph.components().into_iter().filter(|c| graph.is_circle(c) && c.iter().any(differentiable));
    let circular: FxHashSet<Name> = circular.flatten().collect();
    let mut found = Vec::new();
    let mut done: FxHashSet<Name> = FxHashSet::default();
    for root in module.symbols().iter().map(|s| s.name).filter(|name| circular.contains(name)) {
        if !done.insert(root) {
            continue;
        }
        // Each call that leads back to a function on the path closes a circle.
        let edges = |name: Name| graph.edges(name).map(|(callee, loc)| (callee, *loc)).collect::<Vec<_>>().into_iter();
        let mut path = vec![(root, edges(root))];
        while let Some((_, calls)) = path.last_mut() {
            let Some((callee, loc)) = calls.next() else {
                path.pop();
                continue;
            };
            if let Some(from) = path.iter().position(|(name, _)| *name == callee) {
                let circle: Vec<Name> = path[from..].iter().map(|(name, _)| *name).collect();
                if circle.iter().any(differentiable) {
                    found.push(recursive_call(module, &circle, loc));
                }
            } else if circular.contains(&callee) && done.insert(callee) {
                path.push((callee, edges(callee)));
            }
        }
    }
    found
}

fn recursive_call(module: &Module, cycle: &[Name], loc: Loc) -> Diagnostic {
    let names: Vec<&str> = cycle.iter().map(|n| n.as_str()).collect();
    let mut d = Diagnostic::error(codes::E0404, loc, format!("`{}` is differentiable and calls itself", names[0]))
        .with_label("this call closes the circle")
        .with_note("a recursive function cannot be differentiated: write the recursion as a loop, give its derivative, or mark the call `no_diff` if none shall flow through it");
    if names.len() > 1 {
        d = d.with_note(format!("the circle: {} -> {}", names.join(" -> "), names[0]));
    }
    match module.get(cycle[0]) {
        Some(symbol) => d.with_label_at(symbol.loc, "the function"),
        None => d,
    }
}
