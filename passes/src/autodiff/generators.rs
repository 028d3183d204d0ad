//! Calls of small functions of integers, as generators of random numbers are, are expanded in loops of what is differentiated.
//!
//! A state that such a function takes a step further can be undone in a sweep if its steps are seen (`unzip/undo`); behind a call they are not, and
//! the state would be stored in each iteration. What goes in carries no derivative, so nothing of one is gained or lost.

use super::given;
use crate::optimize::inline::expand_call;
use caustic_dialects::ad::{Derivative, differential_type};
use caustic_dialects::signature::{DIFFERENTIABLE, holds_handle};
use caustic_dialects::{func, scf};
use caustic_ir::{Body, Module, Name, OpId, SymbolOp};
use rustc_hash::FxHashSet;

/// More ops than this are not expanded.
const MOST_OPS: usize = 40;
/// Generators may call generators so deep.
const DEPTH: usize = 4;

/// Whether a function only computes, in a row of ops, from values that carry no derivative.
fn is_generator(symbol: &SymbolOp) -> bool {
    let body = &symbol.body;
    let Some((inputs, results)) = symbol.function_type() else { return false };
    let plain = |op: OpId| {
        let data = body.op(op);
        data.def.is_terminator() || data.regions.is_empty() && data.def.is_pure()
    };
    body.entry().is_some()
        && !given::any(symbol)
        && given::substitute(symbol).is_none()
        && inputs.iter().all(|&t| differential_type(t).is_none() && !holds_handle(t))
        && !inputs.is_empty()
        && results.iter().any(|t| inputs.contains(t))
        && body.all_ops().all(plain)
        && body.all_ops().count() <= MOST_OPS
}

fn in_loop(body: &Body, op: OpId) -> bool {
    let mut block = body.op(op).block;
    while let Some(parent) = block.and_then(|b| body.parent_op(b)) {
        if scf::For::is(body, parent) || scf::While::is(body, parent) {
            return true;
        }
        block = body.op(parent).block;
    }
    false
}

/// Expands them in all differentiable functions with loops, if a derivative is asked for.
pub fn expand(module: &mut Module) {
    if !module.symbols().iter().any(|s| std::ptr::eq(s.def, Derivative::DEF)) {
        return;
    }
    let callee = |body: &Body, op: OpId| body.attr(op, "callee").and_then(|a| a.as_symbol());
    for _ in 0..DEPTH {
        let generators: FxHashSet<Name> = module.symbols().iter().filter(|s| is_generator(s)).map(|s| s.name).collect();
        let wanted = |s: &SymbolOp, op: OpId| {
            func::Call::is(&s.body, op)
                && callee(&s.body, op).is_some_and(|n| generators.contains(&n) && n != s.name)
                && (in_loop(&s.body, op) || s.attr(DIFFERENTIABLE).is_none())
        };
        // A function that is none yet, but calls some, may become one.
        let callers: Vec<Name> = module
            .symbols()
            .iter()
            .filter(|s| s.attr(DIFFERENTIABLE).is_some() || s.body.all_ops().count() <= MOST_OPS)
            .filter(|s| s.body.all_ops().any(|op| wanted(s, op)))
            .map(|s| s.name)
            .collect();
        if callers.is_empty() {
            return;
        }
        for name in callers {
            let Some(symbol) = module.get(name) else { continue };
            let mut body = symbol.body.clone();
            for op in symbol.body.walk_all().into_iter().filter(|&op| wanted(symbol, op)) {
                if let Some(generator) = callee(&symbol.body, op).and_then(|n| module.get(n)) {
                    expand_call(&mut body, op, &generator.body);
                }
            }
            if let Some(symbol) = module.get_mut(name) {
                symbol.body = body;
            }
        }
    }
}
