//! `widen`: every float becomes f64, so that what a program computes can be told from how it
//! rounds.
//!
//! For checking derivatives only. Conversions between float types become nothing, reinterpretations
//! of bits go through the width that was written. Elements of buffers and contents of uniforms are
//! widened too, with what reflection says of them. Texels, and the bytes of byte-address buffers,
//! are read as they were written, and become f64 then. What depends on where other bytes lie
//! (addresses but of static variables without floats, structs in bytes) or writes floats to bytes
//! or texels is removed with what leads to it. Custom backward derivatives may write bytes,
//! rounded: the values of functions do not depend on it.

use crate::analysis::custom_derivatives::leading_to;
use caustic_dialects::ad::map_parts;
use caustic_dialects::reflect::{DataType, PARAM, Param, ParamKind, Scalar, resource_type};
use caustic_dialects::signature::{BACKWARD_DERIVATIVE, SYNTHESIZED};
use caustic_dialects::{agg, arith, tex};
use caustic_ir::{
    Attr, AttrKind, Body, Builder, FloatKind, Loc, Module, Name, OpId, SymbolOp, Type, TypeKind, ValueId,
};

use rustc_hash::{FxHashMap, FxHashSet};

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
    fold_bits_read_back(body);
    let ops = body.walk_all();
    // What an op works on as it was written, before any type changes.
    let types = |values: &[ValueId]| values.iter().map(|&v| body.ty(v)).collect::<Vec<Type>>();
    let kept: Vec<(OpId, [Vec<Type>; 2])> = (ops.iter().copied())
        .filter(|&op| arith::Bitcast::is(body, op) || reads_as_written(body, op) || writes_bytes(body, op))
        .map(|op| (op, [types(body.operands(op)), types(body.results(op))]))
        .collect();
    for i in 0..body.num_values() {
        let value = ValueId(i as u32);
        body.set_type(value, widen_type(body.ty(value)));
    }
    for op in ops {
        let attrs = body.op(op).attrs.clone();
        for (name, attr) in attrs {
            body.set_attr(op, &name, widen_attr(attr));
        }
        if arith::ExtF::is(body, op) || arith::TruncF::is(body, op) {
            let (from, to) = (body.operand(op, 0), body.result(op, 0));
            body.replace_uses(to, from);
            body.erase_op(op);
        }
    }
    for (op, [operands, results]) in kept {
        for (k, ty) in operands.into_iter().enumerate().filter(|(_, ty)| is_narrow(*ty)) {
            let value = body.operand(op, k);
            let Some(mut b) = Builder::before(body, op) else { continue };
            let value = arith::TruncF::build(&mut b, value, ty, &[]);
            body.set_operand(op, k, value);
        }
        for (k, ty) in results.into_iter().enumerate().filter(|(_, ty)| is_narrow(*ty)) {
            extend_result(body, op, body.result(op, k), ty);
        }
    }
}

/// Floats of the bits of a float of their type are that float: they are not rounded.
fn fold_bits_read_back(body: &mut Body) {
    let casts: Vec<OpId> = body.walk_all().into_iter().filter(|&op| arith::Bitcast::is(body, op)).collect();
    for op in casts {
        let inner = body.def_op(body.operand(op, 0)).filter(|&inner| arith::Bitcast::is(body, inner));
        if let Some(inner) = inner {
            let (from, to) = (body.operand(inner, 0), body.result(op, 0));
            if body.ty(from) == body.ty(to) {
                body.replace_uses(to, from);
            }
        }
    }
}

fn is_narrow(ty: Type) -> bool {
    ty.elem().float_kind().is_some_and(|k| k != FloatKind::F64)
}

/// Leaves a result of `op` as it was written, and gives all that use it what it becomes in f64.
fn extend_result(body: &mut Body, op: OpId, value: ValueId, ty: Type) {
    let Some(block) = body.op(op).block else { return };
    body.set_type(value, ty);
    let (next, loc) = (body.next_op(op), body.loc(op));
    let ext = body.create_op(arith::ExtF::DEF, &[], &[widen_type(ty)], Default::default(), 0, loc);
    body.insert_op(ext, block, next);
    let wide = body.result(ext, 0);
    body.replace_uses(value, wide);
    body.set_operands(ext, &[value]);
}

/// Whether an op reads texels, or bytes as numbers: these are as wide as they were written.
fn reads_as_written(body: &Body, op: OpId) -> bool {
    let of_bytes = || agg::is_byte_view(body.ty(body.operand(op, 0)));
    tex::TexView::of(body, op).is_some() || agg::BufferLoad::is(body, op) && of_bytes()
}

fn writes_bytes(body: &Body, op: OpId) -> bool {
    let of_bytes = || body.operands(op).iter().any(|&v| agg::is_byte_view(body.ty(v)));
    (agg::AtomicView::of(body, op).is_some() || agg::BufferStore::is(body, op)) && of_bytes()
}

/// The functions that nothing but custom backward derivatives leads to.
fn of_backward_derivatives(module: &Module) -> FxHashSet<Name> {
    let given = module.symbols().iter().filter_map(|s| s.symbol_attr(BACKWARD_DERIVATIVE));
    let given: FxHashSet<Name> = given.collect();
    let mut callers: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    for symbol in module.symbols() {
        let body = &symbol.body;
        for called in body.all_ops().filter_map(|op| body.callee(op)) {
            callers.entry(called).or_default().push(symbol.name);
        }
    }
    let mut found: FxHashSet<Name> = module.symbols().iter().map(|s| s.name).collect();
    loop {
        let stays = |name: &Name| match callers.get(name) {
            Some(by) => by.iter().all(|b| found.contains(b)),
            None => given.contains(name),
        };
        let left: FxHashSet<Name> = found.iter().copied().filter(stays).collect();
        if left.len() == found.len() {
            return left;
        }
        found = left;
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

/// How the contents of a resource are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Treatment {
    /// Elements of a type: they become f64.
    Widened,
    /// Texels, filters and bytes: what is read of them does.
    AsWritten,
    /// Nothing that uses it is widened.
    None,
}

fn treatment(symbol: &SymbolOp) -> Treatment {
    use ParamKind::{
        AppendBuffer, Buffer, ByteAddressBuffer, ConsumeBuffer, RwBuffer, RwByteAddressBuffer, RwTexture, Sampler,
        Texture, Uniform,
    };
    let ty = resource_type(symbol);
    let plain = ty.is_some_and(|t| !holds_texture(t) && !agg::is_byte_view(t));
    match Param::of(symbol).map(|p| p.kind) {
        Some(ByteAddressBuffer | RwByteAddressBuffer | Texture | RwTexture | Sampler) => Treatment::AsWritten,
        None | Some(Uniform | Buffer | RwBuffer | AppendBuffer | ConsumeBuffer) if plain => Treatment::Widened,
        _ => Treatment::None,
    }
}

/// Why a function is not widened.
#[derive(Clone, Debug)]
pub struct Narrow {
    pub loc: Loc,
    pub why: String,
}

/// What is read by a pointer that the host sets, or that is made of a number.
const BY_POINTER: &str =
    "it uses a pointer: the check computes in f64, and what lies there is as wide as it was written";

/// Where the code depends on where bytes lie, or touches a resource that is not widened.
fn stays_narrow(module: &Module, symbol: &SymbolOp, may_write: bool) -> Option<Narrow> {
    let body = &symbol.body;
    let is_written = symbol.attr(SYNTHESIZED).is_none();
    body.walk_all().into_iter().find_map(|op| {
        let resource = agg::resource_name(body, op).and_then(|n| module.get(n));
        let untreated = resource.is_some_and(|r| treatment(r) == Treatment::None);
        let of_bytes = || body.operands(op).iter().any(|&v| agg::is_byte_view(body.ty(v)));
        let has_floats = |v: &ValueId| widen_type(body.ty(*v)) != body.ty(*v);
        let memory_has_floats =
            |v: ValueId| agg::as_buffer(body.ty(v)).is_none_or(|(elem, _)| widen_type(elem) != elem);
        let why = match () {
            // Static variables without floats keep their places; other addresses may be anything.
            _ if agg::Address::is(body, op) && memory_has_floats(body.operand(op, 0))
                || agg::Pointee::is(body, op) && (is_written || memory_has_floats(body.result(op, 0))) =>
            {
                BY_POINTER.to_string()
            }
            _ if agg::BufferLoad::is(body, op) && of_bytes() => {
                let read = body.result(op, 0);
                if is_narrow(body.ty(read)) || !has_floats(&read) {
                    return None;
                }
                "it reads a struct from bytes, whose places depend on the width of what is read".to_string()
            }
            _ if writes_bytes(body, op) => {
                let mut floats = body.operands(op).iter().filter(|v| has_floats(v));
                if floats.all(|&v| may_write && is_narrow(body.ty(v))) {
                    return None;
                }
                "it writes bytes, which are as wide as what is written".to_string()
            }
            _ if tex::Store::is(body, op) || tex::AtomicRmw::is(body, op) || tex::AtomicCas::is(body, op) => {
                "it writes to a texture, whose texels are as wide as its format".to_string()
            }
            _ if untreated => match resource.and_then(Param::of) {
                Some(param) if param.kind == ParamKind::Unsupported => {
                    format!("it uses `{}`, a kind of resource that cannot be bound here", param.name)
                }
                _ => BY_POINTER.to_string(),
            },
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
    use caustic_dialects::signature::{FORWARD_DERIVATIVE, PRIMAL_SUBSTITUTE};
    let attrs = [PRIMAL_SUBSTITUTE, "of", FORWARD_DERIVATIVE, BACKWARD_DERIVATIVE];
    attrs.into_iter().filter_map(|a| symbol.attr(a)?.as_symbol())
}

/// Widens every function that can be, and the requests for derivatives; what leads to one that
/// cannot is removed. Gives the reason for each of these.
pub fn widen(module: &mut Module) -> FxHashMap<Name, Narrow> {
    let backward = of_backward_derivatives(module);
    let narrow = |s: &SymbolOp| Some((s.name, stays_narrow(module, s, backward.contains(&s.name))?));
    let mut reasons: FxHashMap<Name, Narrow> = module.symbols().iter().filter_map(narrow).collect();
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
    module.retain(|s| !removed.contains(&s.name) && (!is_resource(s) || treatment(s) != Treatment::None));
    for symbol in module.symbols_mut() {
        if is_resource(symbol) && treatment(symbol) == Treatment::AsWritten {
            continue;
        }
        if let Some(param) = Param::of(symbol).filter(|_| is_resource(symbol)) {
            symbol.set_attr(PARAM, Param { ty: widen_data(&param.ty), ..param }.to_attr());
        }
        widen_symbol(symbol);
    }
    reasons
}
