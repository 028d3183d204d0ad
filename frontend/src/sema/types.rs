//! The types of the language during checking: signed and unsigned integers are distinct, and
//! aliases are resolved.
//!
//! A [`Ty`] is interned and compares by identity. Structs, interfaces and generic parameters are
//! numbered per compilation; everything else is self-contained. A type that mentions a parameter is
//! *dependent*; `generics` substitutes in it. `lower` translates types to the IR.

pub use super::resources::{Resource, Texture};
use crate::ast::BinOp;
use caustic_ir::Name;
use caustic_ir::intern::Interner;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

use Scalar::*;

impl Scalar {
    pub fn is_float(self) -> bool {
        matches!(self, F16 | F32 | F64)
    }
    pub fn is_int(self) -> bool {
        !self.is_float() && self != Bool
    }
    pub fn is_unsigned(self) -> bool {
        matches!(self, U8 | U16 | U32 | U64)
    }
    pub fn is_signed_int(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64)
    }
    pub fn bits(self) -> u32 {
        match self {
            Bool => 1,
            I8 | U8 => 8,
            I16 | U16 | F16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 => 64,
        }
    }
    pub fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "int8_t",
            I16 => "int16_t",
            I32 => "int",
            I64 => "int64_t",
            U8 => "uint8_t",
            U16 => "uint16_t",
            U32 => "uint",
            U64 => "uint64_t",
            F16 => "half",
            F32 => "float",
            F64 => "double",
        }
    }
    /// The unsigned type of the same width.
    pub fn to_unsigned(self) -> Scalar {
        match self {
            I8 => U8,
            I16 => U16,
            I32 => U32,
            I64 => U64,
            other => other,
        }
    }
}

/// Index of a struct in the checker's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(pub u32);

/// Index of a generic parameter in the checker's table. Every declaration has parameters of its
/// own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(pub u32);

/// Index of an enum in the checker's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// Index of an interface in the checker's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InterfaceId(pub u32);

/// A compile-time integer as an argument of types and generics.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValKind {
    Int(i64),
    Param(ParamId),
    Binary(BinOp, Val, Val),
    /// `cond ? a : b`.
    Choice(Val, Val, Val),
    /// The element of a list of values that `each` stands for.
    Each(ParamId),
    /// The number of bytes of a value, without padding at its end.
    SizeOf(Ty),
    AlignOf(Ty),
    /// The size or the alignment of a type in a data layout.
    LaidBy {
        align: bool,
        ty: Ty,
        layout: Ty,
    },
    /// The number of elements of an array, a tuple, or a pack of types.
    CountOf(Ty),
    /// The number of bytes of the floats in the differential of a type; zero if they are of several
    /// types.
    FloatOf(Ty),
    /// What a descriptor of a type is, and what can be done by it, as numbers of enums.
    DescriptorKind(Ty),
    DescriptorAccess(Ty),
    /// A static constant that an interface requires of a type.
    Required {
        of: Ty,
        interface: InterfaceRef,
        name: Name,
    },
}

#[derive(Clone, Copy)]
pub struct Val(&'static ValKind);

/// A generic argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GArg {
    Ty(Ty),
    Val(Val),
}

/// A list of generic arguments, interned.
#[derive(Clone, Copy)]
pub struct Args(&'static Vec<GArg>);

/// An interface with its generic arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InterfaceRef {
    pub id: InterfaceId,
    pub args: Args,
}

/// The layout of a matrix in memory: row after row, or column after column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MatrixLayout {
    #[default]
    Row,
    Column,
}

/// The name of the type of a block of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Block {
    Constants,
    Parameters,
    Texture,
}

impl Block {
    pub fn by_name(name: &str) -> Block {
        match name {
            "ParameterBlock" => Block::Parameters,
            "TextureBuffer" => Block::Texture,
            _ => Block::Constants,
        }
    }
    pub fn name(self) -> &'static str {
        match self {
            Block::Constants => "ConstantBuffer",
            Block::Parameters => "ParameterBlock",
            Block::Texture => "TextureBuffer",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TyKind {
    /// The type of an expression whose error has been reported. It converts to and from every type.
    Error,
    Void,
    Scalar(Scalar),
    Vector(Scalar, u32),
    Matrix(Scalar, u32, u32),
    /// `T[]` has no count; it gets one from its initializer.
    Array(Ty, Option<u32>),
    Struct(StructId),
    Enum(EnumId),
    Buffer {
        elem: Ty,
        write: bool,
    },
    Resource(Resource),
    /// `ConstantBuffer<T>` and the like.
    Uniform(Ty, Block),
    Pair(Ty),
    /// A type parameter; also `This` of an interface.
    Param(ParamId),
    /// An associated type of a type that is not known yet.
    Assoc {
        base: Ty,
        interface: InterfaceRef,
        name: Name,
    },
    /// Vectors, matrices and arrays whose element or size is not known yet; never one that is.
    VectorOf(Ty, Val),
    MatrixOf(Ty, Val, Val),
    ArrayOf(Ty, Val),
    /// A list of types, as the argument of a variadic parameter. Lists inside of it are not known
    /// yet.
    Pack(Args),
    /// The list of the types that a type, in terms of `Each`, becomes for the elements of a list.
    Expand(Ty, Ty),
    /// The element of a list of types that is a parameter or a part of one.
    Each(Ty),
    /// A part of a list of types that is not known yet.
    Part(Ty, PackPart),
    /// An interface as the type of values, which hold a value of a conforming type.
    Interface(InterfaceRef),
    /// A matrix, or an array of matrices, in memory with a written layout. Only types in memory are
    /// like this: elements of resources, contents of constant buffers, and pointees. A value that
    /// is read from there has the inner type.
    Laid(Ty, MatrixLayout),
    /// The type of `{ a, b }` before the type that it initializes is known.
    InitList,
    Str,
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PackPart {
    First,
    Last,
    TrimFirst,
    TrimLast,
}

impl PackPart {
    const ALL: [(PackPart, &'static str); 4] = [
        (PackPart::First, "__first"),
        (PackPart::Last, "__last"),
        (PackPart::TrimFirst, "__trimFirst"),
        (PackPart::TrimLast, "__trimLast"),
    ];

    pub fn named(name: &str) -> Option<PackPart> {
        Self::ALL.iter().find(|(_, n)| *n == name).map(|(p, _)| *p)
    }
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(p, _)| *p == self).map_or("", |(_, n)| n)
    }
    /// Whether the part is one element, as opposed to the rest.
    pub fn is_single(self) -> bool {
        matches!(self, PackPart::First | PackPart::Last)
    }
    pub fn take<T>(self, list: &[T]) -> &[T] {
        let n = list.len();
        match self {
            PackPart::First => &list[..n.min(1)],
            PackPart::Last => &list[n.saturating_sub(1)..],
            PackPart::TrimFirst => &list[n.min(1)..],
            PackPart::TrimLast => &list[..n.saturating_sub(1)],
        }
    }
}

#[derive(Clone, Copy)]
pub struct Ty(&'static TyKind);

static TYPES: Interner<TyKind> = Interner::new();
static VALUES: Interner<ValKind> = Interner::new();
static LISTS: Interner<Vec<GArg>> = Interner::new();

impl Val {
    pub fn new(kind: ValKind) -> Val {
        Val(VALUES.intern(kind))
    }
    pub fn int(n: i64) -> Val {
        Val::new(ValKind::Int(n))
    }
    pub fn kind(self) -> &'static ValKind {
        self.0
    }
    pub fn as_int(self) -> Option<i64> {
        match self.0 {
            ValKind::Int(n) => Some(*n),
            _ => None,
        }
    }
    /// `a op b`, computed if both are known, and otherwise in a normal form (`polynomials.rs`).
    pub fn binary(op: BinOp, a: Val, b: Val) -> Val {
        if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
            use super::tree::Const::Int;
            let logical = match op {
                BinOp::LogAnd => Some(x != 0 && y != 0),
                BinOp::LogOr => Some(x != 0 || y != 0),
                _ => None,
            };
            if let Some(known) = logical {
                return Val::int(i64::from(known));
            }
            match super::consts::fold_binary(op, Int(x), Int(y), Scalar::I32) {
                Some(Int(n)) => return Val::int(n),
                Some(super::tree::Const::Bool(b)) => return Val::int(i64::from(b)),
                _ => {}
            }
        }
        super::polynomials::combined(op, a, b).unwrap_or_else(|| Val::new(ValKind::Binary(op, a, b)))
    }
    /// `cond ? a : b`, decided if the condition is known.
    pub fn choice(cond: Val, a: Val, b: Val) -> Val {
        match cond.as_int() {
            Some(0) => b,
            Some(_) => a,
            None => Val::new(ValKind::Choice(cond, a, b)),
        }
    }
}

impl PartialEq for Val {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Val {}
impl std::hash::Hash for Val {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0 as *const ValKind as usize).hash(state);
    }
}
impl fmt::Debug for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Args {
    pub fn new(list: Vec<GArg>) -> Args {
        Args(LISTS.intern(list))
    }
    pub fn none() -> Args {
        Args::new(Vec::new())
    }
}
impl std::ops::Deref for Args {
    type Target = [GArg];
    fn deref(&self) -> &[GArg] {
        self.0
    }
}
impl PartialEq for Args {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Args {}
impl std::hash::Hash for Args {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0 as *const Vec<GArg> as usize).hash(state);
    }
}
impl fmt::Debug for Args {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Ty {
    pub fn new(kind: TyKind) -> Ty {
        Ty(TYPES.intern(kind))
    }
    pub fn kind(self) -> &'static TyKind {
        self.0
    }
    pub fn error() -> Ty {
        Ty::new(TyKind::Error)
    }
    pub fn void() -> Ty {
        Ty::new(TyKind::Void)
    }
    pub fn scalar(s: Scalar) -> Ty {
        Ty::new(TyKind::Scalar(s))
    }
    pub fn vector(s: Scalar, n: u32) -> Ty {
        Ty::new(TyKind::Vector(s, n))
    }
    pub fn matrix(s: Scalar, r: u32, c: u32) -> Ty {
        Ty::new(TyKind::Matrix(s, r, c))
    }
    pub fn array(elem: Ty, n: Option<u32>) -> Ty {
        Ty::new(TyKind::Array(elem, n))
    }
    /// `vector<elem, n>`, as a plain vector type if the arguments are known. The caller has checked
    /// that they make sense.
    pub fn vector_of(elem: Ty, n: Val) -> Ty {
        match (elem.as_scalar(), n.as_int()) {
            (Some(s), Some(n)) => Ty::vector(s, n as u32),
            _ => Ty::new(TyKind::VectorOf(elem, n)),
        }
    }
    pub fn matrix_of(elem: Ty, rows: Val, cols: Val) -> Ty {
        match (elem.as_scalar(), rows.as_int(), cols.as_int()) {
            (Some(s), Some(r), Some(c)) => Ty::matrix(s, r as u32, c as u32),
            _ => Ty::new(TyKind::MatrixOf(elem, rows, cols)),
        }
    }
    pub fn array_of(elem: Ty, n: Val) -> Ty {
        match n.as_int() {
            // A size that no array can have is one that is too large.
            Some(n) => Ty::array(elem, Some(u32::try_from(n).unwrap_or(u32::MAX))),
            None => Ty::new(TyKind::ArrayOf(elem, n)),
        }
    }
    pub fn pair(t: Ty) -> Ty {
        Ty::new(TyKind::Pair(t))
    }
    pub fn bool() -> Ty {
        Ty::scalar(Bool)
    }
    pub fn int() -> Ty {
        Ty::scalar(I32)
    }
    pub fn uint() -> Ty {
        Ty::scalar(U32)
    }
    pub fn float() -> Ty {
        Ty::scalar(F32)
    }
    pub fn is_error(self) -> bool {
        matches!(self.0, TyKind::Error)
    }
    pub fn is_void(self) -> bool {
        matches!(self.0, TyKind::Void)
    }
    pub fn as_scalar(self) -> Option<Scalar> {
        match self.0 {
            TyKind::Scalar(s) => Some(*s),
            _ => None,
        }
    }
    pub fn as_struct(self) -> Option<StructId> {
        match self.0 {
            TyKind::Struct(id) => Some(*id),
            _ => None,
        }
    }
    /// The type of the values that are in memory with this type.
    pub fn as_value(self) -> Ty {
        match self.0 {
            TyKind::Laid(t, _) => *t,
            _ => self,
        }
    }
    /// The type in memory with a written layout, if it is a matrix or an array of matrices. Other
    /// types have no layout.
    pub fn laid(self, layout: Option<MatrixLayout>) -> Ty {
        match (layout, super::structs::innermost(self).kind()) {
            (Some(layout), TyKind::Matrix(..)) => Ty::new(TyKind::Laid(self, layout)),
            _ => self,
        }
    }
    /// The scalar type of the elements of a scalar, a vector or a matrix.
    pub fn element_scalar(self) -> Option<Scalar> {
        match self.0 {
            TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix(s, _, _) => Some(*s),
            _ => None,
        }
    }
    pub fn is_arith(self) -> bool {
        self.element_scalar().is_some()
    }
    pub fn shape(self) -> Shape {
        match self.0 {
            TyKind::Vector(_, n) => Shape::Vector(*n),
            TyKind::Matrix(_, r, c) => Shape::Matrix(*r, *c),
            _ => Shape::Scalar,
        }
    }
    /// The type with the same shape and another scalar.
    pub fn with_scalar(self, s: Scalar) -> Ty {
        self.shape().of(s)
    }
    /// The type of `[i]`; `None` if the type has no builtin elements.
    pub fn indexed(self) -> Option<Ty> {
        match self.0 {
            TyKind::Vector(s, _) => Some(Ty::scalar(*s)),
            TyKind::Matrix(s, _, c) => Some(Ty::vector(*s, *c)),
            TyKind::Array(t, _) => Some(*t),
            TyKind::Buffer { elem, .. } | TyKind::Resource(Resource::ByteView { elem, .. }) => Some(elem.as_value()),
            TyKind::VectorOf(t, _) | TyKind::ArrayOf(t, _) => Some(*t),
            TyKind::MatrixOf(t, _, c) => Some(Ty::vector_of(*t, *c)),
            _ => None,
        }
    }
    /// Whether the type is a generic parameter, or a vector, matrix or array of an unknown element
    /// or size.
    pub fn is_abstract(self) -> bool {
        matches!(
            self.0,
            TyKind::Param(_)
                | TyKind::Each(_)
                | TyKind::Assoc { .. }
                | TyKind::VectorOf(..)
                | TyKind::MatrixOf(..)
                | TyKind::ArrayOf(..)
        )
    }
    /// The type of the elements of a number, a vector or a matrix, known or not.
    pub fn element(self) -> Option<Ty> {
        match self.0 {
            TyKind::Scalar(_) | TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. } => Some(self),
            TyKind::Vector(s, _) | TyKind::Matrix(s, ..) => Some(Ty::scalar(*s)),
            TyKind::VectorOf(t, _) | TyKind::MatrixOf(t, ..) => Some(*t),
            _ => None,
        }
    }
}

/// How the scalars of a builtin type are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar,
    Vector(u32),
    Matrix(u32, u32),
}

impl Shape {
    pub fn of(self, s: Scalar) -> Ty {
        match self {
            Shape::Scalar => Ty::scalar(s),
            Shape::Vector(n) => Ty::vector(s, n),
            Shape::Matrix(r, c) => Ty::matrix(s, r, c),
        }
    }
    pub fn count(self) -> u32 {
        match self {
            Shape::Scalar => 1,
            Shape::Vector(n) => n,
            Shape::Matrix(r, c) => r * c,
        }
    }
}

impl PartialEq for Ty {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Ty {}
impl std::hash::Hash for Ty {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0 as *const TyKind as usize).hash(state);
    }
}
impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The scalar type `name`.
pub fn scalar_by_name(name: &str) -> Option<Scalar> {
    Some(match name {
        "bool" => Bool,
        "int" | "int32_t" => I32,
        "uint" | "uint32_t" | "uint8_t4_packed" | "int8_t4_packed" => U32,
        "float" | "float32_t" => F32,
        "half" | "float16_t" => F16,
        "double" | "float64_t" => F64,
        "int8_t" => I8,
        "uint8_t" => U8,
        "int16_t" => I16,
        "uint16_t" => U16,
        "int64_t" | "intptr_t" | "ssize_t" => I64,
        "uint64_t" | "uintptr_t" | "size_t" | "usize_t" => U64,
        _ => return None,
    })
}

/// The builtin type `name` without generic arguments: `float`, `uint16_t`, `half3`, `float3x4`,
/// `int16_t2`.
pub fn builtin_type(name: &str) -> Option<Ty> {
    if name == "void" {
        return Some(Ty::void());
    }
    if let Some(s) = scalar_by_name(name) {
        return Some(Ty::scalar(s));
    }
    let digit = |b: u8| (b'1'..=b'4').contains(&b).then(|| (b - b'0') as u32);
    let bytes = name.as_bytes();
    let n = bytes.len();
    let last = digit(*bytes.last()?)?;
    if n > 3 && bytes[n - 2] == b'x' {
        let rows = digit(bytes[n - 3])?;
        return Some(Ty::matrix(scalar_by_name(&name[..n - 3])?, rows, last));
    }
    Some(Ty::vector(scalar_by_name(&name[..n - 1])?, last))
}

/// Whether `name` is a type that is not declared anywhere. This decides how `(name)-x` is read.
pub fn builtin_type_name(name: &str) -> bool {
    matches!(name, "vector" | "matrix" | "Array" | "DifferentialPair") || builtin_type(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builtin_names() {
        assert_eq!(builtin_type("float3"), Some(Ty::vector(F32, 3)));
        assert_eq!(builtin_type("half2x4"), Some(Ty::matrix(F16, 2, 4)));
        assert_eq!(builtin_type("uint16_t"), Some(Ty::scalar(U16)));
        assert_eq!(builtin_type("int64_t2"), Some(Ty::vector(I64, 2)));
        assert_eq!(builtin_type("float5"), None);
        assert_eq!(builtin_type("x"), None);
        assert_eq!(builtin_type("3"), None);
    }
}
