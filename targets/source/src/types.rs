//! The types that emitted text has: those of the IR with the signs that it lacks.
//!
//! An integer of the IR has no sign, one in text has. A struct is its IR type; what signs its
//! fields have is known of those that a resource or a parameter holds ([`Signs`]), the others are
//! signed.
//!
//! This module must not know: any language, any op.

use caustic_dialects::agg::{StructType, as_array, as_buffer, as_slot, as_tape};
use caustic_dialects::reflect::{DataType, Param, Scalar};
use caustic_ir::{FloatKind, Module, Type, TypeKind};
use rustc_hash::FxHashMap;

/// A type as text has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Scalar(Scalar),
    /// A vector, or a matrix by its rows and columns.
    Vector {
        shape: Vec<u32>,
        elem: Scalar,
    },
    Struct(Type),
    Array(u64, Box<Ty>),
    /// An array that grows.
    Tape(Box<Ty>),
    /// A resource or a view of one, by its IR type.
    Handle(Type),
}

pub const INDEX: Ty = Ty::Scalar(Scalar::I64);
pub const BOOL: Ty = Ty::Scalar(Scalar::Bool);
pub const UINT: Ty = Ty::Scalar(Scalar::U32);

fn scalar(ty: Type, unsigned: bool) -> Option<Scalar> {
    Some(match (ty.kind(), unsigned) {
        (TypeKind::Int(1), _) => Scalar::Bool,
        (TypeKind::Int(8), false) => Scalar::I8,
        (TypeKind::Int(8), true) => Scalar::U8,
        (TypeKind::Int(16), false) => Scalar::I16,
        (TypeKind::Int(16), true) => Scalar::U16,
        (TypeKind::Int(32), false) => Scalar::I32,
        (TypeKind::Int(32), true) => Scalar::U32,
        (TypeKind::Int(64) | TypeKind::Index, false) => Scalar::I64,
        (TypeKind::Int(64) | TypeKind::Index, true) => Scalar::U64,
        (TypeKind::Float(FloatKind::F16), _) => Scalar::F16,
        (TypeKind::Float(FloatKind::F32), _) => Scalar::F32,
        (TypeKind::Float(FloatKind::F64), _) => Scalar::F64,
        _ => return None,
    })
}

/// Whether the scalar is an integer with a sign or without one, so that it has a twin.
pub fn is_integer(scalar: Scalar) -> bool {
    !scalar.is_float() && scalar != Scalar::Bool
}

/// The integer of the same width that is (or is not) unsigned; any other scalar itself.
pub fn with_sign(scalar: Scalar, unsigned: bool) -> Scalar {
    use Scalar::{I8, I16, I32, I64, U8, U16, U32, U64};
    match (scalar, unsigned) {
        (I8 | U8, false) => I8,
        (I8 | U8, true) => U8,
        (I16 | U16, false) => I16,
        (I16 | U16, true) => U16,
        (I32 | U32, false) => I32,
        (I32 | U32, true) => U32,
        (I64 | U64, false) => I64,
        (I64 | U64, true) => U64,
        (other, _) => other,
    }
}

impl Ty {
    /// The type of a value of the IR, a slot as what it holds.
    pub fn of(ty: Type, unsigned: bool) -> Option<Ty> {
        let ty = as_slot(ty).unwrap_or(ty);
        if let Some(scalar) = scalar(ty, unsigned) {
            return Some(Ty::Scalar(scalar));
        }
        if let TypeKind::Vector { shape, elem } = ty.kind() {
            return Some(Ty::Vector { shape: shape.clone(), elem: scalar(*elem, unsigned)? });
        }
        if StructType::of(ty).is_some() {
            return Some(Ty::Struct(ty));
        }
        if let Some((count, elem)) = as_array(ty) {
            return Some(Ty::Array(count, Box::new(Ty::of(elem, unsigned)?)));
        }
        if let Some(elem) = as_tape(ty) {
            return Some(Ty::Tape(Box::new(Ty::of(elem, unsigned)?)));
        }
        matches!(ty.kind(), TypeKind::Dialect { .. }).then_some(Ty::Handle(ty))
    }

    /// The scalar of a scalar, vector or matrix.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(s) | Ty::Vector { elem: s, .. } => Some(*s),
            _ => None,
        }
    }

    pub fn with_scalar(&self, to: Scalar) -> Ty {
        match self {
            Ty::Scalar(_) => Ty::Scalar(to),
            Ty::Vector { shape, .. } => Ty::Vector { shape: shape.clone(), elem: to },
            other => other.clone(),
        }
    }

    pub fn with_sign(&self, unsigned: bool) -> Ty {
        self.scalar().map_or_else(|| self.clone(), |s| self.with_scalar(with_sign(s, unsigned)))
    }

    pub fn is_vector(&self) -> bool {
        matches!(self, Ty::Vector { .. })
    }

    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Scalar(_))
    }

    pub fn is_float(&self) -> bool {
        self.scalar().is_some_and(Scalar::is_float)
    }

    pub fn is_unsigned(&self) -> bool {
        self.scalar().is_some_and(|s| is_integer(s) && !s.is_signed())
    }

    /// Parts that an index chooses among, if they are all alike and their number is fixed.
    pub fn len(&self) -> Option<u64> {
        match self {
            Ty::Vector { shape, .. } => shape.first().map(|&n| u64::from(n)),
            Ty::Array(count, _) => Some(*count),
            _ => None,
        }
    }

    /// Whether a value of it has no scalars: text leaves such parts out.
    pub fn is_empty(&self) -> bool {
        match self {
            Ty::Array(count, elem) => *count == 0 || elem.is_empty(),
            Ty::Struct(ty) => StructType(*ty).fields().all(|f| Ty::of(f.ty, false).is_some_and(|t| t.is_empty())),
            _ => false,
        }
    }
}

/// Which fields of structs are unsigned.
#[derive(Default)]
pub struct Signs(FxHashMap<(Type, usize), bool>);

impl Signs {
    /// What the resources of a module say.
    pub fn learn_resources(&mut self, module: &Module) {
        for symbol in module.symbols() {
            let Some(param) = Param::of(symbol) else { continue };
            let Some(ty) = caustic_runtime::resource_type(symbol) else { continue };
            let held = as_buffer(ty).map_or(ty, |(elem, _)| elem);
            self.learn(held, &param.ty);
        }
    }

    /// What a type says that the programmer wrote.
    pub fn learn(&mut self, ty: Type, written: &DataType) {
        match (StructType::of(ty), as_array(ty), written) {
            (Some(s), _, DataType::Struct { fields, .. }) => {
                for (index, field) in s.fields().enumerate() {
                    let Some((_, written)) = fields.iter().find(|(name, _)| name.as_str() == field.name) else {
                        continue;
                    };
                    if !matches!(written, DataType::Resource(_)) {
                        // Arrays hold signed integers: they are slots and fields, and have to
                        // agree.
                        if as_array(field.ty).is_none() {
                            self.0.insert((ty, index), is_unsigned(written));
                        }
                        self.learn(field.ty, written);
                    }
                }
            }
            (_, Some((_, elem)), DataType::Array { elem: written, .. }) => self.learn(elem, written),
            _ => {}
        }
    }

    /// The type of a field.
    pub fn field(&self, ty: Type, index: usize) -> Option<Ty> {
        let unsigned = self.0.get(&(ty, index)).copied().unwrap_or(false);
        Ty::of(StructType(ty).field(index)?.ty, unsigned)
    }

    /// The type of part `step` of a value; of any element, where `step` is negative.
    pub fn part(&self, ty: &Ty, step: i64) -> Option<Ty> {
        match ty {
            Ty::Vector { shape, elem } => Some(match shape.get(1..)? {
                [] => Ty::Scalar(*elem),
                rest => Ty::Vector { shape: rest.to_vec(), elem: *elem },
            }),
            Ty::Struct(of) => self.field(*of, usize::try_from(step).ok()?),
            Ty::Array(_, elem) | Ty::Tape(elem) => Some((**elem).clone()),
            Ty::Scalar(_) | Ty::Handle(_) => None,
        }
    }
}

/// Whether the scalars of a written type are unsigned integers, those of a struct aside.
pub fn is_unsigned(written: &DataType) -> bool {
    match written {
        DataType::Scalar(s) | DataType::Vector { elem: s, .. } | DataType::Matrix { elem: s, .. } => {
            is_integer(*s) && !s.is_signed()
        }
        DataType::Array { elem, .. } => is_unsigned(elem),
        DataType::Struct { .. } | DataType::Resource(_) => false,
    }
}
