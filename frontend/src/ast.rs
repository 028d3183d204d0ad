//! The syntax tree: what the programmer wrote, with spans, nothing resolved.
//!
//! A type is written with the same node as an expression: `float3(x)` and `Foo<int>.make()` only turn out to name types
//! when names are looked up. Children are reference-counted where a declaration is checked more than once (generics).

use crate::source::Span;
use caustic_ir::Name;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    Plus,
    Neg,
    Not,
    BitNot,
    Deref,
    AddrOf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    LogAnd,
    LogOr,
}

impl BinOp {
    pub fn text(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::And => "&",
            BinOp::Or => "|",
            BinOp::Xor => "^",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::LogAnd => "&&",
            BinOp::LogOr => "||",
        }
    }

    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne)
    }

    pub fn is_logical(self) -> bool {
        matches!(self, BinOp::LogAnd | BinOp::LogOr)
    }

    pub fn is_shift(self) -> bool {
        matches!(self, BinOp::Shl | BinOp::Shr)
    }

    pub fn is_bitwise(self) -> bool {
        matches!(self, BinOp::And | BinOp::Or | BinOp::Xor)
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// The digits' value and the suffix in lower case.
    Int {
        value: u128,
        suffix: Name,
        decimal: bool,
    },
    Float {
        value: f64,
        suffix: Name,
    },
    Bool(bool),
    Str(Rc<str>),
    /// A name, perhaps with generic arguments. `this`, `fwd_diff` and types are names like any other.
    Name {
        name: Ident,
        args: Option<Vec<Expr>>,
    },
    /// `base.name` and `base::name`.
    Member {
        base: Box<Expr>,
        name: Ident,
        args: Option<Vec<Expr>>,
    },
    Index {
        base: Box<Expr>,
        args: Vec<Expr>,
    },
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    Unary {
        op: UnOp,
        arg: Box<Expr>,
    },
    IncDec {
        inc: bool,
        prefix: bool,
        arg: Box<Expr>,
    },
    Binary {
        op: BinOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Assign {
        op: Option<BinOp>,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    Ternary {
        cond: Box<Expr>,
        then: Box<Expr>,
        other: Box<Expr>,
    },
    Comma(Vec<Expr>),
    /// `(T)x`; where `ty` turns out to name a value and `arg` is in parentheses, it is a call.
    Cast {
        ty: Box<Expr>,
        arg: Box<Expr>,
    },
    Paren(Box<Expr>),
    Init(Vec<Expr>),
    NoDiff(Box<Expr>),
    /// `T[n]`, `T[]` written as a type.
    ArrayType {
        elem: Box<Expr>,
        size: Option<Box<Expr>>,
    },
    /// A type with modifiers that matter (`no_diff T`, `const T`).
    Modified {
        no_diff: bool,
        ty: Box<Expr>,
    },
    /// Something that parses but has no meaning here yet; the text names it.
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Block(Vec<Stmt>),
    Expr(Expr),
    Decl(Vec<Rc<Decl>>),
    If { cond: Expr, then: Box<Stmt>, other: Option<Box<Stmt>> },
    For { init: Option<Box<Stmt>>, cond: Option<Expr>, step: Option<Expr>, body: Box<Stmt>, attrs: Vec<Attribute> },
    While { cond: Expr, body: Box<Stmt>, attrs: Vec<Attribute> },
    DoWhile { body: Box<Stmt>, cond: Expr, attrs: Vec<Attribute> },
    Switch { value: Expr, body: Vec<Stmt> },
    Case(Expr),
    Default,
    Break,
    Continue,
    Return(Option<Expr>),
    Unsupported(&'static str),
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub span: Span,
    pub name: Ident,
    pub args: Vec<Expr>,
}

/// Storage and parameter words in front of a declaration.
#[derive(Clone, Debug, Default)]
pub struct Modifiers {
    pub attrs: Vec<Attribute>,
    pub words: Vec<Ident>,
    /// The op that implements a prelude function.
    pub intrinsic: Option<Name>,
}

impl Modifiers {
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w.name == *word)
    }

    pub fn word(&self, word: &str) -> Option<Ident> {
        self.words.iter().find(|w| w.name == *word).copied()
    }

    pub fn attr(&self, name: &str) -> Option<&Attribute> {
        self.attrs.iter().find(|a| a.name.name == *name)
    }
}

#[derive(Clone, Debug)]
pub struct Decl {
    pub span: Span,
    pub mods: Modifiers,
    pub kind: DeclKind,
}

#[derive(Clone, Debug)]
pub enum DeclKind {
    Empty,
    Var(VarDecl),
    Func(FuncDecl),
    Struct(StructDecl),
    Enum(EnumDecl),
    Typedef {
        name: Ident,
        generics: Vec<GenericParam>,
        ty: Expr,
    },
    Namespace {
        path: Vec<Ident>,
        members: Vec<Rc<Decl>>,
    },
    CBuffer {
        name: Option<Ident>,
        members: Vec<Rc<Decl>>,
    },
    StaticAssert {
        cond: Expr,
        message: Option<Expr>,
    },
    /// `import`, interfaces and whatever else parses but is not checked yet; the text names it.
    Unsupported {
        what: &'static str,
        name: Option<Ident>,
    },
}

#[derive(Clone, Debug)]
pub struct VarDecl {
    pub name: Ident,
    /// `None` for `var x = …`.
    pub ty: Option<Expr>,
    /// Declared with `let`: may not be assigned.
    pub is_let: bool,
    pub semantic: Option<Ident>,
    pub init: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub span: Span,
    pub mods: Modifiers,
    pub name: Option<Ident>,
    pub ty: Expr,
    pub semantic: Option<Ident>,
    pub default: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct GenericParam {
    pub name: Ident,
    /// `let N : int` as opposed to a type.
    pub is_value: bool,
    pub bounds: Vec<Expr>,
    pub default: Option<Expr>,
    pub variadic: bool,
}

#[derive(Clone, Debug)]
pub struct FuncDecl {
    pub name: Ident,
    pub kind: FuncKind,
    pub generics: Vec<GenericParam>,
    pub has_where: bool,
    pub params: Vec<Param>,
    /// `None` for constructors and for `func f()` without an arrow.
    pub ret: Option<Expr>,
    pub body: Option<Vec<Stmt>>,
    /// End of the body, for "missing return" messages.
    pub end: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuncKind {
    Plain,
    Constructor,
    Operator,
}

#[derive(Clone, Debug)]
pub struct StructDecl {
    pub name: Option<Ident>,
    pub generics: Vec<GenericParam>,
    pub bases: Vec<Expr>,
    pub members: Vec<Rc<Decl>>,
    pub is_class: bool,
}

#[derive(Clone, Debug)]
pub struct EnumDecl {
    pub name: Option<Ident>,
    pub base: Option<Expr>,
    pub cases: Vec<(Ident, Option<Expr>)>,
}

impl Decl {
    pub fn name(&self) -> Option<Ident> {
        match &self.kind {
            DeclKind::Var(v) => Some(v.name),
            DeclKind::Func(f) => Some(f.name),
            DeclKind::Struct(s) => s.name,
            DeclKind::Enum(e) => e.name,
            DeclKind::Typedef { name, .. } => Some(*name),
            DeclKind::CBuffer { name, .. } => *name,
            DeclKind::Unsupported { name, .. } => *name,
            _ => None,
        }
    }
}
