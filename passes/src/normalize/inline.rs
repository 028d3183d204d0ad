//! Step 3, `inline-forced`: calls of functions marked `force_inline` become the function's body,
//! and so do those of small functions that are given a resource and read it with a derivative of
//! its own (`DiffBuffer`, `DiffTensorView`, or one that the program gives).
//!
//! Of a function that stays, the reverse derivative keeps the context, of which the resource is a
//! part; in a loop that is one for each iteration, though each is the same.
//!
//! Callees are inlined into before they are inlined, so that each call is expanded once. A function
//! that has to be inlined into itself is an error at the call. A call that means something to
//! differentiation stays until that is done; optimization expands it then.

use super::promote::FUNCTION_TYPE;
use crate::analysis::custom_derivatives;
use crate::manager::{Changed, PassReport};
use crate::optimize::inline::{expand_call, hands_resources};
use crate::passes;
use caustic_dialects::call_graph::{CallGraph, callees};
use caustic_dialects::func;
use caustic_dialects::signature::{DIFFERENTIABLE, OVERLOADS, PARAMS, UNSIGNED, WRITTEN_RESULT};
use caustic_ir::codes;
use caustic_ir::{Attr, Body, Diagnostic, Module, Name, OpId, SymbolOp, Type};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Replaces calls of functions marked `force_inline` by the function's body, and in
    /// differentiable functions calls of small ones that are given resources which have
    /// derivatives.
    pub static INLINE_FORCED: "inline-forced" {
        level: module, options: none, before: "func scf arith math vector agg", after: "the same without such calls",
        statistics: [("inlined", "calls")],
        run: |module: &mut Module, report: &mut PassReport| {
            let calls = run(module)?;
            report.count("inlined", calls);
            Ok(Changed::from(calls > 0))
        },
    }
}

/// Ops that inlining may add to one function.
pub const MAX_OPS: usize = 400_000;

/// Functions of no more ops than this are expanded for the resources that they are given.
const SMALL: usize = 100;

/// Expands the calls of a module; how many there were.
pub fn run(module: &mut Module) -> Result<u64, Vec<Diagnostic>> {
    let readers = readers(module);
    if readers.is_empty() && !module.symbols().iter().any(is_forced) {
        return Ok(0);
    }
    let graph = CallGraph::of(module.symbols(), |symbol, calls| {
        calls.extend(expanded_calls(module, symbol, &readers).into_iter().map(|(call, callee)| (callee, call)));
    });
    let components = graph.components();
    let circles = components.iter().filter(|c| graph.is_circle(c));
    let mut found: Vec<Diagnostic> = circles.filter_map(|circle| recursive(module, &graph, circle)).collect();
    let mut expanded = 0;
    for name in components.iter().filter(|c| !graph.is_circle(c)).flatten().copied() {
        let calls: Vec<(OpId, Name)> = graph.edges(name).map(|(callee, call)| (*call, callee)).collect();
        let bodies = calls.iter().filter_map(|&(_, callee)| Some((callee, module.get(callee)?.body.clone())));
        let bodies: FxHashMap<Name, Body> = bodies.collect();
        expanded += calls.len() as u64;
        if let Some(symbol) = module.get_mut(name).filter(|_| !calls.is_empty())
            && let Err(d) = expand(symbol, &calls, &bodies)
        {
            found.push(d);
        }
    }
    if found.is_empty() { Ok(expanded) } else { Err(found) }
}

fn is_forced(symbol: &SymbolOp) -> bool {
    func::Func::of_symbol(symbol).is_some_and(|f| f.force_inline(symbol)) && symbol.body.entry().is_some()
}

/// Small functions that are given a resource and lead to a derivative that is given.
fn readers(module: &Module) -> FxHashSet<Name> {
    let mut found = custom_derivatives::sources(module);
    if found.is_empty() {
        return found;
    }
    let small = |s: &SymbolOp| {
        s.body.entry().is_some() && s.body.all_ops().take(SMALL + 1).count() <= SMALL && hands_resources(s)
    };
    found.retain(|&name| module.get(name).is_some_and(|s| small(s) && !custom_derivatives::any(s)));
    let graph = CallGraph::of_names(module, |symbol, names| names.extend(callees(symbol)));
    for circle in graph.components().iter().filter(|c| graph.is_circle(c)) {
        circle.iter().for_each(|name| _ = found.remove(name));
    }
    found
}

/// Whether differentiation may see the callee's code in the place of the call. Not if the callee's
/// boundary says something about derivatives: that it has none or another one than its code, that a
/// parameter has none, what its reverse pass stores.
fn keeps_derivatives(caller: &SymbolOp, callee: &SymbolOp) -> bool {
    const PLAIN: [&str; 8] =
        [FUNCTION_TYPE, PARAMS, WRITTEN_RESULT, UNSIGNED, OVERLOADS, DIFFERENTIABLE, "force_inline", "sym_visibility"];
    let Some(wanted) = caller.attr(DIFFERENTIABLE) else { return true };
    let has_it = callee.attr(DIFFERENTIABLE).is_some_and(|a| a == wanted || a.as_str() == Some("both"));
    let inputs = callee.function_type().map(|(inputs, _)| inputs.to_vec()).unwrap_or_default();
    // Of a number that has no derivative it says nothing.
    let says = |(e, ty): (&Attr, Type)| e.get("no_diff").is_some() && (ty.is_float() || !ty.is_scalar());
    let no_diff = callee.attr(PARAMS).and_then(|a| a.as_array()).is_some_and(|p| p.iter().zip(inputs).any(says));
    has_it && !no_diff && callee.attrs.iter().all(|(name, _)| PLAIN.iter().any(|plain| *name == *plain))
}

fn expanded_calls(module: &Module, symbol: &SymbolOp, readers: &FxHashSet<Name>) -> Vec<(OpId, Name)> {
    let body = &symbol.body;
    let differentiable = symbol.attr(DIFFERENTIABLE).is_some();
    let mut calls = Vec::new();
    for op in body.walk_all() {
        if func::Call::is(body, op)
            && !func::Call(op).no_diff(body)
            && let Some(callee) = body.callee(op)
            && let Some(code) = module.get(callee)
            && (is_forced(code) || differentiable && readers.contains(&callee))
            && keeps_derivatives(symbol, code)
        {
            calls.push((op, callee));
        }
    }
    calls
}

/// The error for a circle of forced calls: at the call that closes it, where it is entered at its
/// first function.
fn recursive(module: &Module, graph: &CallGraph<OpId>, circle: &[Name]) -> Option<Diagnostic> {
    let first = module.symbols().iter().map(|s| s.name).find(|name| circle.contains(name))?;
    let closes = |&name: &Name| graph.edges(name).find(|(callee, _)| *callee == first).map(|(_, call)| (name, *call));
    let (caller, call) = circle.iter().find_map(closes)?;
    let loc = module.get(caller)?.body.loc(call);
    let found = Diagnostic::error(codes::E0405, loc, format!("`{first}` is marked [ForceInline] and calls itself"))
        .with_label("this call would be expanded for ever")
        .with_note("remove the mark, or write the recursion as a loop");
    Some(found)
}

fn expand(symbol: &mut SymbolOp, calls: &[(OpId, Name)], bodies: &FxHashMap<Name, Body>) -> Result<(), Diagnostic> {
    let mut budget = MAX_OPS;
    let body = &mut symbol.body;
    for (call, callee) in calls {
        let Some(source) = bodies.get(callee) else { continue };
        let loc = body.loc(*call);
        budget = budget.checked_sub(source.walk_all().len()).ok_or_else(|| {
            Diagnostic::error(
                codes::E0406,
                loc,
                format!("inlining makes more than {MAX_OPS} operations of one function"),
            )
            .with_label("at this call")
            .with_note("remove [ForceInline] from the larger functions")
        })?;
        if !expand_call(body, *call, source) {
            return Err(Diagnostic::internal(
                loc,
                format!("@{callee} cannot be inlined: it is not in normalized form"),
            ));
        }
    }
    Ok(())
}
