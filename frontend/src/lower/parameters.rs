//! Lowers shader parameters: makes their symbols, and reads their parts.
//!
//! The data of a parameter is one uniform symbol. Each resource in it, at any depth, is a symbol of
//! its own, or an array of resources if it stands within arrays; the reflected type names that
//! symbol in its place. So a read of a part is either an extract from the data or the resource
//! itself, and an aggregate that contains resources is assembled from its parts.

use super::Lowering;
use super::func::FuncLower;
use super::memory::Stored;
use super::place::{constant_index, is_unsized_data};
use crate::sema::tree::*;
use crate::sema::types::{MatrixLayout, Resource, Scalar, Ty, TyKind};
use crate::source::Span;
use caustic_dialects::arith;
use caustic_dialects::hl::expand::Step;
use caustic_dialects::reflect::{COUNT, DataType, OUTER, Outer, PARAM, Param as ReflectParam, ParamKind};
use caustic_dialects::{agg, tex};
use caustic_ir::{Attr, Name, SymbolOp, Type, ValueId};
use rustc_hash::FxHashMap;
use std::sync::Arc as Rc;

/// The symbols of a parameter.
#[derive(Clone)]
pub(crate) struct Parameter {
    /// The symbol and the type of everything that is no resource.
    data: Option<(Name, Type)>,
    /// The resources, by the indices of the fields that lead to them.
    resources: Rc<FxHashMap<Vec<u32>, Leaf>>,
    /// If this is a member of a block of parameters: its index, and the fields of the block.
    field: Option<(u32, Rc<[Stored]>)>,
    layout: MatrixLayout,
}

impl Parameter {
    /// A parameter that is one symbol as a whole.
    pub(crate) fn of_symbol(symbol: Name) -> Parameter {
        let leaf = Leaf { symbol, sampler: None, counted: false };
        let resources = Rc::new([(Vec::new(), leaf)].into_iter().collect());
        Parameter { data: None, resources, field: None, layout: MatrixLayout::Row }
    }
}

#[derive(Clone, Copy)]
struct Leaf {
    symbol: Name,
    sampler: Option<Name>,
    counted: bool,
}

/// A step from an aggregate to a part of it. A step into an array has the array's number of
/// elements.
enum Way<'e> {
    Field(u32),
    Element(&'e Expr, u64),
    /// An element by its number, when an aggregate is assembled.
    Number(u32, u64),
}

fn plain(ty: Ty) -> Ty {
    match ty.kind() {
        TyKind::Uniform(t, _) | TyKind::Laid(t, _) => plain(*t),
        _ => ty,
    }
}

/// The type inside of parameter blocks and layout annotations. The innermost annotation decides the
/// layout.
fn contents(s: Stored) -> Stored {
    match s.ty.kind() {
        TyKind::Uniform(t, _) => contents(s.part(*t)),
        TyKind::Laid(t, layout) => contents(Stored { ty: *t, layout: *layout }),
        _ => s,
    }
}

/// Stands for the number of elements of an array without a size.
const UNSIZED: u64 = u64::MAX;

/// The state of making a parameter's symbols.
struct Making {
    span: Span,
    entry: Option<Name>,
    resources: FxHashMap<Vec<u32>, Leaf>,
    fields: Vec<u32>,
    count: Option<u64>,
}

impl Lowering<'_, '_> {
    fn field_types(&mut self, ty: Ty) -> Vec<(Name, Stored)> {
        let Some(id) = ty.as_struct() else { return Vec::new() };
        let fields = self.checker.fields(id).to_vec();
        fields.iter().map(|f| (f.name, self.stored_field(f))).collect()
    }

    /// Whether the host binds something to it: it is a resource or a pointer.
    fn is_bound(&mut self, ty: Ty) -> bool {
        ty.is_resource() || self.checker.pointee(ty).is_some()
    }

    /// The element type of the buffer that is bound to a pointer; `None` if the type is no pointer.
    fn bound_pointee(&mut self, ty: Ty) -> Option<Ty> {
        let to = self.checker.pointee(ty)?;
        Some(if to.is_void() { Ty::scalar(Scalar::U8) } else { to })
    }

    pub(crate) fn has_resources(&mut self, ty: Ty) -> bool {
        if self.is_bound(plain(ty)) {
            return true;
        }
        match plain(ty).kind() {
            TyKind::Array(t, _) => self.has_resources(*t),
            TyKind::Struct(_) => self.field_types(plain(ty)).iter().any(|(_, t)| self.has_resources(t.ty)),
            _ => false,
        }
    }

    fn has_data(&mut self, ty: Ty) -> bool {
        if self.is_bound(plain(ty)) {
            return false;
        }
        match plain(ty).kind() {
            TyKind::Array(t, _) => self.has_data(*t),
            TyKind::Struct(_) => {
                let fields = self.field_types(plain(ty));
                fields.is_empty() || fields.iter().any(|(_, t)| self.has_data(t.ty))
            }
            _ => true,
        }
    }

    /// The IR type of the data, without the resources.
    fn data_only(&mut self, s: Stored) -> Type {
        let s = contents(s);
        if !self.has_resources(s.ty) {
            return self.parameter_type(s);
        }
        match s.ty.kind() {
            TyKind::Array(t, n) => agg::array_type(n.unwrap_or(0) as u64, self.data_only(s.part(*t))),
            _ => {
                let name = self.checker.show(s.ty);
                let fields = self.field_types(s.ty);
                self.fields_data_only(&name, &fields)
            }
        }
    }

    fn fields_data_only(&mut self, name: &str, fields: &[(Name, Stored)]) -> Type {
        let mut kept = Vec::new();
        for (n, t) in fields {
            if self.has_data(t.ty) {
                kept.push((*n, self.data_only(*t)));
            }
        }
        let kept: Vec<(&str, Type, bool)> = kept.iter().map(|(n, t)| (n.as_str(), *t, false)).collect();
        agg::StructType::get(name, false, &kept)
    }

    /// Adds the symbols of a parameter.
    pub(crate) fn parameter(&mut self, name: Name, stored: Stored, span: Span, entry: Option<Name>) -> Parameter {
        let mut making = Making { span, entry, resources: FxHashMap::default(), fields: Vec::new(), count: None };
        let reflected = self.reflected(&name, stored, &mut making);
        let has_data = self.has_data(stored.ty);
        if !has_data {
            self.name_outer(name, &reflected, &making);
        }
        let data = has_data.then(|| {
            let ir = self.data_only(stored);
            let param = ReflectParam { name, kind: ParamKind::Uniform, ty: reflected, entry };
            (self.resource_symbol(ir, span, param, None), ir)
        });
        let layout = contents(stored).layout;
        Parameter { data, resources: Rc::new(making.resources), field: None, layout }
    }

    /// Notes on the resources of a parameter without data what they are parts of.
    fn name_outer(&mut self, name: Name, ty: &DataType, making: &Making) {
        fn is_struct(ty: &DataType) -> bool {
            match ty {
                DataType::Struct { .. } => true,
                DataType::Array { elem, .. } => is_struct(elem),
                _ => false,
            }
        }
        if !is_struct(ty) {
            return;
        }
        let outer = Outer { name, ty: ty.clone() }.to_attr();
        for leaf in making.resources.values() {
            for symbol in [Some(leaf.symbol), leaf.sampler].into_iter().flatten() {
                if let Some(op) = self.module.get_mut(symbol) {
                    op.set_attr(OUTER, outer);
                }
            }
        }
    }

    /// Adds the symbols of a block whose members are the fields of one struct. Returns a parameter
    /// for each member.
    pub(crate) fn block(&mut self, name: Name, fields: &[(Name, Stored)], span: Span) -> Vec<Parameter> {
        let mut making = Making { span, entry: None, resources: FxHashMap::default(), fields: Vec::new(), count: None };
        let reflected = self.reflected_fields(name, &name, fields, &mut making);
        let has_data = fields.iter().any(|(_, t)| self.has_data(t.ty));
        if !has_data {
            self.name_outer(name, &reflected, &making);
        }
        let data = has_data.then(|| {
            let ir = self.fields_data_only(&name, fields);
            let param = ReflectParam { name, kind: ParamKind::Uniform, ty: reflected, entry: None };
            (self.resource_symbol(ir, span, param, None), ir)
        });
        let resources = Rc::new(making.resources);
        let types: Rc<[Stored]> = fields.iter().map(|(_, t)| *t).collect();
        let member = |k: u32| Parameter {
            data,
            resources: resources.clone(),
            field: Some((k, types.clone())),
            layout: contents(types[k as usize]).layout,
        };
        (0..fields.len() as u32).map(member).collect()
    }

    /// Returns the reflected type, and makes the symbols of the resources in it.
    fn reflected(&mut self, path: &str, s: Stored, making: &mut Making) -> DataType {
        let s = contents(s);
        if !self.has_resources(s.ty) {
            return self.data_type(s);
        }
        match s.ty.kind() {
            TyKind::Array(t, n) => {
                let len = n.unwrap_or(0) as u64;
                let outer = making.count;
                // The host decides how many elements an array without a size has.
                making.count = match n {
                    Some(_) => Some(outer.unwrap_or(1).saturating_mul(len)),
                    None => Some(UNSIZED),
                };
                let elem = Box::new(self.reflected(path, s.part(*t), making));
                making.count = outer;
                DataType::Array { len, elem }
            }
            TyKind::Struct(_) if !self.is_bound(s.ty) => {
                let (name, fields) = (Name::new(&self.checker.show(s.ty)), self.field_types(s.ty));
                self.reflected_fields(name, path, &fields, making)
            }
            _ => DataType::Resource(self.resource(path, s.ty, making)),
        }
    }

    fn reflected_fields(&mut self, name: Name, path: &str, fields: &[(Name, Stored)], making: &mut Making) -> DataType {
        let mut out = Vec::with_capacity(fields.len());
        for (k, (field, ty)) in fields.iter().enumerate() {
            making.fields.push(k as u32);
            out.push((*field, self.reflected(&format!("{path}.{field}"), *ty, making)));
            making.fields.pop();
        }
        DataType::Struct { name, fields: out }
    }

    fn resource(&mut self, path: &str, ty: Ty, making: &mut Making) -> Name {
        let pointee = self.bound_pointee(ty);
        let kind = match ty.kind() {
            _ if pointee.is_some() => ParamKind::Pointer,
            TyKind::Buffer { write: true, .. } => ParamKind::RwBuffer,
            TyKind::Resource(r) => match r {
                Resource::ByteAddress { write: false } => ParamKind::ByteAddressBuffer,
                Resource::ByteAddress { write: true } => ParamKind::RwByteAddressBuffer,
                Resource::Append(_) => ParamKind::AppendBuffer,
                Resource::Consume(_) => ParamKind::ConsumeBuffer,
                Resource::Sampler { .. } => ParamKind::Sampler,
                Resource::Texture(t) if t.write => ParamKind::RwTexture,
                Resource::Texture(_) => ParamKind::Texture,
                Resource::ByteView { .. } => ParamKind::Unsupported,
            },
            _ => ParamKind::Buffer,
        };
        let elem = match (pointee, ty.kind()) {
            (Some(to), _) => to,
            (_, TyKind::Buffer { elem, .. }) => *elem,
            (_, TyKind::Resource(r)) => r.elem().unwrap_or(Ty::uint()),
            _ => ty,
        };
        let data = self.data_type(self.stored(elem));
        let name = Name::new(path);
        let param = |kind, ty| ReflectParam { name, kind, ty, entry: making.entry };
        let ir = if pointee.is_some() { pointed_to() } else { self.ty(ty) };
        let texture = if self.is_combined(ty) { agg::StructType(ir).field(0).map_or(ir, |f| f.ty) } else { ir };
        let (span, count) = (making.span, making.count);
        let symbol = self.resource_symbol(texture, span, param(kind, data), count);
        let sampler = self.is_combined(ty).then(|| {
            let uint = DataType::Scalar(caustic_dialects::reflect::Scalar::U32);
            self.resource_symbol(tex::sampler_type(), span, param(ParamKind::Sampler, uint), count)
        });
        making.resources.insert(making.fields.clone(), Leaf { symbol, sampler, counted: count.is_some() });
        symbol
    }

    fn is_combined(&self, ty: Ty) -> bool {
        ty.as_texture().is_some_and(|t| t.combined)
    }

    fn resource_symbol(&mut self, ir: Type, span: Span, param: ReflectParam, count: Option<u64>) -> Name {
        let symbol = self.checker.fresh_symbol(&param.name);
        let mut op = SymbolOp::new(agg::Resource::DEF, symbol, self.checker.loc(span));
        op.set_attr("type", Attr::ty(ir));
        op.set_attr(PARAM, param.to_attr());
        match count {
            Some(UNSIZED) => op.set_attr(COUNT, Attr::unit()),
            Some(count) => op.set_attr(COUNT, Attr::i64(count as i64)),
            None => {}
        }
        self.add(op);
        symbol
    }
}

/// The type of the buffer that is bound to a pointer: bytes, since the buffer can be smaller than
/// the type that is pointed to.
fn pointed_to() -> Type {
    agg::buffer_type(Type::int(8), true)
}

impl FuncLower<'_, '_, '_> {
    /// The value of a parameter or of a part of one; `None` if the expression is something else.
    pub(crate) fn parameter_value(&mut self, e: &Expr) -> Option<ValueId> {
        let mut at = e;
        let mut way = Vec::new();
        let parameter = loop {
            match &at.kind {
                // The address in a pointer is no parameter by itself.
                ExprKind::Field { base, .. } if self.lw.checker.pointee(plain(base.ty)).is_some() => return None,
                ExprKind::Field { base, index } => {
                    way.push(Way::Field(*index));
                    at = base;
                }
                ExprKind::Index { base, index } => {
                    let TyKind::Array(_, n) = plain(base.ty).kind() else { return None };
                    way.push(Way::Element(index, n.unwrap_or(0) as u64));
                    at = base;
                }
                ExprKind::Global(g) => break self.lw.globals.get(g)?.clone(),
                ExprKind::Local(l) => break self.parameters.get(l)?.clone(),
                _ => return None,
            }
        };
        way.reverse();
        let root = at.ty;
        Some(self.part_of(&parameter, root, &way, e))
    }

    fn part_of(&mut self, p: &Parameter, root: Ty, way: &[Way<'_>], e: &Expr) -> ValueId {
        let mut stored = contents(Stored { ty: root, layout: p.layout });
        let mut fields = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        if let Some((k, types)) = &p.field {
            fields.push(*k);
            let before = types.iter().take(*k as usize).filter(|t| self.lw.has_data(t.ty)).count();
            steps.push(Step::Constant(before as i64));
        }
        // The index in an array of resources; only computed where there are resources.
        let mut element: Option<ValueId> = None;
        for step in way {
            match step {
                Way::Field(k) => {
                    let types = self.lw.field_types(stored.ty);
                    let before = types.iter().take(*k as usize).filter(|(_, t)| self.lw.has_data(t.ty)).count();
                    steps.push(Step::Constant(before as i64));
                    fields.push(*k);
                    stored = types.get(*k as usize).map_or(stored, |(_, t)| contents(*t));
                }
                Way::Element(_, count) | Way::Number(_, count) => {
                    let TyKind::Array(t, _) = stored.ty.kind() else { break };
                    let has_resources = self.lw.has_resources(*t);
                    if is_unsized_data(stored.ty) && !has_resources {
                        self.at(e);
                        self.refuse_unsized(stored.ty);
                        return self.zero(e.ty);
                    }
                    let constant = match step {
                        Way::Number(k, _) => Some(*k as i64),
                        Way::Element(index, _) => constant_index(stored.ty, index),
                        Way::Field(_) => None,
                    };
                    let index = match (step, constant) {
                        (_, Some(k)) if has_resources => Some(arith::build::index(&mut self.b(), k)),
                        (Way::Element(index, _), None) => {
                            let v = self.value(index);
                            self.at(e);
                            Some(self.index_value(v, index.ty))
                        }
                        _ => None,
                    };
                    if has_resources && let Some(index) = index {
                        element = Some(self.count_on(element, *count, index));
                    }
                    steps.push(match (constant, index) {
                        (Some(k), _) => Step::Constant(k),
                        (None, Some(index)) => Step::Dynamic(index),
                        (None, None) => Step::Constant(0),
                    });
                    stored = contents(stored.part(*t));
                }
            }
        }
        let ty = stored.ty;
        self.at(e);
        if self.lw.is_bound(ty) {
            return match p.resources.get(&fields).copied() {
                Some(leaf) => self.resource_value(leaf, element, ty),
                None => self.zero(ty),
            };
        }
        if self.lw.has_resources(ty) {
            return self.put_together(p, root, way, ty, e);
        }
        let Some((symbol, ir)) = p.data else { return self.zero(ty) };
        let whole = agg::Global::build(&mut self.b(), ir, &[("name", Attr::symbol(symbol))]);
        if steps.is_empty() {
            return self.unpacked(whole, stored);
        }
        let to = self.lw.parameter_type(stored);
        let path: Vec<i64> = steps.iter().map(|s| if let Step::Constant(k) = s { *k } else { -1 }).collect();
        let indices: Vec<ValueId> =
            steps.iter().filter_map(|s| if let Step::Dynamic(v) = s { Some(*v) } else { None }).collect();
        let part = agg::Extract::build(&mut self.b(), whole, &indices, to, &[("path", Attr::i64_array(&path))]);
        self.unpacked(part, stored)
    }

    /// `outer * count + index`.
    fn count_on(&mut self, outer: Option<ValueId>, count: u64, index: ValueId) -> ValueId {
        let Some(outer) = outer else { return index };
        let count = arith::build::index(&mut self.b(), count as i64);
        let scaled = self.b().create_one(arith::MulI::DEF, &[outer, count], Type::index(), &[]);
        self.b().create_one(arith::AddI::DEF, &[scaled, index], Type::index(), &[])
    }

    fn resource_value(&mut self, leaf: Leaf, element: Option<ValueId>, ty: Ty) -> ValueId {
        let ir = self.lw.ty(ty);
        let contents = self.lw.bound_pointee(ty).map(|_| pointed_to());
        let mut read = |symbol: Name, ir: Type| {
            let name = ("name", Attr::symbol(symbol));
            match element.filter(|_| leaf.counted) {
                Some(index) => agg::GlobalElement::build(&mut self.b(), index, ir, &[name]),
                None => agg::Global::build(&mut self.b(), ir, &[name]),
            }
        };
        if let Some(contents) = contents {
            let buffer = read(leaf.symbol, contents);
            let address = agg::Address::build(&mut self.b(), buffer, Type::i64(), &[]);
            return agg::Make::build(&mut self.b(), &[address], ir, &[]);
        }
        let Some(sampler) = leaf.sampler else { return read(leaf.symbol, ir) };
        let texture = agg::StructType(ir).field(0).map_or(ir, |f| f.ty);
        let parts = [read(leaf.symbol, texture), read(sampler, tex::sampler_type())];
        agg::Make::build(&mut self.b(), &parts, ir, &[])
    }

    /// Assembles a struct or an array that contains resources from its parts.
    fn put_together(&mut self, p: &Parameter, root: Ty, way: &[Way<'_>], ty: Ty, e: &Expr) -> ValueId {
        let count = match ty.kind() {
            TyKind::Array(_, n) => n.unwrap_or(0),
            _ => self.lw.field_types(ty).len() as u32,
        };
        let mut parts = Vec::new();
        for k in 0..count {
            let next = match ty.kind() {
                TyKind::Array(..) => Way::Number(k, count as u64),
                _ => Way::Field(k),
            };
            let further: Vec<Way<'_>> = way.iter().map(Way::again).chain([next]).collect();
            parts.push(self.part_of(p, root, &further, e));
        }
        let ir = self.lw.ty(ty);
        agg::Make::build(&mut self.b(), &parts, ir, &[])
    }
}

impl<'e> Way<'e> {
    fn again(&self) -> Way<'e> {
        match self {
            Way::Field(k) => Way::Field(*k),
            Way::Element(index, count) => Way::Element(index, *count),
            Way::Number(k, count) => Way::Number(*k, *count),
        }
    }
}
