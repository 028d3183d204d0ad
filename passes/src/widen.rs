//! `widen`: every float becomes f64, so that what a program computes can be told from how it
//! rounds.
//!
//! For checking derivatives only. Conversions between float types become nothing, reinterpretations
//! of bits go through the width that was written. Elements of buffers and contents of uniforms are
//! widened too, with what reflection says of them. What depends on where bytes lie (byte-address
//! buffers, addresses) or is no memory (textures) is not: functions that touch it are removed.

use crate::analysis::custom_derivatives::leading_to;
use caustic_dialects::ad::map_parts;
use caustic_dialects::reflect::{DataType, PARAM, Param, ParamKind, Scalar, resource_type};
use caustic_dialects::{agg, arith, tex};
use caustic_ir::{Attr, AttrKind, Builder, FloatKind, Loc, Module, Name, SymbolOp, Type, TypeKind, ValueId};
use rustc_hash::FxHashMap;

/// The type with f64 in the place of every float.
pub fn widen_type(ty: Type) -> Type {
    match ty.kind() {
        TypeKind::Float(_) => Type::f64(),
        TypeKind::Vector { elem, .. } => ty.with_elem(widen_type(*elem)),
        _ if tex::TextureType::of(ty).is_some() || agg::is_byte_view(ty) => ty,
        _ if let Some((elem, writable)) = agg::as_buffer(ty) => agg::buffer_type(widen_type(elem), writable),
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

/// The type of a resource's contents with f64 in the place of every float.
pub fn widen_data(ty: &DataType) -> DataType {
    let wide = |s: Scalar| if s.is_float() { Scalar::F64 } else { s };
    match ty {
        DataType::Scalar(s) => DataType::Scalar(wide(*s)),
        DataType::Vector { len, elem } => DataType::Vector { len: *len, elem: wide(*elem) },
        DataType::Matrix { rows, cols, elem, by_columns } => {
            DataType::Matrix { rows: *rows, cols: *cols, elem: wide(*elem), by_columns: *by_columns }
        }
        DataType::Array { len, elem } => DataType::Array { len: *len, elem: Box::new(widen_data(elem)) },
        DataType::Struct { name, fields } => {
            let fields = fields.iter().map(|(n, ty)| (*n, widen_data(ty))).collect();
            DataType::Struct { name: *name, fields }
        }
        DataType::Resource(symbol) => DataType::Resource(*symbol),
    }
}

/// Whether a resource's contents are elements of a type, and not bytes or texels.
fn is_typed(symbol: &SymbolOp) -> bool {
    use ParamKind::{AppendBuffer, Buffer, ConsumeBuffer, RwBuffer, Uniform};
    let ty = resource_type(symbol);
    let plain = ty.is_some_and(|t| tex::TextureType::of(t).is_none() && !agg::is_byte_view(t));
    let kind = Param::of(symbol).map(|p| p.kind);
    plain && kind.is_none_or(|k| matches!(k, Uniform | Buffer | RwBuffer | AppendBuffer | ConsumeBuffer))
}

/// Why a function is not widened.
#[derive(Clone, Debug)]
pub struct Narrow {
    pub loc: Loc,
    pub why: &'static str,
}

/// Where the code depends on where bytes lie, or touches a resource that is not widened.
fn stays_narrow(module: &Module, symbol: &SymbolOp) -> Option<Narrow> {
    let body = &symbol.body;
    body.walk_all().into_iter().find_map(|op| {
        let resource = agg::resource_name(body, op);
        let resource = resource.and_then(|n| module.get(n)).filter(|r| !is_typed(r));
        let texture = |r: &SymbolOp| resource_type(r).is_some_and(holds_texture);
        let bytes = |r: &SymbolOp| {
            Param::of(r)
                .is_some_and(|p| matches!(p.kind, ParamKind::ByteAddressBuffer | ParamKind::RwByteAddressBuffer))
        };
        let why = match () {
            _ if agg::View::is(body, op) && agg::is_byte_view(body.ty(body.result(op, 0)))
                || resource.is_some_and(bytes) =>
            {
                "it reads bytes, whose places depend on the width of what is read"
            }
            _ if agg::Address::is(body, op) || agg::Pointee::is(body, op) => {
                "it uses an address: what lies there is as wide as it was written"
            }
            _ if resource.is_some_and(texture) => "it reads a texture, whose texels are as wide as its format",
            _ if resource.is_some() => "it uses a resource that has no elements of a type",
            _ => return None,
        };
        Some(Narrow { loc: body.loc(op), why })
    })
}

fn holds_texture(ty: Type) -> bool {
    tex::TextureType::of(ty).is_some() || agg::as_array(ty).is_some_and(|(_, elem)| holds_texture(elem))
}

/// What else a function needs by name than what its code calls: what it is the derivative of, what
/// stands for it, and its derivatives that are given.
fn named(symbol: &SymbolOp) -> impl Iterator<Item = Name> + '_ {
    use caustic_dialects::signature::{BACKWARD_DERIVATIVE, FORWARD_DERIVATIVE, PRIMAL_SUBSTITUTE};
    let attrs = [PRIMAL_SUBSTITUTE, "of", FORWARD_DERIVATIVE, BACKWARD_DERIVATIVE];
    attrs.into_iter().filter_map(|a| symbol.attr(a)?.as_symbol())
}

/// Widens every function that can be, and the requests for derivatives; what leads to one that
/// cannot is removed. Gives the reason for each of these.
pub fn widen(module: &mut Module) -> FxHashMap<Name, Narrow> {
    let mut reasons: FxHashMap<Name, Narrow> =
        module.symbols().iter().filter_map(|s| Some((s.name, stays_narrow(module, s)?))).collect();
    let mut removed = leading_to(module, reasons.keys().copied().collect(), |_| true);
    loop {
        let lost = |s: &&SymbolOp| !removed.contains(&s.name) && named(s).any(|n| removed.contains(&n));
        let more: Vec<_> = module.symbols().iter().filter(lost).map(|s| s.name).collect();
        if more.is_empty() {
            break;
        }
        removed.extend(more);
        removed = leading_to(module, removed, |_| true);
    }
    // Callers have the reason of what they call.
    loop {
        let next = |s: &SymbolOp| {
            let called = s.body.all_ops().filter_map(|op| s.body.callee(op));
            let mut names = called.chain(named(s));
            names.find_map(|n| reasons.get(&n).cloned())
        };
        let left = module.symbols().iter().filter(|s| removed.contains(&s.name) && !reasons.contains_key(&s.name));
        let more: Vec<(Name, Narrow)> = left.filter_map(|s| Some((s.name, next(s)?))).collect();
        if more.is_empty() {
            break;
        }
        reasons.extend(more);
    }
    let is_resource = |s: &SymbolOp| std::ptr::eq(s.def, agg::Resource::DEF);
    module.retain(|s| !removed.contains(&s.name) && (!is_resource(s) || is_typed(s)));
    for symbol in module.symbols_mut() {
        if let Some(param) = Param::of(symbol).filter(|_| is_resource(symbol)) {
            symbol.set_attr(PARAM, Param { ty: widen_data(&param.ty), ..param }.to_attr());
        }
        widen_symbol(symbol);
    }
    reasons
}
