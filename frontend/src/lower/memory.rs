//! The representation of values in memory where it differs from the one in registers: values of
//! interface types are words, matrices can be column-major, and handles of resources are numbers
//! that lead to nothing here. In registers a matrix is always its rows.

use super::Lowering;
use super::func::FuncLower;
use super::place::Place;
use super::types::array_type;
use crate::sema::tree::Field;
use crate::sema::types::{GArg, MatrixLayout, Resource, Ty, TyKind};
use caustic_dialects::hl::expand::{self, Step};
use caustic_dialects::{agg, hl, vector};
use caustic_ir::{Attr, Name, Type, ValueId};

/// A type in memory, with the layout of the matrices in it that are not in a struct: the fields of
/// a struct have a layout of their own.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    pub ty: Ty,
    pub layout: MatrixLayout,
}

impl Stored {
    /// The same layout for a part that is no field of a struct.
    pub(crate) fn part(self, ty: Ty) -> Stored {
        Stored { ty, ..self }
    }
    /// Whether this is a column-major matrix.
    pub(crate) fn is_by_columns(self) -> bool {
        matches!((self.ty.kind(), self.layout), (TyKind::Matrix(..), MatrixLayout::Column))
    }
    /// Whether this is the handle of a resource: nothing else of a resource's type lies in memory.
    pub(crate) fn is_handle(self) -> bool {
        self.ty.is_resource()
    }
}

impl Lowering<'_, '_> {
    /// The layout that a type in memory states, or the default.
    pub(crate) fn stored(&self, ty: Ty) -> Stored {
        match ty.kind() {
            TyKind::Laid(t, layout) => Stored { ty: *t, layout: *layout },
            _ => Stored { ty, layout: self.checker.layout },
        }
    }

    /// Like [`Self::stored`], where the declaration may state the layout.
    pub(crate) fn declared(&self, ty: Ty, layout: Option<MatrixLayout>) -> Stored {
        let of_type = self.stored(ty);
        Stored { layout: layout.unwrap_or(of_type.layout), ..of_type }
    }

    pub(crate) fn stored_field(&self, f: &Field) -> Stored {
        self.declared(f.ty, f.layout)
    }

    /// The type and layout of a buffer's elements.
    pub(crate) fn stored_elements(&self, buffer: Ty) -> Stored {
        match buffer.kind() {
            TyKind::Buffer { elem, .. }
            | TyKind::Resource(Resource::ByteView { elem, .. } | Resource::Append(elem) | Resource::Consume(elem)) => {
                self.stored(*elem)
            }
            _ => self.stored(buffer.indexed().unwrap_or(buffer)),
        }
    }

    fn stored_fields(&mut self, ty: Ty) -> Vec<(Name, Stored)> {
        let Some(id) = ty.as_struct() else { return Vec::new() };
        let fields = self.checker.fields(id).to_vec();
        fields.iter().map(|f| (f.name, self.stored_field(f))).collect()
    }

    /// Whether the type contains column-major matrices or handles.
    pub(crate) fn is_rearranged(&mut self, s: Stored) -> bool {
        match s.ty.kind() {
            TyKind::Matrix(..) => s.is_by_columns(),
            _ if s.is_handle() => true,
            TyKind::Array(t, _) => self.is_rearranged(s.part(*t)),
            TyKind::Struct(_) => {
                if let Some(known) = self.rearranged.get(&s.ty) {
                    return *known;
                }
                let found = self.stored_fields(s.ty).into_iter().any(|(_, f)| self.is_rearranged(f));
                self.rearranged.insert(s.ty, found);
                found
            }
            _ => false,
        }
    }

    /// The IR type that represents a value in memory.
    pub(crate) fn memory_type(&mut self, s: Stored) -> Type {
        // Without code that reads or writes the buffer, there are no functions that pack its
        // elements.
        if self.checker.packer(s.ty).is_none() && self.checker.holds_interface(s.ty) {
            let count = self.checker.size_and_align(s.ty).0.div_ceil(4);
            return agg::array_type(count, Type::int(32));
        }
        match self.checker.packer(s.ty) {
            Some(packer) => self.ty(packer.words),
            None => self.parameter_type(s),
        }
    }

    /// The IR type of a parameter's data: values of interface types are words, and the aggregates
    /// around them stay as they are.
    pub(crate) fn parameter_type(&mut self, s: Stored) -> Type {
        if !self.checker.holds_interface(s.ty) && !self.is_rearranged(s) {
            return self.ty(s.ty);
        }
        match s.ty.kind() {
            _ if s.is_handle() => Type::i64(),
            TyKind::Matrix(_, r, c) => {
                let elem = self.ty(s.ty).elem();
                Type::vector(&[*c, *r], elem)
            }
            TyKind::Array(t, n) => array_type(*n, self.parameter_type(s.part(*t))),
            TyKind::Struct(_) => {
                let name = self.checker.symbol_of_arg(GArg::Ty(s.ty));
                let fields = self.stored_fields(s.ty);
                let fields: Vec<(Name, Type)> = fields.iter().map(|(n, t)| (*n, self.parameter_type(*t))).collect();
                let fields: Vec<(&str, Type, bool)> = fields.iter().map(|(n, t)| (n.as_str(), *t, false)).collect();
                agg::StructType::get(&name, false, &fields)
            }
            _ => self.memory_type(s),
        }
    }
}

impl FuncLower<'_, '_, '_> {
    /// The place at `reference`.
    pub(crate) fn place_in_memory(&mut self, reference: ValueId, s: Stored) -> Place {
        match self.lw.checker.packer(s.ty) {
            Some(packer) => Place::Words { reference, packer, ty: s.ty },
            None if self.lw.is_rearranged(s) => Place::Stored { reference, stored: s },
            None => Place::Ref { reference, ty: s.ty },
        }
    }

    pub(crate) fn reference_to(&mut self, whole: ValueId, step: Step, to: Type) -> ValueId {
        let ir = hl::ref_type(to);
        match step {
            Step::Constant(i) => hl::Field::build(&mut self.b(), whole, ir, &[("index", Attr::i64(i))]),
            Step::Dynamic(i) => hl::Element::build(&mut self.b(), whole, i, ir, &[]),
        }
    }

    /// The place of a part of something that contains column-major matrices.
    pub(crate) fn stored_part(&mut self, reference: ValueId, s: Stored, step: Step, ty: Ty) -> Place {
        let part = match (s.ty.as_struct(), step) {
            (Some(id), Step::Constant(k)) => {
                let field = self.lw.checker.fields(id).get(k as usize).cloned();
                field.map_or(s.part(ty), |f| self.lw.stored_field(&f))
            }
            _ if s.is_by_columns() => return Place::Row { matrix: reference, row: step, of: s.ty },
            _ => s.part(ty),
        };
        let ir = self.lw.parameter_type(part);
        let reference = self.reference_to(reference, step, ir);
        self.place_in_memory(reference, part)
    }

    /// The place of component `step` in a row of a column-major matrix.
    pub(crate) fn row_part(&mut self, matrix: ValueId, row: Step, of: Ty, step: Step) -> Place {
        let elem = Ty::scalar(of.element_scalar().unwrap_or(crate::sema::types::Scalar::F32));
        let rows = match of.kind() {
            TyKind::Matrix(_, r, _) => *r,
            _ => 1,
        };
        let scalar = self.lw.ty(elem);
        let column = self.reference_to(matrix, step, Type::vector(&[rows], scalar));
        let reference = self.reference_to(column, row, scalar);
        Place::Ref { reference, ty: elem }
    }

    /// Converts `data` from its representation in memory to the one in registers.
    pub(crate) fn unpacked(&mut self, data: ValueId, s: Stored) -> ValueId {
        if s.is_by_columns() {
            return vector::transposed(&mut self.b(), data);
        }
        if !self.lw.checker.holds_interface(s.ty) && !self.lw.is_rearranged(s) {
            return data;
        }
        if s.is_handle() {
            return self.zero(s.ty);
        }
        let ir = self.lw.ty(s.ty);
        let Some(parts) = self.stored_parts(s) else {
            return match self.lw.checker.packer(s.ty) {
                Some(packer) => self.call_plain(packer.unpack, data, ir),
                None => self.zero(s.ty),
            };
        };
        let mut values = Vec::with_capacity(parts.len());
        for (k, t) in parts.into_iter().enumerate() {
            let to = self.lw.parameter_type(t);
            let part = expand::part(&mut self.b(), data, Step::Constant(k as i64), to);
            values.push(self.unpacked(part, t));
        }
        agg::Make::build(&mut self.b(), &values, ir, &[])
    }

    /// Converts a value that contains no value of an interface type to its representation in
    /// memory.
    pub(crate) fn packed(&mut self, value: ValueId, s: Stored) -> ValueId {
        if s.is_by_columns() {
            return vector::transposed(&mut self.b(), value);
        }
        if s.is_handle() {
            return self.missing_bits();
        }
        let parts = if self.lw.is_rearranged(s) { self.stored_parts(s) } else { None };
        let Some(parts) = parts else { return value };
        let mut values = Vec::with_capacity(parts.len());
        for (k, t) in parts.into_iter().enumerate() {
            let part = self.extract(value, Step::Constant(k as i64), t.ty);
            values.push(self.packed(part, t));
        }
        let ir = self.lw.parameter_type(s);
        agg::Make::build(&mut self.b(), &values, ir, &[])
    }

    fn stored_parts(&mut self, s: Stored) -> Option<Vec<Stored>> {
        match s.ty.kind() {
            TyKind::Array(t, n) => Some(vec![s.part(*t); n.unwrap_or(0) as usize]),
            TyKind::Struct(_) => Some(self.lw.stored_fields(s.ty).into_iter().map(|(_, f)| f).collect()),
            _ => None,
        }
    }
}
