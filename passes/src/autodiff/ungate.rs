//! Linearizations without what is only there for tangents.
//!
//! A tangent that control flow did not reach is held back where an infinite partial may meet it,
//! and calls say which they reached (`linearize/gated`). A cotangent is held back by the control
//! flow itself, turned round (`zero_masks`): to it the flags would be values to keep. So linear
//! code that is to be transposed is freed of them, once it is decided which of it is carried
//! forward instead.

use super::reach::same_flag;
use crate::analysis::stage;
use caustic_dialects::ad::{self, is_tangent};
use caustic_ir::{Attr, Body, Builder, Module, OpId, SymbolOp, Type, ValueId};

fn is_held(body: &Body, op: OpId) -> bool {
    ad::TSelect::is(body, op) && body.attr(op, stage::HOLDS).is_some()
}

fn is_gated(body: &Body, op: OpId) -> bool {
    ad::JvpCall::is(body, op) && body.attr(op, stage::GATED).is_some()
}

/// Frees every linearization whose reverse derivative is wanted, as a function of its own where its
/// forward derivative is wanted too.
pub fn free_module(module: &mut Module) -> bool {
    let wanted = |s: &&SymbolOp| stage::is_stage(s, stage::LINEARIZED) && s.attr(stage::REVERSE).is_some();
    let holds = |s: &SymbolOp| s.body.all_ops().any(|op| is_held(&s.body, op) || is_gated(&s.body, op));
    let symbols: Vec<SymbolOp> = module.symbols().iter().filter(wanted).filter(|s| holds(s)).cloned().collect();
    let changed = !symbols.is_empty();
    for mut symbol in symbols {
        free(&mut symbol);
        if symbol.attr(stage::FORWARD).is_some() {
            if let Some(original) = module.get_mut(symbol.name) {
                original.remove_attr(stage::REVERSE);
            }
            symbol.name = module.fresh_name(&format!("{}.reverse", symbol.name));
            symbol.remove_attr(stage::FORWARD);
        }
        module.put(symbol);
    }
    changed
}

fn free(symbol: &mut SymbolOp) {
    let body = &mut symbol.body;
    for op in body.walk_all() {
        if is_held(body, op) {
            let is_zero = |v: ValueId| body.def_op(v).is_some_and(|d| ad::TZero::is(body, d));
            if let Some(kept) = body.operands(op)[1..].iter().copied().find(|&v| !is_zero(v)) {
                let result = body.result(op, 0);
                body.replace_uses(result, kept);
                body.erase_op(op);
            }
        } else if is_gated(body, op) {
            plain_call(body, op);
        }
    }
}

/// The call of the plain form, without flags.
fn plain_call(body: &mut Body, op: OpId) {
    let Some(active) = ad::JvpCall(op).active(body) else { return };
    let Some(given) = ad::JvpCall(op).active_results(body) else { return };
    let kept = |body: &Body, values: &[ValueId], primal: usize| -> Vec<ValueId> {
        let values = values.iter().enumerate();
        values.filter(|(i, v)| *i < primal || is_tangent(body.ty(**v))).map(|(_, &v)| v).collect()
    };
    let operands = kept(body, body.operands(op), active.len());
    let results = body.results(op).to_vec();
    let old = kept(body, &results, given.len());
    let types: Vec<Type> = old.iter().map(|&r| body.ty(r)).collect();
    let attrs = body.op(op).attrs.clone();
    let attrs: Vec<(&str, Attr)> =
        attrs.iter().filter(|(name, _)| *name != stage::GATED).map(|(name, attr)| (name.as_str(), *attr)).collect();
    let Some(mut b) = Builder::before(body, op) else { return };
    b.loc = b.body.loc(op);
    let new = ad::JvpCall::build(&mut b, &operands, &types, &attrs);
    for &r in &results {
        let value = match old.iter().position(|&o| o == r) {
            Some(k) => b.body.result(new, k),
            None => {
                let ty = b.body.ty(r);
                same_flag(&mut b, true, ty)
            }
        };
        let hint = b.body.value(r).hint;
        b.body.set_hint(value, hint);
        b.body.replace_uses(r, value);
    }
    body.erase_op(op);
}
