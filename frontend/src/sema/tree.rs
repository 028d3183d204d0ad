//! The checked tree: every expression has a type, every name is resolved, every conversion is
//! explicit.
//!
//! Lowering reads only this tree and makes no decision about types. The walks over the tree are
//! generated from the declarations here ([`super::walk`]).

use super::types::{Args, InterfaceRef, MatrixLayout, ParamId, Ty, Val};
use super::walk::nodes;
use crate::ast::BinOp;
use crate::source::Span;
use caustic_ir::Name;
use caustic_ir::codes::Code;
use smallvec::SmallVec;
use std::sync::Arc as Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlobalId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StaticId(pub u32);

/// A function with arguments for all generic parameters that are in force inside of it; the
/// outermost come first. For a requirement of an interface, the conforming type is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FuncRef {
    pub func: FuncId,
    pub args: Args,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Const {
    Bool(bool),
    Int(i64),
    Float(f64),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub ty: Ty,
    pub span: Span,
    pub kind: ExprKind,
}

/// One step of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    Forward,
    Backward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    Not,
    BitNot,
}

/// The operation of an atomic update. The type decides between signed and unsigned, integer and
/// float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    Add,
    And,
    Or,
    Xor,
    Min,
    Max,
    Exchange,
    CompareExchange,
}

nodes! {
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A scalar.
    Const(Const),
    Str(Rc<str>),
    /// All scalars zero.
    Zero,
    /// An integer that generic arguments decide.
    ValueOf(Val),
    /// The number of bytes of a value in a buffer, if generic arguments decide the type.
    SizeOf(Ty),
    /// A static constant that an interface requires of a type.
    RequiredConst {
        of: Ty,
        interface: InterfaceRef,
        name: Name,
    },
    /// An enum as its integer or the reverse, which have the same bits.
    Retype(Box<Expr>),
    /// A conversion from or to a type that depends on generic arguments, which decide the kind of
    /// conversion.
    ConvertAny(Box<Expr>),
    Local(LocalId),
    Global(GlobalId),
    /// A static variable of the thread. It never reaches lowering.
    Static {
        id: StaticId,
        args: Args,
    },
    /// A property or a subscript: a place whose reading and writing are calls.
    Access(Box<Access>),
    /// The value of a `static const`, shared by its uses, and its name.
    Shared(Rc<Expr>, Name),
    Field {
        base: Box<Expr>,
        index: u32,
    },
    /// Element of an array, component of a vector, row of a matrix.
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    BufferElem {
        buffer: Box<Expr>,
        index: Box<Expr>,
    },
    /// Components of a vector, or of a matrix counted row by row. A single component is a scalar.
    Swizzle {
        base: Box<Expr>,
        comps: SmallVec<[u8; 4]>,
    },
    /// A part of a differential pair: the differential, or else the primal.
    PairPart {
        base: Box<Expr>,
        differential: bool,
    },
    Unary {
        op: UnaryOp,
        arg: Box<Expr>,
    },
    /// Both operands have the same type (for shifts, the same shape).
    Binary {
        op: BinOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Short-circuit evaluation, on scalars.
    Logical {
        and: bool,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Only one of the two sides is evaluated.
    Ternary {
        cond: Box<Expr>,
        then: Box<Expr>,
        other: Box<Expr>,
    },
    /// Selects by component.
    Select {
        cond: Box<Expr>,
        then: Box<Expr>,
        other: Box<Expr>,
    },
    Assign {
        place: Box<Expr>,
        value: Box<Expr>,
    },
    /// `place = (place's type)((op type)place op value)`.
    CompoundAssign {
        op: BinOp,
        place: Box<Expr>,
        value: Box<Expr>,
        op_ty: Ty,
    },
    /// `place = value`, where `value` reads the old value of the place as the local `old`.
    Update {
        place: Box<Expr>,
        old: LocalId,
        value: Box<Expr>,
    },
    IncDec {
        inc: bool,
        prefix: bool,
        place: Box<Expr>,
    },
    /// Converts to the type with the same shape and another scalar.
    Convert(Box<Expr>),
    /// A scalar as every component.
    Splat(Box<Expr>),
    /// The upper left part of a matrix.
    TruncateMatrix(Box<Expr>),
    /// A vector or a matrix from scalars and vectors in order, a struct from its fields, an array
    /// from its elements, a pair from its two parts.
    Construct(Vec<Expr>),
    /// Reads each scalar of the argument's bits as another scalar of the same width.
    Bitcast(Box<Expr>),
    /// The bytes of the argument in memory read as another type of the same size.
    Reinterpret(Box<Expr>),
    /// One element of a value of pack type. This and the next two do not reach lowering.
    Each(Box<Expr>),
    /// Some elements of a value of pack type.
    PackPart {
        value: Box<Expr>,
        part: super::types::PackPart,
    },
    /// The values of `pattern` for every element of the list `of`.
    Expand {
        pattern: Box<Expr>,
        of: Ty,
    },
    /// A call; `this` is the first argument, if there is one. The argument of an `out` or `inout`
    /// parameter is a place.
    Call {
        func: FuncRef,
        args: Vec<Expr>,
    },
    /// A call of a static function of the type that the first argument holds. The function does not
    /// take that argument.
    CallOn {
        func: FuncRef,
        args: Vec<Expr>,
    },
    /// A call of a derivative. `modes` are in the order of differentiation. Directions are those of
    /// the derived signature.
    CallDeriv {
        func: FuncRef,
        modes: Vec<Mode>,
        dirs: Vec<Dir>,
        args: Vec<Expr>,
    },
    /// An atomic update of a number in a buffer. Its value is the old one.
    Atomic {
        op: AtomicOp,
        place: Box<Expr>,
        /// The operands; for a compare-and-exchange, the expected value and the new one.
        args: Vec<Expr>,
    },
    /// An op of the IR.
    Intrinsic {
        op: Name,
        args: Vec<Expr>,
    },
    Comma(Vec<Expr>),
    /// The value without its derivative.
    Detach(Box<Expr>),
    /// The zero of a differential type, until it is known whether the program declares a `dzero`.
    DZero,
    DAdd(Box<Expr>, Box<Expr>),
    DMul(Box<Expr>, Box<Expr>),
    Printf {
        format: Rc<str>,
        args: Vec<Expr>,
    },
    /// The number of elements of a buffer, as a `uint`.
    BufferLen(Box<Expr>),
    /// A value of a conforming type as one of an interface.
    Upcast(Box<Expr>),
    /// A value of an interface, from the number of a conforming type and data.
    MakeDynamic(Vec<Expr>),
    /// Whether a value of an interface holds this type.
    IsType {
        value: Box<Expr>,
        of: Ty,
    },
    /// `T is I` for a builtin interface.
    TypeMeets {
        ty: Ty,
        bound: super::bounds::Bound,
    },
    /// Whether one type is, or conforms to, another one.
    TypeIs {
        ty: Ty,
        of: Ty,
    },
    /// The value that a value of an interface holds, or zero if it is of another type. If the
    /// expression is an `Optional`, the result says which.
    Downcast {
        value: Box<Expr>,
        of: Ty,
    },
    /// `{ a, b }` before its type is known. It never reaches lowering.
    InitList(Vec<Expr>),
    /// A value that is only declared. Code that runs must not reach it.
    Unavailable(Rc<Missing>),
    /// An expression whose error has been reported.
    Error,
}
}

/// The reason why something cannot be run, and its declaration.
#[derive(Clone, Debug)]
pub struct Missing {
    pub code: Code,
    pub why: String,
    pub declared: Span,
}

/// The accessors of a property, with their arguments: the object, if there is one, and the indices.
/// The setter takes the new value after these.
#[derive(Clone, Debug)]
pub struct Access {
    pub get: Option<FuncRef>,
    pub set: Option<FuncRef>,
    pub args: Vec<Expr>,
    pub has_this: bool,
    /// The static variables that each accessor uses, which are passed after the other arguments.
    pub get_statics: Vec<Expr>,
    pub set_statics: Vec<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dir {
    In,
    Out,
    InOut,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Clone, Debug, Default)]
pub struct LoopAttrs {
    /// The limit may depend on generic parameters.
    pub max_iters: Option<Val>,
    pub force_unroll: bool,
    pub unroll: bool,
    pub no_unroll: bool,
}

nodes! {
#[derive(Clone, Debug)]
pub enum StmtKind {
    Expr(Expr),
    Var {
        local: LocalId,
        init: Option<Expr>,
    },
    Block(Vec<Stmt>),
    If {
        cond: Expr,
        then: Vec<Stmt>,
        other: Vec<Stmt>,
    },
    /// `for`, `while` and `do`.
    Loop {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Vec<Stmt>,
        test_first: bool,
        attrs: LoopAttrs,
    },
    Switch {
        value: Expr,
        groups: Vec<SwitchGroup>,
    },
    /// Copies of the body. It does not reach lowering.
    Unroll {
        copies: Copies,
        body: Vec<Stmt>,
    },
    /// A `static_assert` that depends on generic arguments. It does not reach lowering.
    Assert {
        cond: Expr,
        message: Option<Rc<str>>,
    },
    Break,
    Continue,
    Return(Option<Expr>),
}
}

/// What statements are copied for.
#[derive(Clone, Debug)]
pub enum Copies {
    /// Each number from `from` up to `to`, which replaces the value parameter.
    Numbers { param: ParamId, from: Val, to: Val },
    /// Each element of this list, of which `each` is then an element.
    Elements(Ty),
}

/// The statements after one or more labels, up to the next label. Without a `break` at the end,
/// they fall through to the next group.
#[derive(Clone, Debug)]
pub struct SwitchGroup {
    pub labels: Vec<i64>,
    pub is_default: bool,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: Name,
    pub ty: Ty,
    pub span: Span,
    /// Whether it can be assigned to.
    pub mutable: bool,
    pub param: Option<u32>,
    /// Whether it carries no derivative although its type could.
    pub no_diff: bool,
    /// The value of a constant scalar.
    pub known: Option<Const>,
}

#[derive(Clone, Debug, Default)]
pub struct Body {
    pub locals: Vec<Local>,
    pub stmts: Vec<Stmt>,
    /// The locals for the parameters, in order; the one for `this` comes first.
    pub params: Vec<LocalId>,
    /// Set if the function cannot be run here; its statements are then empty.
    pub unavailable: Option<Rc<Missing>>,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: Name,
    pub ty: Ty,
    pub dir: Dir,
    pub no_diff: bool,
    pub span: Span,
    pub semantic: Option<Name>,
    pub uniform: bool,
    /// `__ref`: the argument has a place of its own in memory.
    pub by_reference: bool,
    pub default: Option<Rc<crate::ast::Expr>>,
    /// The layout of its matrices in memory, if it is a shader parameter with a written layout.
    pub layout: Option<MatrixLayout>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Name,
    pub ty: Ty,
    pub no_diff: bool,
    pub span: Span,
    pub default: Option<Rc<crate::ast::Expr>>,
    /// Whether it keeps the value that it begins with.
    pub is_const: bool,
    /// The `[DerivativeMember]` that states the place of its derivative.
    pub member: Option<Rc<crate::ast::Attribute>>,
    /// The layout of its matrices in memory, if one is written.
    pub layout: Option<MatrixLayout>,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: Name,
    pub ty: Ty,
    pub span: Span,
    /// The layout of its matrices in memory, if one is written.
    pub layout: Option<MatrixLayout>,
    /// Whether it is a loose global uniform, as opposed to a resource.
    pub uniform: bool,
    /// Whether the threads of a group share it; `ty` is then a buffer with one element.
    pub groupshared: bool,
    /// Whether its name stands for the first element, though it is no variable of a group.
    pub storage: bool,
    /// The generic parameters around it. It then stands for one variable for each list of
    /// arguments.
    pub gens: Option<super::GenId>,
    /// The name of the `cbuffer` that it is a member of.
    pub block: Option<Name>,
    /// The type that the command line states in place of an interface, as written.
    pub given: Option<Rc<crate::ast::Expr>>,
    /// The interface that it is used as, if its own type is one that the command line gave.
    pub seen_as: Option<Ty>,
}

impl Param {
    /// An `in` parameter without further properties.
    pub fn plain(name: &str, ty: Ty, span: Span) -> Param {
        Param {
            name: Name::new(name),
            ty,
            dir: Dir::In,
            no_diff: false,
            span,
            semantic: None,
            uniform: false,
            by_reference: false,
            default: None,
            layout: None,
        }
    }
}

impl Expr {
    pub fn new(ty: Ty, span: Span, kind: ExprKind) -> Expr {
        Expr { ty, span, kind }
    }
    /// The value without its derivative.
    pub fn detached(self) -> Expr {
        match self.kind {
            ExprKind::InitList(_) | ExprKind::Error => self,
            _ => Expr { ty: self.ty, span: self.span, kind: ExprKind::Detach(self.into()) },
        }
    }
    pub fn error(span: Span) -> Expr {
        Expr { ty: Ty::error(), span, kind: ExprKind::Error }
    }
    pub fn int(value: i64, ty: Ty, span: Span) -> Expr {
        Expr { ty, span, kind: ExprKind::Const(Const::Int(value)) }
    }
}

/// Where the value of an op comes from, if not from its arguments or the thread's own memory. Such
/// a value carries no derivative, and the op's operands must not have one.
pub(crate) fn from_elsewhere(op: &str) -> Option<&'static str> {
    match op.split_once('.') {
        Some(("tex", _)) => Some("a texture"),
        Some(("gpu" | "simt", _)) => Some("other threads"),
        _ => None,
    }
}
