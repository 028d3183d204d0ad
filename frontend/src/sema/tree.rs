//! The checked tree: every expression has a type, every name is resolved, every conversion is
//! explicit.
//!
//! Lowering reads only this; it makes no decision about types. Walks of the tree are made from what
//! stands here ([`super::walk`]).

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

/// A function with arguments for all generic parameters that are in force inside of it, the
/// outermost first. For a requirement of an interface the conforming type is among them.
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

/// What an atomic update does; signed or not, integer or float is for the type to say.
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
    /// The bytes of a value in a buffer, where generic arguments decide the type.
    SizeOf(Ty),
    /// A static constant that an interface requires of a type.
    RequiredConst {
        of: Ty,
        interface: InterfaceRef,
        name: Name,
    },
    /// A value of an enum as its integer, and back: the same bits.
    Retype(Box<Expr>),
    /// Conversion to a builtin type where one of the two types depends on generic arguments: which
    /// conversion it is, they decide.
    ConvertAny(Box<Expr>),
    Local(LocalId),
    Global(GlobalId),
    /// A variable of the thread; never reaches lowering.
    Static {
        id: StaticId,
        args: Args,
    },
    /// A property or a subscript: a place whose reading and writing are calls.
    Access(Box<Access>),
    /// The value of a `static const`, shared by its uses.
    Shared(Rc<Expr>),
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
    /// Components of a vector, or of a matrix counted row-major. One component gives a scalar.
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
    /// Both operands have one type (for shifts: one shape).
    Binary {
        op: BinOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// Short-circuit, on scalars.
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
    /// By component.
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
    /// `place = value`, where `value` reads what was there before as the local `old`.
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
    /// The same shape over another scalar.
    Convert(Box<Expr>),
    /// A scalar to every component.
    Splat(Box<Expr>),
    /// The upper left part of a matrix.
    TruncateMatrix(Box<Expr>),
    /// Vector or matrix from scalars and vectors in order; struct from its fields; array from its
    /// elements; a pair from its two parts.
    Construct(Vec<Expr>),
    /// Reads each scalar of the argument's bits as another scalar of the same width.
    Bitcast(Box<Expr>),
    /// The bytes of the argument in memory read as another type of the same size.
    Reinterpret(Box<Expr>),
    /// One element of a value of pack type; gone before lowering, as is what follows.
    Each(Box<Expr>),
    /// Some elements of a value of pack type.
    PackPart {
        value: Box<Expr>,
        part: super::types::PackPart,
    },
    /// What `pattern` is for every element of the list `of`.
    Expand {
        pattern: Box<Expr>,
        of: Ty,
    },
    /// `this` comes first where there is one. For an `out` or `inout` parameter the argument is a
    /// place.
    Call {
        func: FuncRef,
        args: Vec<Expr>,
    },
    /// A call of a static function of the type that the first argument holds; the function does not
    /// take that argument.
    CallOn {
        func: FuncRef,
        args: Vec<Expr>,
    },
    /// A call of a derivative; `modes` from the innermost step outwards. Directions are those of
    /// the derived signature.
    CallDeriv {
        func: FuncRef,
        modes: Vec<Mode>,
        dirs: Vec<Dir>,
        args: Vec<Expr>,
    },
    /// An update of a number in a buffer that no other thread comes between; the value is what was
    /// there before.
    Atomic {
        op: AtomicOp,
        place: Box<Expr>,
        /// What is combined; for an exchange by comparison the expected value and the new one.
        args: Vec<Expr>,
    },
    /// One op of the IR.
    Intrinsic {
        op: Name,
        args: Vec<Expr>,
    },
    Comma(Vec<Expr>),
    /// The value without its derivative.
    Detach(Box<Expr>),
    /// The zero of a differential type, until it is known whether the programmer gives one.
    DZero,
    DAdd(Box<Expr>, Box<Expr>),
    DMul(Box<Expr>, Box<Expr>),
    Printf {
        format: Rc<str>,
        args: Vec<Expr>,
    },
    /// Number of elements of a buffer, as `uint`.
    BufferLen(Box<Expr>),
    /// A value of a conforming type as one of an interface's type.
    Upcast(Box<Expr>),
    /// A value of an interface's type from the number of a conforming type and data.
    MakeDynamic(Vec<Expr>),
    /// Whether the value of an interface's type holds one of this type.
    IsType {
        value: Box<Expr>,
        of: Ty,
    },
    /// `T is I` for a builtin interface.
    TypeMeets {
        ty: Ty,
        bound: super::bounds::Bound,
    },
    /// Whether one type is another, or conforms to it.
    TypeIs {
        ty: Ty,
        of: Ty,
    },
    /// What the value of an interface's type holds, zero if that is of another type; as an
    /// `Optional` if that is the type of the expression.
    Downcast {
        value: Box<Expr>,
        of: Ty,
    },
    /// `{ a, b }` that has not met its type; never reaches lowering.
    InitList(Vec<Expr>),
    /// What is only declared: no program that runs may reach it.
    Unavailable(Rc<Missing>),
    /// What has been reported.
    Error,
}
}

/// Why something cannot be run, and where it is declared.
#[derive(Clone, Debug)]
pub struct Missing {
    pub code: Code,
    pub why: String,
    pub declared: Span,
}

/// The functions behind a property, and what they are called with: the object, if there is one, and
/// the indices. The one that writes gets the new value after them.
#[derive(Clone, Debug)]
pub struct Access {
    pub get: Option<FuncRef>,
    pub set: Option<FuncRef>,
    pub args: Vec<Expr>,
    pub has_this: bool,
    /// The statics that the two use, behind the other arguments.
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
    /// May depend on generic parameters.
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
    /// A copy of the body for each number from `from` up to `to`, which stands for the value
    /// parameter; gone before lowering.
    Unroll {
        param: ParamId,
        from: Val,
        to: Val,
        body: Vec<Stmt>,
    },
    /// A `static_assert` that generic arguments decide; gone before lowering.
    Assert {
        cond: Expr,
        message: Option<Rc<str>>,
    },
    Break,
    Continue,
    Return(Option<Expr>),
}
}

/// The statements after one run of labels, up to the next; without a `break` at their end they fall
/// into the next group.
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
    /// May be assigned.
    pub mutable: bool,
    pub param: Option<u32>,
    /// Carries no derivative although its type could.
    pub no_diff: bool,
    /// The value of a constant scalar.
    pub known: Option<Const>,
}

#[derive(Clone, Debug, Default)]
pub struct Body {
    pub locals: Vec<Local>,
    pub stmts: Vec<Stmt>,
    /// Locals that stand for the parameters, in order; `this` first.
    pub params: Vec<LocalId>,
    /// The function cannot be run here, so its statements say nothing.
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
    pub default: Option<Rc<crate::ast::Expr>>,
    /// How its matrices lie in memory, where it is a shader parameter and that is written.
    pub layout: Option<MatrixLayout>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Name,
    pub ty: Ty,
    pub no_diff: bool,
    pub span: Span,
    pub default: Option<Rc<crate::ast::Expr>>,
    /// The `[DerivativeMember]` that says where its derivative is.
    pub member: Option<Rc<crate::ast::Attribute>>,
    /// How its matrices lie in memory, where that is written.
    pub layout: Option<MatrixLayout>,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: Name,
    pub ty: Ty,
    pub span: Span,
    /// How its matrices lie in memory, where that is written.
    pub layout: Option<MatrixLayout>,
    /// A loose global uniform, as opposed to a resource.
    pub uniform: bool,
    /// Memory that the threads of a group share; `ty` is then that of a buffer with one element.
    pub groupshared: bool,
    /// The generic parameters around it; then it stands for one variable for each of their
    /// arguments.
    pub gens: Option<super::GenId>,
    /// For members of a `cbuffer`: the block's name.
    pub block: Option<Name>,
    /// The type that the command line gives in place of an interface, as written.
    pub given: Option<Rc<crate::ast::Expr>>,
    /// The interface as whose value it is seen where its own type is one that was given.
    pub seen_as: Option<Ty>,
}

impl Param {
    /// An `in` parameter about which there is nothing to say.
    pub fn plain(name: &str, ty: Ty, span: Span) -> Param {
        Param {
            name: Name::new(name),
            ty,
            dir: Dir::In,
            no_diff: false,
            span,
            semantic: None,
            uniform: false,
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

/// Where an op's value is from, if that is neither its arguments nor the thread's own memory: it
/// carries no derivative, and none may go into the op.
pub(crate) fn from_elsewhere(op: &str) -> Option<&'static str> {
    match op.split_once('.') {
        Some(("tex", _)) => Some("a texture"),
        Some(("gpu" | "simt", _)) => Some("other threads"),
        _ => None,
    }
}
