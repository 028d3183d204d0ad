//! The syntax tree: what the programmer wrote, with spans, nothing resolved.
//!
//! A type is written with the same node as an expression: `float3(x)` and `Foo<int>.make()` only
//! turn out to name types when names are looked up. Children are reference-counted where a
//! declaration is checked more than once (generics).

mod words;

pub use words::FORMATS;

use crate::source::Span;
use caustic_ir::Name;
use std::sync::Arc;

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
        radix: u32,
    },
    Float {
        value: Real,
        suffix: Name,
    },
    Bool(bool),
    Str(Arc<str>),
    /// A name, perhaps with generic arguments. `this`, `fwd_diff` and types are names like any
    /// other.
    Name {
        name: Ident,
        args: Option<Vec<Expr>>,
    },
    /// `::name`: a name as the module has it, whatever is nearer.
    Rooted(Box<Expr>),
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
        /// Where the operator stands.
        at: u32,
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
    /// What only a tuple can be: a list in parentheses with a comma at its end, or without values.
    Tuple(Vec<Expr>),
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
    /// `no_diff T` as a type.
    Modified {
        no_diff: bool,
        ty: Box<Expr>,
    },
    /// `row_major T`, `column_major T`.
    Layout {
        row_major: bool,
        ty: Box<Expr>,
    },
    /// `T*`.
    PointerType(Box<Expr>),
    /// `T?`.
    /// `some I`.
    SomeType(Box<Expr>),
    /// `dyn I`.
    DynType(Box<Expr>),
    /// `functype (A, inout B) -> R`.
    FuncType {
        params: Vec<Param>,
        ret: Box<Expr>,
    },
    /// `expand e`, where `e` mentions packs by `each`: values and types alike.
    Expand(Box<Expr>),
    /// `each p`, values and types alike.
    Each(Box<Expr>),
    /// `value is T`.
    Is {
        value: Box<Expr>,
        ty: Box<Expr>,
    },
    /// `value as T`.
    As {
        value: Box<Expr>,
        ty: Box<Expr>,
    },
    /// `let x = value`: only as a condition of `if` and `while`.
    Let {
        name: Ident,
        is_let: bool,
        value: Box<Expr>,
    },
    /// `(int x) => …`.
    Lambda(Arc<Lambda>),
    /// `try f()`.
    Try(Box<Expr>),
    /// Something that parses but that the language here leaves out; the text names it.
    /// Code in the language of one target.
    TargetCode(&'static str),
    /// `spirv_asm`.
    Assembly(Box<Assembly>),
    Unsupported(&'static str),
}

/// What code in SPIR-V takes from the program.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    pub values: Vec<Expr>,
    pub types: Vec<Expr>,
    /// Whether it names a result.
    pub has_result: bool,
}

#[derive(Clone, Debug)]
pub struct Lambda {
    pub params: Vec<Param>,
    pub body: LambdaBody,
}

#[derive(Clone, Debug)]
pub enum LambdaBody {
    Expr(Expr),
    Block { stmts: Vec<Stmt>, end: Span },
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
    Decl(Vec<Arc<Decl>>),
    If {
        cond: Expr,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    For {
        init: Option<Box<Stmt>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
        attrs: Vec<Attribute>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
        attrs: Vec<Attribute>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
        attrs: Vec<Attribute>,
    },
    Switch {
        value: Expr,
        body: Vec<Stmt>,
    },
    /// `__target_switch`, `__stage_switch`: the labels are names of targets and stages.
    TargetSwitch {
        by_stage: bool,
        body: Vec<Stmt>,
    },
    /// A label of the switch around it, before the statements it leads to.
    Case(Expr),
    Default,
    /// Out of the innermost loop or switch, or out of the statement with this label.
    Break(Option<Ident>),
    Continue,
    Return(Option<Expr>),
    Discard,
    Defer(Box<Stmt>),
    Labeled {
        label: Ident,
        body: Box<Stmt>,
    },
    /// Attributes on what is no loop.
    Attributed {
        attrs: Vec<Attribute>,
        body: Box<Stmt>,
    },
    Throw(Expr),
    /// `do { … } catch (e : E) { … }`; a `catch` without parentheses catches everything.
    DoCatch {
        body: Vec<Stmt>,
        param: Option<Param>,
        handler: Vec<Stmt>,
    },
    /// `$for (i in Range(from, to))`; one argument means from zero.
    CompileFor {
        var: Ident,
        from: Option<Expr>,
        to: Expr,
        body: Box<Stmt>,
    },
    TargetCode(&'static str),
}

#[derive(Clone, Debug)]
pub struct Attribute {
    pub span: Span,
    pub name: Ident,
    pub args: Vec<Expr>,
}

/// What a floating-point literal is worth in each type that its suffix may give it: rounded once,
/// from its digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Real {
    pub half: f64,
    pub float: f64,
    pub double: f64,
    /// Whether all of its digits are zero.
    pub is_zero: bool,
    /// Written as an infinity.
    pub is_infinite: bool,
}

/// Attributes that have two spellings, and the one that the compiler goes by. In all others
/// capitals matter.
const SECOND_SPELLINGS: &[(&str, &str)] = &[
    ("NumThreads", "numthreads"),
    ("Shader", "shader"),
    ("CUDAHost", "CudaHost"),
    ("CUDADeviceExport", "CudaDeviceExport"),
    ("CUDAKernel", "CudaKernel"),
];

impl Attribute {
    /// An attribute as it is written, by the first of its spellings.
    pub fn written(span: Span, name: Ident, args: Vec<Expr>) -> Attribute {
        let first =
            SECOND_SPELLINGS.iter().find(|(second, _)| name.name == **second).map(|(_, first)| Name::new(first));
        Attribute { span, name: Ident { name: first.unwrap_or(name.name), ..name }, args }
    }
}

/// Storage and parameter words in front of a declaration.
#[derive(Clone, Debug, Default)]
pub struct Modifiers {
    pub attrs: Vec<Attribute>,
    pub words: Vec<Ident>,
    /// The op that implements a prelude function.
    pub intrinsic: Option<Name>,
    /// Whether it is there for other targets only.
    pub elsewhere: bool,
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
    Interface(InterfaceDecl),
    Extension(ExtensionDecl),
    Enum(EnumDecl),
    Property(PropertyDecl),
    Subscript(SubscriptDecl),
    AssocType(AssocTypeDecl),
    Typedef {
        name: Ident,
        generics: Vec<GenericParam>,
        constraints: Vec<Constraint>,
        ty: Expr,
    },
    Namespace {
        path: Vec<Ident>,
        members: Vec<Arc<Decl>>,
    },
    CBuffer {
        name: Option<Ident>,
        members: Vec<Arc<Decl>>,
    },
    StaticAssert {
        cond: Expr,
        message: Option<Expr>,
    },
    /// `type_param T : I;`
    TypeParam(AssocTypeDecl),
    /// `import a.b;` and its kin.
    Import {
        kind: ImportKind,
        path: ModulePath,
    },
    /// `module a;`
    Module(ModulePath),
    /// `using n;`, `using namespace n;`
    Using(Expr),
    FuncExtension(FuncExtension),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// A module of its own; re-exported if the declaration has the modifier `__exported`.
    Import,
    /// A further file of this module.
    Include,
    /// This file belongs to the module named.
    Implementing,
}

/// `a.b-c` or `"file.slang"`.
#[derive(Clone, Copy, Debug)]
pub struct ModulePath {
    /// As written, without quotes.
    pub text: Ident,
    pub quoted: bool,
}

/// A clause of `where`.
#[derive(Clone, Debug)]
pub struct Constraint {
    pub span: Span,
    pub kind: ConstraintKind,
}

#[derive(Clone, Debug)]
pub enum ConstraintKind {
    /// `where T : I, J`, `where optional T : I`.
    Conforms { subject: Expr, bounds: Vec<Expr>, optional: bool },
    /// `where T == U`.
    Equals(Expr, Expr),
    /// `where countof(T) == N`, `where nonempty(T)` (no number): how many elements a pack has.
    Counts { pack: Ident, count: Option<Expr> },
    /// `where T(U)`: a `T` can be made from a `U`; with `implicit`, without saying so.
    Converts { to: Expr, from: Expr, implicit: bool },
}

#[derive(Clone, Debug)]
pub struct VarDecl {
    pub name: Ident,
    /// `None` for `var x = …`.
    pub ty: Option<Expr>,
    /// Declared with `let`: may not be assigned.
    pub is_let: bool,
    pub semantic: Option<Ident>,
    /// The first register that is written for it.
    pub register: Option<Ident>,
    /// Who reads and who writes a field of a ray payload: `read(…)` and `write(…)`.
    pub access: Vec<Attribute>,
    /// How many bits a bit field has.
    pub bits: Option<u32>,
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
    /// `let N : int` or `int N` as opposed to a type.
    pub is_value: bool,
    /// What a type must conform to, all of it; the type of a value, if it is written.
    pub bounds: Vec<Expr>,
    pub default: Option<Expr>,
    pub variadic: bool,
    /// Whether the compiler adds it, so that no argument is written for it.
    pub added: bool,
}

#[derive(Clone, Debug)]
pub struct FuncDecl {
    pub name: Ident,
    pub kind: FuncKind,
    pub generics: Vec<GenericParam>,
    pub constraints: Vec<Constraint>,
    pub params: Vec<Param>,
    /// `None` for constructors and for `func f()` without an arrow.
    pub ret: Option<Expr>,
    /// The error type of `throws E`.
    pub throws: Option<Expr>,
    /// Of the result.
    pub semantic: Option<Ident>,
    pub body: Option<Vec<Stmt>>,
    /// End of the body, for "missing return" messages.
    pub end: Span,
}

/// `__func_extension fwd_diff(target)(…) -> R { … }`.
#[derive(Clone, Debug)]
pub struct FuncExtension {
    pub op: Ident,
    pub target: Expr,
    /// It is called as the whole is written.
    pub func: FuncDecl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuncKind {
    Plain,
    Constructor,
    /// Its name is `operator` with the symbol, without a blank; `__prefix` and `__postfix` are
    /// modifiers.
    Operator,
}

#[derive(Clone, Debug)]
pub struct StructDecl {
    pub name: Option<Ident>,
    pub generics: Vec<GenericParam>,
    pub bases: Vec<Expr>,
    pub constraints: Vec<Constraint>,
    pub members: Vec<Arc<Decl>>,
    pub is_class: bool,
    /// `struct S;` has none.
    pub has_body: bool,
    /// `struct S = T;`: the type that the link gives to `S`.
    pub link: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct InterfaceDecl {
    pub name: Ident,
    pub generics: Vec<GenericParam>,
    pub bases: Vec<Expr>,
    pub constraints: Vec<Constraint>,
    pub members: Vec<Arc<Decl>>,
}

#[derive(Clone, Debug)]
pub struct ExtensionDecl {
    pub generics: Vec<GenericParam>,
    pub target: Expr,
    pub bases: Vec<Expr>,
    pub constraints: Vec<Constraint>,
    pub members: Vec<Arc<Decl>>,
}

/// `associatedtype A : I where …;`, and `type_param`.
#[derive(Clone, Debug)]
pub struct AssocTypeDecl {
    pub name: Ident,
    pub bounds: Vec<Expr>,
    pub constraints: Vec<Constraint>,
    pub default: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct PropertyDecl {
    pub name: Ident,
    pub ty: Expr,
    /// `property p : T;` has a `get` without a body.
    pub accessors: Vec<Accessor>,
}

#[derive(Clone, Debug)]
pub struct SubscriptDecl {
    /// The word `__subscript`.
    pub word: Span,
    pub generics: Vec<GenericParam>,
    pub params: Vec<Param>,
    pub ret: Expr,
    pub constraints: Vec<Constraint>,
    pub accessors: Vec<Accessor>,
}

#[derive(Clone, Debug)]
pub struct Accessor {
    pub span: Span,
    pub mods: Modifiers,
    pub kind: AccessorKind,
    /// The parameter of `set(v)` or `set(T v)`; without it, it is `newValue`.
    pub param: Option<(Ident, Option<Expr>)>,
    /// Of that parameter.
    pub param_mods: Modifiers,
    pub body: Option<Vec<Stmt>>,
    pub end: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessorKind {
    Get,
    Set,
    /// `ref`, `modify`: gives a place.
    Modify,
}

#[derive(Clone, Debug)]
pub struct EnumDecl {
    /// Whether a `typedef` declares it.
    pub in_typedef: bool,
    pub name: Option<Ident>,
    /// `enum class`: its cases are only found through its name.
    pub is_class: bool,
    pub base: Option<Expr>,
    /// What stands behind the first type: interfaces.
    pub more: Vec<Expr>,
    pub cases: Vec<EnumCase>,
}

#[derive(Clone, Debug)]
pub struct EnumCase {
    pub name: Ident,
    pub attrs: Vec<Attribute>,
    pub value: Option<Expr>,
}

impl Expr {
    /// Whether it is just this name.
    pub fn is_name(&self, text: Name) -> bool {
        matches!(&self.kind, ExprKind::Name { name, args: None } if name.name == text)
    }

    /// What a string literal says.
    pub fn text(&self) -> Option<Arc<str>> {
        match &self.kind {
            ExprKind::Str(s) => Some(s.clone()),
            _ => None,
        }
    }
}

impl Decl {
    pub fn name(&self) -> Option<Ident> {
        match &self.kind {
            DeclKind::Var(v) => Some(v.name),
            DeclKind::Func(f) => Some(f.name),
            DeclKind::Struct(s) => s.name,
            DeclKind::Interface(i) => Some(i.name),
            DeclKind::Enum(e) => e.name,
            DeclKind::Property(p) => Some(p.name),
            DeclKind::AssocType(a) | DeclKind::TypeParam(a) => Some(a.name),
            DeclKind::Typedef { name, .. } => Some(*name),
            DeclKind::CBuffer { name, .. } => *name,
            _ => None,
        }
    }
}
