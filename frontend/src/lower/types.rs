//! Translates types of the language to types of the IR, to source types, and to reflection data.

use super::Lowering;
use super::memory::Stored;
use crate::mutants::{Site, mutant};
use crate::sema::optional::HAS_VALUE;
use crate::sema::types::{MatrixLayout, Resource, Scalar, Ty, TyKind};
use caustic_dialects::hl::generics::differential_of;
use caustic_dialects::reflect::{DataType, Scalar as Data};
use caustic_dialects::tex::{self, TextureType};
use caustic_dialects::{ad, agg};
use caustic_ir::{Name, Type};

pub(crate) fn scalar_type(s: Scalar) -> Type {
    match s {
        Scalar::F16 => Type::f16(),
        Scalar::F32 => Type::f32(),
        Scalar::F64 => Type::f64(),
        _ => Type::int(s.bits()),
    }
}

fn data_scalar(s: Scalar) -> Data {
    match s {
        Scalar::Bool => Data::Bool,
        Scalar::I8 => Data::I8,
        Scalar::I16 => Data::I16,
        Scalar::I32 => Data::I32,
        Scalar::I64 => Data::I64,
        Scalar::U8 => Data::U8,
        Scalar::U16 => Data::U16,
        Scalar::U32 => Data::U32,
        Scalar::U64 => Data::U64,
        Scalar::F16 => Data::F16,
        Scalar::F32 => Data::F32,
        Scalar::F64 => Data::F64,
    }
}

fn source_scalar(s: Scalar) -> Type {
    if s.is_unsigned() { Type::uint(s.bits()) } else { scalar_type(s) }
}

#[mutant(Site::UnsizedArray => agg::array_type(u64::from(count.unwrap_or(0)), elem))]
pub(super) fn array_type(count: Option<u32>, elem: Type) -> Type {
    count.map_or_else(|| agg::unsized_array_type(elem), |n| agg::array_type(n as u64, elem))
}

impl Lowering<'_, '_> {
    /// The source type, which builtin operations need: it tells unsigned integers from signed ones.
    pub(crate) fn source(&mut self, ty: Ty) -> Type {
        match ty.kind() {
            TyKind::Scalar(s) => source_scalar(*s),
            TyKind::Vector(s, n) => Type::vector(&[*n], source_scalar(*s)),
            TyKind::Matrix(s, r, c) => Type::vector(&[*r, *c], source_scalar(*s)),
            TyKind::Array(t, n) => array_type(*n, self.source(*t)),
            TyKind::Enum(id) => source_scalar(self.checker.enums[id.0 as usize].base),
            _ => self.ty(ty),
        }
    }

    pub(crate) fn ty(&mut self, ty: Ty) -> Type {
        if let Some(t) = self.types.get(&ty) {
            return *t;
        }
        let out = match ty.kind() {
            TyKind::Scalar(s) => scalar_type(*s),
            TyKind::Vector(s, n) => Type::vector(&[*n], scalar_type(*s)),
            TyKind::Matrix(s, r, c) => Type::vector(&[*r, *c], scalar_type(*s)),
            TyKind::Array(t, n) => {
                let elem = self.ty(*t);
                array_type(*n, elem)
            }
            TyKind::Struct(id) if self.checker.differential_of_interface(*id).is_some() => {
                match self.checker.differential_of_interface(*id) {
                    Some(i) => differential_of(self.existential(i)),
                    None => Type::index(),
                }
            }
            TyKind::Struct(id) => {
                // An instance has fields only after something has asked for its members.
                let chosen = self.checker.chosen_differential(*id).cloned();
                let fields = self.checker.fields(*id).to_vec();
                let info = &self.checker.structs[id.0 as usize];
                let (name, differentiable) = (info.name, info.differentiable);
                let fields: Vec<(Name, Type, bool)> =
                    fields.iter().map(|f| (f.name, self.ty(f.ty), f.no_diff)).collect();
                let fields: Vec<(&str, Type, bool)> = fields.iter().map(|(n, t, d)| (n.as_str(), *t, *d)).collect();
                if let Some(d) = self.checker.pointer_differential(ty) {
                    let other = (d != ty).then(|| self.ty(d));
                    let out = agg::StructType::pointer(&name, other, &fields);
                    self.types.insert(ty, out);
                    return out;
                }
                let plain = match chosen {
                    None => agg::StructType::get(&name, differentiable, &fields),
                    Some(c) => {
                        let other = (c.ty != ty).then(|| self.ty(c.ty));
                        agg::StructType::with_differential(&name, other, &fields, &c.places)
                    }
                };
                match self.checker.is_optional(ty) {
                    true => agg::StructType(plain).with_presence(HAS_VALUE as usize),
                    false => plain,
                }
            }
            TyKind::Enum(id) => scalar_type(self.checker.enums[id.0 as usize].base),
            TyKind::Buffer { elem, write } => {
                let elem = self.memory_type(self.stored(*elem));
                agg::buffer_type(elem, *write)
            }
            TyKind::Resource(r) => self.resource_type(*r),
            TyKind::Uniform(t, _) | TyKind::Laid(t, _) => self.ty(*t),
            TyKind::Pair(t) => {
                let primal = self.ty(*t);
                ad::pair_type(primal)
            }
            // None of these reaches lowering: a program with errors is not lowered.
            TyKind::Error | TyKind::Void | TyKind::InitList => Type::index(),
            // A string is represented by its hash.
            TyKind::Str => Type::i32(),
            // Nor do types that depend on generic parameters: `specialize` has replaced them.
            TyKind::Pack(_) | TyKind::Expand(..) | TyKind::Each(_) | TyKind::Part(..) => Type::index(),
            TyKind::Param(_)
            | TyKind::Assoc { .. }
            | TyKind::VectorOf(..)
            | TyKind::MatrixOf(..)
            | TyKind::ArrayOf(..) => Type::index(),
            TyKind::Interface(i) => self.existential(*i),
        };
        self.types.insert(ty, out);
        out
    }

    fn resource_type(&mut self, r: Resource) -> Type {
        match r {
            Resource::ByteAddress { write } => agg::buffer_type(Type::int(8), write),
            Resource::ByteView { elem, write } => agg::byte_view_type(self.memory_type(self.stored(elem)), write),
            Resource::Append(elem) | Resource::Consume(elem) => {
                agg::buffer_type(self.memory_type(self.stored(elem)), true)
            }
            Resource::Sampler { .. } => tex::sampler_type(),
            Resource::Texture(t) => {
                let elem = self.ty(t.elem);
                let texture = TextureType { shape: t.shape, array: t.array, writable: t.write, elem }.ty();
                if !t.combined {
                    return texture;
                }
                let fields = [("texture", texture, false), ("sampler", tex::sampler_type(), false)];
                agg::StructType::get(r.name(), false, &fields)
            }
        }
    }

    pub(crate) fn data_type(&mut self, stored: Stored) -> DataType {
        let ty = stored.ty;
        match ty.kind() {
            TyKind::Vector(s, n) => DataType::Vector { len: *n, elem: data_scalar(*s) },
            TyKind::Matrix(s, r, c) => {
                let by_columns = stored.is_by_columns();
                DataType::Matrix { rows: *r, cols: *c, elem: data_scalar(*s), by_columns }
            }
            TyKind::Array(t, n) => {
                let elem = Box::new(self.data_type(stored.part(*t)));
                DataType::Array { len: n.unwrap_or(0) as u64, elem }
            }
            TyKind::Struct(id) => {
                let info = &self.checker.structs[id.0 as usize];
                let fields: Vec<(Name, Stored)> = info.fields.iter().map(|f| (f.name, self.stored_field(f))).collect();
                let name = info.name;
                self.struct_data(name, &fields)
            }
            TyKind::Pair(t) => {
                let d = self.checker.differential(*t).unwrap_or(*t);
                let rows = |ty| Stored { ty, layout: MatrixLayout::Row };
                self.struct_data(
                    Name::new("DifferentialPair"),
                    &[(Name::new("p"), rows(*t)), (Name::new("d"), rows(d))],
                )
            }
            TyKind::Interface(i) => {
                let len = self.checker.interface_size(*i) / 4;
                DataType::Array { len, elem: Box::new(DataType::Scalar(Data::U32)) }
            }
            TyKind::Uniform(t, _) => self.data_type(self.stored(*t)),
            TyKind::Scalar(s) => DataType::Scalar(data_scalar(*s)),
            TyKind::Enum(id) => DataType::Scalar(data_scalar(self.checker.enums[id.0 as usize].base)),
            _ if stored.is_handle() => DataType::Scalar(Data::U64),
            _ => DataType::Scalar(Data::U32),
        }
    }

    /// The type as the programmer wrote it, if it has unsigned integers.
    pub(crate) fn written_unsigned(&mut self, ty: Ty) -> Option<DataType> {
        self.has_unsigned(ty).then(|| self.data_type(self.stored(ty)))
    }

    fn has_unsigned(&self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix(s, ..) => s.is_unsigned(),
            TyKind::Enum(id) => self.checker.enums[id.0 as usize].base.is_unsigned(),
            TyKind::Array(elem, _) => self.has_unsigned(*elem),
            TyKind::Struct(id) => self.checker.structs[id.0 as usize].fields.iter().any(|f| self.has_unsigned(f.ty)),
            _ => false,
        }
    }

    pub(crate) fn struct_data(&mut self, name: Name, fields: &[(Name, Stored)]) -> DataType {
        DataType::Struct { name, fields: fields.iter().map(|(n, t)| (*n, self.data_type(*t))).collect() }
    }
}
