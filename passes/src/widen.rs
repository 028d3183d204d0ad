//! `widen`: every float becomes f64, so that what a program computes can be told from how it rounds.
//!
//! For checking derivatives only. Conversions between float types become nothing, reinterpretations of bits go through the width that was
//! written. Resources keep their element types: functions that touch them are not widened.

use caustic_dialects::ad::map_parts;
use caustic_dialects::{agg, arith, tex};
use caustic_ir::{Attr, AttrKind, Builder, FloatKind, Module, SymbolOp, Type, TypeKind, ValueId};

/// The type with f64 in the place of every float.
pub fn widen_type(ty: Type) -> Type {
    match ty.kind() {
        TypeKind::Float(_) => Type::f64(),
        TypeKind::Vector { elem, .. } => ty.with_elem(widen_type(*elem)),
        _ if agg::as_buffer(ty).is_some() || tex::TextureType::of(ty).is_some() => ty,
        _ => map_parts(ty, &widen_type),
    }
}

fn widen_attr(attr: Attr) -> Attr {
    match attr.kind() {
        AttrKind::Float(bits, _) => Attr::float(f64::from_bits(*bits), Type::f64()),
        AttrKind::Type(t) => Attr::ty(widen_type(*t)),
        AttrKind::Array(items) => Attr::array(items.iter().map(|&a| widen_attr(a)).collect()),
        AttrKind::Dict(items) => Attr::dict(items.iter().map(|&(k, a)| (k, widen_attr(a))).collect()),
        AttrKind::Dense(items, ty) => Attr::dense(items.iter().map(|&a| widen_attr(a)).collect(), widen_type(*ty)),
        _ => attr,
    }
}

fn widen_symbol(symbol: &mut SymbolOp) {
    for (_, attr) in symbol.attrs.iter_mut() {
        *attr = widen_attr(*attr);
    }
    let body = &mut symbol.body;
    let written: Vec<Type> = (0..body.num_values()).map(|i| body.ty(ValueId(i as u32))).collect();
    for (i, ty) in written.iter().enumerate() {
        body.set_type(ValueId(i as u32), widen_type(*ty));
    }
    for op in body.walk_all() {
        let attrs = body.op(op).attrs.clone();
        for (name, attr) in attrs {
            body.set_attr(op, &name, widen_attr(attr));
        }
        let cast = arith::ExtF::is(body, op) || arith::TruncF::is(body, op);
        if cast {
            let (from, to) = (body.operand(op, 0), body.result(op, 0));
            body.replace_uses(to, from);
            body.erase_op(op);
            continue;
        }
        let narrow = |t: Type| t.elem().float_kind().is_some_and(|k| k != FloatKind::F64);
        if arith::Bitcast::is(body, op) {
            let (from, to) = (body.operand(op, 0), body.result(op, 0));
            if narrow(written[from.index()]) {
                let ty = written[from.index()];
                if let Some(mut b) = Builder::before(body, op) {
                    let value = arith::TruncF::build(&mut b, from, ty, &[]);
                    body.set_operand(op, 0, value);
                }
            }
            if narrow(written[to.index()]) {
                let ty = written[to.index()];
                body.set_type(to, ty);
                let next = body.next_op(op);
                let (loc, block) = (body.loc(op), body.op(op).block);
                if let Some(block) = block {
                    let wide = widen_type(ty);
                    let ext = body.create_op(arith::ExtF::DEF, &[], &[wide], Default::default(), 0, loc);
                    body.insert_op(ext, block, next);
                    let value = body.result(ext, 0);
                    body.replace_uses(to, value);
                    body.set_operands(ext, &[to]);
                }
            }
        }
    }
}

fn touches_resources(symbol: &SymbolOp) -> bool {
    let body = &symbol.body;
    body.walk_all().into_iter().any(|op| agg::Global::is(body, op))
}

/// Widens every function that reads no resource, and the requests for derivatives; the others are removed.
pub fn widen(module: &mut Module) {
    module.retain(|s| !touches_resources(s) && !std::ptr::eq(s.def, agg::Resource::DEF));
    for symbol in module.symbols_mut() {
        widen_symbol(symbol);
    }
}
