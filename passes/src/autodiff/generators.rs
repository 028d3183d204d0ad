//! Calls of small functions of integers, as generators of random numbers are, are expanded in loops
//! of what is differentiated.
//!
//! A state that such a function takes a step further can be undone in a sweep if its steps are seen
//! (`unzip/undo`); behind a call they are not, and the state would be stored in each iteration.
//! What goes in carries no derivative, so nothing of one is gained or lost. Where the state is a
//! struct the loops carry its fields.

use crate::analysis::custom_derivatives;
use crate::optimize::inline::expand_call;
use caustic_dialects::ad::{Derivative, differential_type};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::signature::{DIFFERENTIABLE, holds_handle};
use caustic_dialects::{func, scf};
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, SymbolOp, Type, ValueId};
use rustc_hash::FxHashSet;

/// More ops than this are not expanded.
const MOST_OPS: usize = 40;
/// Generators may call generators so deep.
const DEPTH: usize = 4;
/// Larger structs are carried as they are.
const MOST_FIELDS: usize = 8;

/// Whether a function only computes, in a row of ops, from values that carry no derivative.
fn is_generator(symbol: &SymbolOp) -> bool {
    let body = &symbol.body;
    let Some((inputs, results)) = symbol.function_type() else { return false };
    let plain = |op: OpId| {
        let data = body.op(op);
        data.def.is_terminator() || data.regions.is_empty() && data.def.is_pure()
    };
    body.entry().is_some()
        && !custom_derivatives::any(symbol)
        && custom_derivatives::substitute(symbol).is_none()
        && inputs.iter().all(|&t| differential_type(t).is_none() && !holds_handle(t))
        && !inputs.is_empty()
        && !results.is_empty()
        && body.all_ops().all(plain)
        && body.all_ops().count() <= MOST_OPS
}

fn has_loops(body: &Body) -> bool {
    body.all_ops().any(|op| scf::For::is(body, op) || scf::While::is(body, op))
}

/// The fields of a struct of integers, as the state of a generator may be.
fn integer_fields(ty: Type) -> Option<Vec<Type>> {
    let fields: Vec<Type> = StructType::of(ty)?.fields().map(|f| f.ty).collect();
    let fit = !fields.is_empty() && fields.len() <= MOST_FIELDS;
    (fit && fields.iter().all(|t| t.is_scalar() && t.is_int_or_index())).then_some(fields)
}

fn parts(b: &mut Builder<'_>, value: ValueId, fields: &[Type]) -> Vec<ValueId> {
    let part =
        |(i, &ty): (usize, &Type)| agg::Extract::build(b, value, &[], ty, &[("path", Attr::i64_array(&[i as i64]))]);
    fields.iter().enumerate().map(part).collect()
}

/// Lets a loop carry the fields of such structs beside them; the structs are dead weight then.
fn carry_fields(body: &mut Body, op: OpId) {
    let is_for = scf::For::is(body, op);
    let (bounds, counter) = if is_for { (3, 1) } else { (0, 0) };
    for index in 0..body.results(op).len() {
        let result = body.results(op)[index];
        let ty = body.ty(result);
        let Some(fields) = integer_fields(ty) else { continue };
        let Some(mut b) = Builder::before(body, op) else { return };
        let init = b.body.operands(op)[bounds + index];
        let mut operands = b.body.operands(op).to_vec();
        operands.extend(parts(&mut b, init, &fields));
        body.set_operands(op, &operands);
        for k in 0..body.op(op).regions.len() {
            let Some(block) = body.region_block(op, k) else { continue };
            let old = body.args(block)[counter + index];
            let new: Vec<ValueId> = fields.iter().map(|&t| body.add_arg(block, t)).collect();
            if let Some(mut b) = body.first_op(block).and_then(|first| Builder::before(body, first)) {
                let whole = agg::Make::build(&mut b, &new, ty, &[]);
                body.replace_uses(old, whole);
            }
            let Some(end) = body.terminator(block) else { continue };
            // A condition hands on what it got, behind the condition itself.
            let at = index + usize::from(!is_for && k == 0);
            let yielded = body.operands(end)[at];
            let mut all = body.operands(end).to_vec();
            if let Some(mut b) = Builder::before(body, end) {
                all.extend(parts(&mut b, yielded, &fields));
            }
            body.set_operands(end, &all);
        }
        let new: Vec<ValueId> = fields.iter().map(|&t| body.add_result(op, t)).collect();
        let after = body.next_op(op).and_then(|next| Builder::before(body, next));
        if let Some(mut b) = after {
            let whole = agg::Make::build(&mut b, &new, ty, &[]);
            body.replace_uses(result, whole);
        }
    }
}

/// Expands them in all differentiable functions with loops, if a derivative is asked for.
pub fn expand(module: &mut Module) {
    if !module.symbols().iter().any(|s| std::ptr::eq(s.def, Derivative::DEF)) {
        return;
    }
    let callee = |body: &Body, op: OpId| body.callee(op);
    for _ in 0..DEPTH {
        let generators: FxHashSet<Name> = module.symbols().iter().filter(|s| is_generator(s)).map(|s| s.name).collect();
        let wanted = |s: &SymbolOp, op: OpId| {
            func::Call::is(&s.body, op)
                && callee(&s.body, op).is_some_and(|n| generators.contains(&n) && n != s.name)
                && (s.attr(DIFFERENTIABLE).is_none() || has_loops(&s.body))
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
            for op in body.walk_all() {
                if scf::For::is(&body, op) || scf::While::is(&body, op) {
                    carry_fields(&mut body, op);
                }
            }
            if let Some(symbol) = module.get_mut(name) {
                symbol.body = body;
            }
        }
    }
}
