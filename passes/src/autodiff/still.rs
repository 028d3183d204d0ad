//! Inputs that do not move: where a program calls a forward derivative with a tangent that is
//! written as zero, the call becomes one of a derivative by the other inputs alone.
//!
//! Such a zero is one of control flow, not a number: what depends on that input only has no
//! tangent, whatever its partial is (`sqrt(x)` at 0). And it is less work. A tangent that turns out
//! to be zero when the program runs is a number like any other.

use super::custom::transposed::WRT;
use crate::analysis::access;
use crate::analysis::stage;
use caustic_dialects::call_graph::mentioned;
use caustic_dialects::reflect::Entry;
use caustic_dialects::signature::Signature;
use caustic_dialects::{ad, agg, func};
use caustic_ir::{Attr, Body, Module, Name, OpId, SymbolOp, ValueId};
use rustc_hash::FxHashSet;

/// Whether a value is a zero in the program's text.
fn is_zero(body: &Body, value: ValueId) -> bool {
    let Some(op) = body.def_op(value) else { return false };
    if agg::Make::is(body, op) {
        return body.operands(op).iter().all(|&v| is_zero(body, v));
    }
    access::is_zero(body, value)
}

/// The forward derivatives that are asked for, by all inputs.
fn is_whole_request(symbol: &SymbolOp) -> bool {
    ad::asks_forward(symbol) && symbol.attr(WRT).is_none()
}

/// The inputs that move in a call, if not all of them do.
fn moving(module: &Module, body: &Body, call: OpId, request: &SymbolOp) -> Option<Vec<bool>> {
    let of = ad::requested(request)?;
    let signature = module.get(of).and_then(Signature::of)?;
    let operands = body.operands(call);
    if operands.len() != signature.inputs.len() {
        return None;
    }
    let still = |i: usize| {
        let pair = body.def_op(operands[i]).filter(|&op| agg::Make::is(body, op));
        let tangent = pair.and_then(|op| body.operands(op).get(1).copied());
        signature.input_differential(i).is_some() && tangent.is_some_and(|t| is_zero(body, t))
    };
    let mask: Vec<bool> = (0..operands.len()).map(|i| !still(i)).collect();
    let any_moves = (0..operands.len()).any(|i| mask[i] && signature.input_differential(i).is_some());
    (any_moves && mask.contains(&false)).then_some(mask)
}

/// The request for the same derivative by the marked inputs alone, made if there is none.
fn by_some(module: &mut Module, request: Name, mask: &[bool]) -> Option<Name> {
    let whole = module.get(request)?;
    let wanted = Some(stage::mask_attr(mask));
    let same = |s: &&SymbolOp| {
        let alike = std::ptr::eq(s.def, whole.def) && s.attr(WRT) == wanted;
        alike && ["of", "mode"].iter().all(|a| s.attr(a) == whole.attr(a))
    };
    if let Some(found) = module.symbols().iter().find(same) {
        return Some(found.name);
    }
    let digits: String = mask.iter().map(|&m| if m { '1' } else { '0' }).collect();
    let mut made = whole.clone();
    made.name = module.fresh_name(&format!("{request}.wrt{digits}"));
    made.attrs.retain(|(name, _)| *name != WRT);
    made.set_attr(WRT, stage::mask_attr(mask));
    let name = made.name;
    module.put(made);
    Some(name)
}

/// Asks for derivatives by the inputs that move, in the place of those by all inputs that nothing
/// mentions any more.
pub fn leave_out(module: &mut Module) {
    let mut calls: Vec<(Name, OpId, Name, Vec<bool>)> = Vec::new();
    for symbol in module.symbols() {
        let body = &symbol.body;
        for op in body.all_ops().filter(|&op| func::Call::is(body, op)) {
            let callee = body.callee(op);
            let request = callee.and_then(|n| module.get(n)).filter(|s| is_whole_request(s));
            if let Some(request) = request
                && let Some(mask) = moving(module, body, op, request)
            {
                calls.push((symbol.name, op, request.name, mask));
            }
        }
    }
    let mut left: FxHashSet<Name> = FxHashSet::default();
    for (caller, op, request, mask) in calls {
        let Some(name) = by_some(module, request, &mask) else { continue };
        if let Some(symbol) = module.get_mut(caller) {
            symbol.body.set_attr(op, "callee", Attr::symbol(name));
        }
        left.insert(request);
    }
    if left.is_empty() || !module.symbols().iter().any(|s| Entry::of(s).is_some()) {
        return;
    }
    // A derivative of the derivative names it as well.
    for symbol in module.symbols() {
        mentioned(symbol, &mut |name| {
            left.remove(&name);
        });
    }
    module.retain(|s| !left.contains(&s.name));
}
