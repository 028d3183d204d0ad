//! Types: interned, copyable handles.
//!
//! The builtin types are MLIR's. A dialect's own type is a name and a list of parameters
//! (attributes), printed `!dialect.name<param, …>` for all alike, so that a new type needs no
//! printer or parser of its own; typed views of such types (field lookup and so on) live with the
//! dialect.

use crate::attr::Attr;
use crate::intern::{Interner, Name};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    F16,
    F32,
    F64,
}

impl FloatKind {
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::F16 => 16,
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// A signless integer of 1, 8, 16, 32 or 64 bits; what signedness there is belongs to the op.
    Int(u32),
    /// An unsigned integer of 8, 16, 32 or 64 bits, as a programmer's type has it. It says which
    /// ops a type's operations become; no value has such a type.
    UInt(u32),
    /// MLIR's `index`; 64 bits wide here, signed where an op has to choose.
    Index,
    Float(FloatKind),
    /// A vector (rank 1) or a row-major matrix (rank 2) of scalars.
    Vector {
        shape: Vec<u32>,
        elem: Type,
    },
    Function {
        inputs: Vec<Type>,
        results: Vec<Type>,
    },
    /// A type of a dialect: `name` is `"dialect.type"`.
    Dialect {
        name: Name,
        params: Vec<Attr>,
    },
}

/// An interned type; equality is identity.
#[derive(Clone, Copy)]
pub struct Type(&'static TypeKind);

static TYPES: Interner<TypeKind> = Interner::new();

impl Type {
    pub fn new(kind: TypeKind) -> Type {
        Type(TYPES.intern(kind))
    }
    pub fn kind(self) -> &'static TypeKind {
        self.0
    }

    pub fn int(bits: u32) -> Type {
        Type::new(TypeKind::Int(bits))
    }
    pub fn uint(bits: u32) -> Type {
        Type::new(TypeKind::UInt(bits))
    }
    pub fn i1() -> Type {
        Type::int(1)
    }
    pub fn i32() -> Type {
        Type::int(32)
    }
    pub fn i64() -> Type {
        Type::int(64)
    }
    pub fn index() -> Type {
        Type::new(TypeKind::Index)
    }
    pub fn float(kind: FloatKind) -> Type {
        Type::new(TypeKind::Float(kind))
    }
    pub fn f16() -> Type {
        Type::float(FloatKind::F16)
    }
    pub fn f32() -> Type {
        Type::float(FloatKind::F32)
    }
    pub fn f64() -> Type {
        Type::float(FloatKind::F64)
    }
    pub fn vector(shape: &[u32], elem: Type) -> Type {
        Type::new(TypeKind::Vector { shape: shape.to_vec(), elem })
    }
    pub fn function(inputs: &[Type], results: &[Type]) -> Type {
        Type::new(TypeKind::Function { inputs: inputs.to_vec(), results: results.to_vec() })
    }
    /// A dialect's type; `name` is `"dialect.type"`.
    pub fn dialect(name: &str, params: Vec<Attr>) -> Type {
        Type::new(TypeKind::Dialect { name: Name::new(name), params })
    }

    pub fn is_int(self) -> bool {
        matches!(self.0, TypeKind::Int(_))
    }
    pub fn is_index(self) -> bool {
        matches!(self.0, TypeKind::Index)
    }
    pub fn is_int_or_index(self) -> bool {
        matches!(self.0, TypeKind::Int(_) | TypeKind::Index)
    }
    pub fn is_i1(self) -> bool {
        matches!(self.0, TypeKind::Int(1))
    }
    pub fn is_float(self) -> bool {
        matches!(self.0, TypeKind::Float(_))
    }
    pub fn is_vector(self) -> bool {
        matches!(self.0, TypeKind::Vector { .. })
    }
    pub fn is_scalar(self) -> bool {
        matches!(self.0, TypeKind::Int(_) | TypeKind::Index | TypeKind::Float(_))
    }
    /// An unsigned integer, which only a type that a programmer wrote can be.
    pub fn is_unsigned(self) -> bool {
        matches!(self.0, TypeKind::UInt(_))
    }
    /// Bits of an int, index or float scalar, or of an unsigned integer.
    pub fn scalar_bits(self) -> Option<u32> {
        match self.0 {
            TypeKind::Int(bits) | TypeKind::UInt(bits) => Some(*bits),
            TypeKind::Index => Some(64),
            TypeKind::Float(kind) => Some(kind.bits()),
            _ => None,
        }
    }
    pub fn float_kind(self) -> Option<FloatKind> {
        match self.0 {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        }
    }
    /// Shape of a vector or matrix; empty for everything else.
    pub fn shape(self) -> &'static [u32] {
        match self.0 {
            TypeKind::Vector { shape, .. } => shape,
            _ => &[],
        }
    }
    /// Number of scalars of a vector or matrix; 1 for everything else.
    pub fn num_elements(self) -> usize {
        self.shape().iter().map(|&n| n as usize).product()
    }
    /// The scalar type of a vector or matrix; the type itself for everything else.
    pub fn elem(self) -> Type {
        match self.0 {
            TypeKind::Vector { elem, .. } => *elem,
            _ => self,
        }
    }
    /// The same shape with another scalar type.
    pub fn with_elem(self, elem: Type) -> Type {
        match self.0 {
            TypeKind::Vector { shape, .. } => Type::vector(shape, elem),
            _ => elem,
        }
    }
    /// Parameters of the dialect type `name`, if this is one.
    pub fn dialect_params(self, name: &str) -> Option<&'static [Attr]> {
        match self.0 {
            TypeKind::Dialect { name: n, params } if *n == name => Some(params),
            _ => None,
        }
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Type {}
impl std::hash::Hash for Type {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0 as *const TypeKind as usize).hash(state);
    }
}

/// MLIR's syntax.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::text::write::write_type(f, *self, &Default::default())
    }
}
impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
