//! Pairs become ordinary structs with the fields `p` and `d`, so that the next round differentiates
//! them like any other (seeds: AD types, "User-code Differential Pairs").

use crate::manager::{Changed, ModuleView, PassReport};
use crate::passes;
use caustic_dialects::ad::is_request;
use caustic_dialects::ad::{self, lower_pairs};
use caustic_dialects::agg;
use caustic_ir::{Attr, AttrKind, Module, Name, SymbolOp, Type, ValueId};

passes! {
    /// Turns differential pairs into structs with the fields `p` and `d`.
    pub static LOWER_PAIRS: "lower-pairs" {
        level: module, options: none, before: "any with ad.pair", after: "the same without pairs", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| Ok(Changed::from(!lower_pairs_module(module).is_empty())),
    }

    /// Removes `ad.detach`, which is the identity once everything is differentiated.
    pub static DROP_DETACH: "drop-detach" {
        level: function, options: none, before: "differentiated code", after: "the same without ad.detach", statistics: [],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport| Ok(Changed::from(drop_detach(symbol))),
    }
}

fn lower_attr(attr: Attr) -> Attr {
    match attr.kind() {
        AttrKind::Type(t) => Attr::ty(lower_pairs(*t)),
        AttrKind::Array(items) => Attr::array(items.iter().map(|&a| lower_attr(a)).collect()),
        AttrKind::Dict(items) => Attr::dict(items.iter().map(|&(k, a)| (k, lower_attr(a))).collect()),
        _ => attr,
    }
}

/// Replaces pair types and pair ops in one symbol.
pub fn lower(symbol: &mut SymbolOp) -> bool {
    let mut changed = false;
    for (_, attr) in symbol.attrs.iter_mut() {
        let new = lower_attr(*attr);
        changed |= new != *attr;
        *attr = new;
    }
    let body = &mut symbol.body;
    for index in 0..body.num_values() {
        let value = ValueId(index as u32);
        let (old, new): (Type, Type) = (body.ty(value), lower_pairs(body.ty(value)));
        if old != new {
            body.set_type(value, new);
            changed = true;
        }
    }
    for op in body.walk_all() {
        let path = |i: i64| Attr::i64_array(&[i]);
        if ad::MakePair::is(body, op) {
            body.set_def(op, agg::Make::DEF);
        } else if ad::Primal::is(body, op) {
            body.set_def(op, agg::Extract::DEF);
            body.set_attr(op, "path", path(0));
        } else if ad::Differential::is(body, op) {
            body.set_def(op, agg::Extract::DEF);
            body.set_attr(op, "path", path(1));
        } else {
            continue;
        }
        changed = true;
    }
    changed
}

/// Replaces pairs by structs in the whole module; the symbols in which there were any.
pub fn lower_pairs_module(module: &mut Module) -> Vec<Name> {
    let mut changed = Vec::new();
    for symbol in module.symbols_mut() {
        let is_code =
            symbol.body.entry().is_some() || is_request(symbol) || std::ptr::eq(symbol.def, agg::Resource::DEF);
        if is_code && lower(symbol) {
            changed.push(symbol.name);
        }
    }
    changed
}

/// Removes `ad.detach`: once everything is differentiated it is the identity.
pub fn drop_detach(symbol: &mut SymbolOp) -> bool {
    let body = &mut symbol.body;
    let mut changed = false;
    for op in body.walk_all() {
        if ad::Detach::is(body, op) {
            let (value, result) = (body.operand(op, 0), body.result(op, 0));
            body.replace_uses(result, value);
            body.erase_op(op);
            changed = true;
        }
    }
    changed
}
