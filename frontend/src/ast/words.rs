//! Words: what a node is called in messages, and the formats of texels.

use super::{DeclKind, ExprKind, ImportKind, StmtKind};

/// Formats of texels, as GLSL spells them.
pub const FORMATS: &[&str] = &[
    "unknown",
    "rgba32f",
    "rgba16f",
    "rg32f",
    "rg16f",
    "r11f_g11f_b10f",
    "r32f",
    "r16f",
    "rgba16",
    "rgb10_a2",
    "rgba8",
    "rg16",
    "rg8",
    "r16",
    "r8",
    "rgba16_snorm",
    "rgba8_snorm",
    "rg16_snorm",
    "rg8_snorm",
    "r16_snorm",
    "r8_snorm",
    "rgba32i",
    "rgba16i",
    "rgba8i",
    "rg32i",
    "rg16i",
    "rg8i",
    "r32i",
    "r16i",
    "r8i",
    "rgba32ui",
    "rgba16ui",
    "rgb10_a2ui",
    "rgba8ui",
    "rg32ui",
    "rg16ui",
    "rg8ui",
    "r32ui",
    "r16ui",
    "r8ui",
    "r64ui",
    "r64i",
    "bgra8",
];

impl ExprKind {
    pub fn words(&self) -> &'static str {
        match self {
            ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Bool(_) | ExprKind::Str(_) => "a literal",
            ExprKind::Name { .. } | ExprKind::Member { .. } | ExprKind::Rooted(_) => "a name",
            ExprKind::Index { .. } => "a subscript",
            ExprKind::Call { .. } => "a call",
            ExprKind::Unary { .. } | ExprKind::IncDec { .. } | ExprKind::Binary { .. } => "an operation",
            ExprKind::Assign { .. } => "an assignment",
            ExprKind::Ternary { .. } => "a choice",
            ExprKind::Comma(_) => "a list of expressions",
            ExprKind::Tuple(_) => "a tuple",
            ExprKind::Cast { .. } => "a cast",
            ExprKind::Paren(_) => "an expression in parentheses",
            ExprKind::Init(_) => "an initializer list",
            ExprKind::NoDiff(_) => "`no_diff`",
            ExprKind::ArrayType { .. } => "an array type",
            ExprKind::Modified { .. } => "a type with `no_diff`",
            ExprKind::Layout { row_major: true, .. } => "`row_major`",
            ExprKind::Layout { row_major: false, .. } => "`column_major`",
            ExprKind::PointerType(_) => "a pointer type",
            ExprKind::SomeType(_) => "`some`",
            ExprKind::DynType(_) => "`dyn`",
            ExprKind::FuncType { .. } => "a function type",
            ExprKind::Expand(_) => "`expand`",
            ExprKind::Each(_) => "`each`",
            ExprKind::Is { .. } => "`is`",
            ExprKind::As { .. } => "`as`",
            ExprKind::Let { .. } => "a declaration as a condition",
            ExprKind::Lambda(_) => "a lambda expression",
            ExprKind::Try(_) => "`try`",
            ExprKind::TargetCode(what) | ExprKind::Unsupported(what) => what,
        }
    }
}

impl StmtKind {
    pub fn words(&self) -> &'static str {
        match self {
            StmtKind::Empty => "an empty statement",
            StmtKind::Block(_) => "a block",
            StmtKind::Expr(_) => "an expression",
            StmtKind::Decl(_) => "a declaration",
            StmtKind::If { .. } => "an `if`",
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => "a loop",
            StmtKind::Switch { .. } => "a `switch`",
            StmtKind::TargetSwitch { by_stage: false, .. } => "`__target_switch`",
            StmtKind::TargetSwitch { by_stage: true, .. } => "`__stage_switch`",
            StmtKind::Case(_) | StmtKind::Default => "a label",
            StmtKind::Break(None) => "a `break`",
            StmtKind::Break(Some(_)) => "a labelled `break`",
            StmtKind::Continue => "a `continue`",
            StmtKind::Return(_) => "a `return`",
            StmtKind::Discard => "`discard`",
            StmtKind::Defer(_) => "`defer`",
            StmtKind::Labeled { .. } => "a labelled statement",
            StmtKind::Attributed { .. } => "a statement with attributes",
            StmtKind::Throw(_) => "`throw`",
            StmtKind::DoCatch { .. } => "`catch`",
            StmtKind::CompileFor { .. } => "a loop at compile time",
            StmtKind::TargetCode(what) => what,
        }
    }
}

impl DeclKind {
    pub fn words(&self) -> &'static str {
        match self {
            DeclKind::Empty => "an empty declaration",
            DeclKind::Var(_) => "a variable",
            DeclKind::Func(_) => "a function",
            DeclKind::Struct(s) if s.is_class => "a class",
            DeclKind::Struct(_) => "a struct",
            DeclKind::Interface(_) => "an interface",
            DeclKind::Extension(_) => "an extension",
            DeclKind::Enum(_) => "an enum",
            DeclKind::Property(_) => "a property",
            DeclKind::Subscript(_) => "a subscript",
            DeclKind::AssocType(_) => "an associated type",
            DeclKind::Typedef { .. } => "a type alias",
            DeclKind::Namespace { .. } => "a name space",
            DeclKind::CBuffer { .. } => "a constant buffer",
            DeclKind::StaticAssert { .. } => "a static assertion",
            DeclKind::TypeParam(_) => "a global type parameter",
            DeclKind::Import { kind: ImportKind::Import, .. } => "`import`",
            DeclKind::Import { kind: ImportKind::Include, .. } => "`__include`",
            DeclKind::Import { kind: ImportKind::Implementing, .. } => "`implementing`",
            DeclKind::Module(_) => "`module`",
            DeclKind::Using(_) => "`using`",
            DeclKind::FuncExtension(_) => "a derivative given from outside",
        }
    }
}
