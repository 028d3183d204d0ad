//! Values of a program as its host sees them.

use caustic_dialects::agg;
use caustic_dialects::reflect::{DataType, Scalar};
use caustic_ir::eval::Val;
use caustic_ir::{FloatKind, Type, TypeKind};
use caustic_runtime::layout::struct_layout;
use caustic_runtime::layout_of;
use std::fmt;

/// A value: a scalar, or what is made of several.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A `bool`.
    Bool(bool),
    /// An integer of any width; an unsigned one of 64 bits that does not fit is negative.
    Int(i64),
    /// An unsigned integer that does not fit: only gradient checks give one.
    Uint(u64),
    /// A float of any width.
    Float(f64),
    /// The components of a vector, the components of a matrix row after row, the elements of an
    /// array, the fields of a struct.
    List(Vec<Value>),
}

impl Value {
    /// The number, if it is a float.
    pub fn as_float(&self) -> Option<f64> {
        if let Value::Float(v) = self { Some(*v) } else { None }
    }

    /// The number, if it is an integer.
    pub fn as_int(&self) -> Option<i64> {
        if let Value::Int(v) = self { Some(*v) } else { None }
    }

    /// The parts; none of a scalar.
    pub fn parts(&self) -> &[Value] {
        if let Value::List(parts) = self { parts } else { &[] }
    }

    /// The floats in it, in order.
    pub fn floats(&self) -> Vec<f64> {
        match self {
            Value::Float(v) => vec![*v],
            Value::List(parts) => parts.iter().flat_map(Value::floats).collect(),
            Value::Bool(_) | Value::Int(_) | Value::Uint(_) => Vec::new(),
        }
    }
}

/// As programs write it, lists in brackets.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(v) => v.fmt(f),
            Value::Int(v) => v.fmt(f),
            Value::Uint(v) => v.fmt(f),
            Value::Float(v) => fmt::Debug::fmt(v, f),
            Value::List(parts) => {
                f.write_str("[")?;
                for (i, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

macro_rules! from {
    ($($ty:ty => $make:expr;)*) => {$(
        impl From<$ty> for Value {
            fn from(v: $ty) -> Value {
                $make(v)
            }
        }
    )*};
}
from! {
    f64 => Value::Float;
    f32 => |v| Value::Float(f64::from(v));
    i64 => Value::Int;
    i32 => |v| Value::Int(i64::from(v));
    u32 => |v| Value::Int(i64::from(v));
    bool => Value::Bool;
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(parts: Vec<T>) -> Value {
        Value::List(parts.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(parts: [T; N]) -> Value {
        Value::List(parts.into_iter().map(Into::into).collect())
    }
}

mod sealed {
    /// Keeps [`super::Element`] to the types of this file.
    pub trait Sealed {}
}

/// A scalar of a buffer or a uniform: the numbers of Rust from 8 to 64 bits.
pub trait Element: sealed::Sealed + Copy {
    /// How programs call it.
    const SCALAR: Scalar;
    /// Its bytes in memory.
    fn to_bytes(self) -> Vec<u8>;
    /// The scalar with these bytes, of which there are as many as it has.
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($ty:ty = $scalar:ident;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
            fn to_bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn from_bytes(bytes: &[u8]) -> Self {
                <[u8; size_of::<$ty>()]>::try_from(bytes).map_or_else(|_| Default::default(), <$ty>::from_le_bytes)
            }
        }
    )*};
}
elements! {
    f32 = F32; f64 = F64;
    i8 = I8; i16 = I16; i32 = I32; i64 = I64;
    u8 = U8; u16 = U16; u32 = U32; u64 = U64;
}

/// Hands the scalars that contents of a type are made of to `f`, in order.
pub(crate) fn scalars_of(ty: &DataType, f: &mut dyn FnMut(Scalar)) {
    match ty {
        DataType::Scalar(s) | DataType::Vector { elem: s, .. } | DataType::Matrix { elem: s, .. } => f(*s),
        DataType::Array { elem, .. } => scalars_of(elem, f),
        DataType::Struct { fields, .. } => fields.iter().for_each(|(_, ty)| scalars_of(ty, f)),
        DataType::Resource(_) => {}
    }
}

fn decode_scalar(scalar: Scalar, bytes: &[u8]) -> Value {
    let mut word = [0u8; 8];
    let count = bytes.len().min(scalar.size());
    word[..count].copy_from_slice(&bytes[..count]);
    let bits = u64::from_le_bytes(word);
    match scalar {
        Scalar::Bool => Value::Bool(bits != 0),
        Scalar::F16 => Value::Float(half::f16::from_bits(bits as u16).to_f64()),
        Scalar::F32 => Value::Float(f64::from(f32::from_bits(bits as u32))),
        Scalar::F64 => Value::Float(f64::from_bits(bits)),
        _ if scalar.is_signed() => {
            let unused = 64 - 8 * scalar.size() as u32;
            Value::Int((bits as i64) << unused >> unused)
        }
        _ => Value::Int(bits as i64),
    }
}

/// The value of this type that lies in `bytes`; what is missing is zero.
pub(crate) fn decode(ty: &DataType, bytes: &[u8]) -> Value {
    let from = |at: usize| bytes.get(at..).unwrap_or_default();
    let row = |count: usize, elem: Scalar| (0..count).map(move |k| decode_scalar(elem, from(k * elem.size())));
    match ty {
        DataType::Scalar(scalar) => decode_scalar(*scalar, bytes),
        DataType::Vector { len, elem } => Value::List(row(*len as usize, *elem).collect()),
        DataType::Matrix { rows, cols, elem, by_columns } => {
            let (rows, cols) = (*rows as usize, *cols as usize);
            let at = |r: usize, c: usize| if *by_columns { c * rows + r } else { r * cols + c };
            let places = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)));
            Value::List(places.map(|(r, c)| decode_scalar(*elem, from(at(r, c) * elem.size()))).collect())
        }
        DataType::Array { len, elem } => {
            let size = layout_of(&**elem).map_or(0, |l| l.size as usize);
            Value::List((0..*len as usize).map(|k| decode(elem, from(k * size))).collect())
        }
        DataType::Struct { fields, .. } => {
            let types: Vec<DataType> = fields.iter().map(|(_, ty)| ty.clone()).collect();
            let offsets = struct_layout(&types).map(|(_, offsets)| offsets).unwrap_or_default();
            Value::List(types.iter().zip(offsets).map(|(ty, at)| decode(ty, from(at as usize))).collect())
        }
        DataType::Resource(_) => Value::List(Vec::new()),
    }
}

/// The scalars of a value of this type from byte `at` on, each with its place.
pub(crate) fn places_of(ty: &DataType, at: usize, out: &mut Vec<(usize, Scalar)>) {
    let mut row = |count: usize, elem: Scalar| out.extend((0..count).map(|k| (at + k * elem.size(), elem)));
    match ty {
        DataType::Scalar(scalar) => row(1, *scalar),
        DataType::Vector { len, elem } => row(*len as usize, *elem),
        DataType::Matrix { rows, cols, elem, by_columns } => {
            let (rows, cols) = (*rows as usize, *cols as usize);
            let place = |r: usize, c: usize| if *by_columns { c * rows + r } else { r * cols + c };
            let places = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)));
            out.extend(places.map(|(r, c)| (at + place(r, c) * elem.size(), *elem)));
        }
        DataType::Array { len, elem } => {
            let size = layout_of(&**elem).map_or(0, |l| l.size as usize);
            (0..*len as usize).for_each(|k| places_of(elem, at + k * size, out));
        }
        DataType::Struct { fields, .. } => {
            let types: Vec<DataType> = fields.iter().map(|(_, ty)| ty.clone()).collect();
            let offsets = struct_layout(&types).map(|(_, offsets)| offsets).unwrap_or_default();
            types.iter().zip(offsets).for_each(|(ty, skip)| places_of(ty, at + skip as usize, out));
        }
        DataType::Resource(_) => {}
    }
}

/// The parts of an aggregate with their types: components of a vector, fields, elements.
fn parts(ty: Type) -> Option<Vec<Type>> {
    match ty.kind() {
        TypeKind::Vector { elem, .. } => Some(vec![*elem; ty.num_elements()]),
        _ => agg::part_types(ty),
    }
}

/// The value of a type whose scalars are all zero.
pub(crate) fn zero_of(ty: Type) -> Value {
    match ty.kind() {
        TypeKind::Int(1) => Value::Bool(false),
        TypeKind::Int(_) | TypeKind::Index => Value::Int(0),
        TypeKind::Float(_) => Value::Float(0.0),
        _ => Value::List(parts(ty).unwrap_or_default().into_iter().map(zero_of).collect()),
    }
}

/// The value as one of a type of the representation; `None` if it is none. Numbers are rounded to
/// the type.
pub(crate) fn to_val(ty: Type, value: &Value) -> Option<Val> {
    Some(match (ty.kind(), value) {
        (TypeKind::Int(1), Value::Bool(v)) => Val::bool(*v),
        (TypeKind::Int(bits @ 2..=64), Value::Int(v)) => {
            let unused = 64 - *bits;
            Val::Int(*v << unused >> unused)
        }
        (TypeKind::Int(64), Value::Uint(v)) => Val::Int(*v as i64),
        (TypeKind::Index, Value::Int(v)) => Val::Int(*v),
        (TypeKind::Float(kind), Value::Float(v)) => Val::Float(match kind {
            FloatKind::F16 => half::f16::from_f64(*v).to_f64(),
            FloatKind::F32 => f64::from(*v as f32),
            FloatKind::F64 => *v,
        }),
        (_, Value::List(values)) => {
            let types = parts(ty)?;
            if types.len() != values.len() {
                return None;
            }
            Val::agg(types.iter().zip(values).map(|(&ty, value)| to_val(ty, value)).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// A value of the representation as the host sees it.
pub(crate) fn from_val(ty: Type, value: &Val) -> Value {
    match (ty.kind(), value) {
        (TypeKind::Int(1), _) => Value::Bool(value.as_bool()),
        (_, Val::Int(v)) => Value::Int(*v),
        (_, Val::Float(v)) => Value::Float(*v),
        (_, Val::Agg(values)) => {
            let types = parts(ty).unwrap_or_default();
            Value::List(types.iter().zip(values.iter()).map(|(&ty, value)| from_val(ty, value)).collect())
        }
        (_, Val::Handle(_)) => Value::List(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_their_types_or_do_not() {
        let f32x2 = Type::vector(&[2], Type::f32());
        let value = Value::from([0.1, 2.0]);
        let rounded = to_val(f32x2, &value).map(|v| from_val(f32x2, &v));
        assert_eq!(rounded, Some(Value::from([0.1f32, 2.0f32])));
        assert!(to_val(f32x2, &Value::from([1.0])).is_none());
        assert!(to_val(f32x2, &Value::from([1, 2])).is_none());
        assert!(to_val(Type::f32(), &Value::Int(1)).is_none());
        assert_eq!(to_val(Type::i32(), &Value::Int(1 << 32 | 5)).map(|v| v.as_int()), Some(5));
    }

    #[test]
    fn memory_is_read_as_declared() {
        let ty = DataType::Struct {
            name: caustic_ir::Name::new("S"),
            fields: vec![
                (caustic_ir::Name::new("on"), DataType::Scalar(Scalar::Bool)),
                (
                    caustic_ir::Name::new("m"),
                    DataType::Matrix { rows: 1, cols: 2, elem: Scalar::I16, by_columns: true },
                ),
            ],
        };
        assert_eq!(
            decode(&ty, &[1, 9, 0xff, 0xff, 2, 0]),
            Value::List(vec![Value::Bool(true), Value::List(vec![Value::Int(-1), Value::Int(2)])])
        );
    }
}
