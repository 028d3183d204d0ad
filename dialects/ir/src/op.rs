//! What an op's declaration (its *row*) says, and the registry of dialects.
//!
//! A row is a static [`OpDef`], written through the [`ops!`](crate::ops) macro. Everything about an
//! op derives from it: the typed view and builder, printing and parsing, structural verification,
//! effects for optimisation, the interpreter's semantics, the differentiation rule, and the
//! documentation page.

use crate::attr::Attr;
use crate::body::{Body, OpId};
use crate::diag::Diagnostic;
use crate::eval::Eval;
use crate::fact::FactFn;
use crate::linear::OnDataFn;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// A named set of types.
#[derive(Clone, Copy)]
pub struct TypeClass {
    /// Noun phrase for messages and documentation: "float scalar, vector or matrix".
    pub desc: &'static str,
    pub contains: fn(Type) -> bool,
}

/// What the type of an operand or result must be. The numbers count operands.
#[derive(Clone, Copy)]
pub enum TypeRule {
    Class(&'static TypeClass),
    /// The type of operand `n`.
    SameAs(usize),
    /// i1 in the shape of operand `n`.
    BoolLike(usize),
    /// The scalar type of operand `n`.
    ElemOf(usize),
    /// Exactly this type.
    Exactly(fn() -> Type),
}

impl TypeRule {
    /// The type that the rule leaves no choice about, given the operand types known so far.
    pub fn infer(self, operands: &[Option<Type>]) -> Option<Type> {
        let known = |n: usize| operands.get(n).copied().flatten();
        match self {
            TypeRule::Class(_) => None,
            TypeRule::SameAs(n) => known(n),
            TypeRule::BoolLike(n) => known(n).map(|t| t.with_elem(Type::i1())),
            TypeRule::ElemOf(n) => known(n).map(|t| t.elem()),
            TypeRule::Exactly(ty) => Some(ty()),
        }
    }
}

#[derive(Clone, Copy)]
pub struct ValueSpec {
    pub name: &'static str,
    pub rule: TypeRule,
    /// Zero or more values; only the last operand or the last result of an op can be.
    pub variadic: bool,
}

/// What an attribute must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrClass {
    Any,
    Unit,
    Bool,
    Int,
    String,
    Symbol,
    /// A symbol that may be yet to be made, or gone.
    MaybeSymbol,
    Type,
    Array,
    IntArray,
    Dict,
    /// An int, float or dense constant.
    Constant,
    /// An upstream dialect's own attribute, as text.
    Opaque,
}

impl AttrClass {
    pub fn contains(self, attr: Attr) -> bool {
        use crate::attr::AttrKind as K;
        match self {
            AttrClass::Any => true,
            AttrClass::Unit => matches!(attr.kind(), K::Unit),
            AttrClass::Bool => attr.as_bool().is_some(),
            AttrClass::Int => matches!(attr.kind(), K::Int(..)),
            AttrClass::String => matches!(attr.kind(), K::String(_)),
            AttrClass::Symbol | AttrClass::MaybeSymbol => matches!(attr.kind(), K::Symbol(_)),
            AttrClass::Type => matches!(attr.kind(), K::Type(_)),
            AttrClass::Array => matches!(attr.kind(), K::Array(_)),
            AttrClass::IntArray => attr.as_i64_array().is_some(),
            AttrClass::Dict => matches!(attr.kind(), K::Dict(_)),
            AttrClass::Opaque => matches!(attr.kind(), K::Opaque(_)),
            AttrClass::Constant => matches!(attr.kind(), K::Int(..) | K::Float(..) | K::Dense(..)),
        }
    }
}

#[derive(Clone, Copy)]
pub struct AttrSpec {
    pub name: &'static str,
    pub class: AttrClass,
    pub required: bool,
}

/// What executing an op may do besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effects {
    /// Nothing: equal operands give equal results, and an unused one can go.
    Pure,
    /// Reads memory that others may write: can go when unused, cannot be moved over a write.
    Reads,
    /// Writes memory, prints, traps: stays where it is.
    Writes,
    /// What the ops in its regions do.
    Regions,
    /// What the callee does; unknown without the module.
    Call,
    /// Ends a block.
    Terminator,
    /// Defines a symbol.
    Symbol,
}

/// What an op does with what an operand stands for: a slot, a buffer, or an aggregate that may be
/// kept in storage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    // Of slots and buffers.
    /// Reads it.
    Reads,
    /// Writes it, and does not read it.
    Writes,
    /// Reads and writes it, and no other thread comes between.
    Updates,
    /// Asks for what is no content: how many elements there are.
    Asks,
    /// The result is the same memory, as elements of another type.
    Views,
    /// The result is its address, of which any pointer may be made.
    Exposes,
    // Of aggregates.
    /// The result is a part of it.
    Projects,
    /// The result is the aggregate with a part replaced.
    Replaces,
    /// The result is the aggregate with something added to a part.
    Adds,
    /// It becomes a part of the result; the n-th of several becomes the n-th part.
    Becomes,
}

/// One entry of a row's field `memory`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryUse {
    /// The operand's number. A variadic operand has that of its first value.
    pub operand: usize,
    /// The operand that chooses an element before the path begins.
    pub element: Option<usize>,
    pub access: Access,
    /// The attribute that leads to the part that is meant; without one it is the whole.
    pub path: Option<&'static str>,
}

/// The pretty syntax of an op; the generic one is always read.
#[derive(Clone, Copy)]
pub enum Asm {
    /// MLIR's generic form.
    Generic,
    /// A declarative format; the language is described at [`crate::text::format`]. `type($x)` may
    /// be left out for what [`TypeRule`]s determine.
    Format(&'static str),
    /// One of the shapes that no declarative format expresses; `crate::text` knows them by this
    /// kind, never by op name.
    Shape(AsmShape),
}

impl Asm {
    pub fn is_shape(self, shape: AsmShape) -> bool {
        matches!(self, Asm::Shape(s) if s == shape)
    }
}

/// Upstream's irregular syntaxes, by shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AsmShape {
    /// `func.func @f(%a: T) -> T attributes {…} { … }`
    Function,
    /// `module @m attributes {…} { … }`: a symbol that is a symbol table.
    Module,
    /// `hl.global @g attributes {…} { … }`: any other op that defines a symbol.
    Symbol,
    /// `func.call @f(%a) : (T) -> T`
    Call,
    /// `scf.if %c -> (T) { … } else { … }`
    If,
    /// `scf.for %i = %a to %b step %c iter_args(%x = %y) -> (T) : index { … }`
    For,
    /// `scf.while (%x = %y) : (T) -> T { … } do { … }`
    While,
    /// `scf.index_switch %i -> T case 0 { … } default { … }`
    IndexSwitch,
    /// `return %a : T`: operands, then their types, all optional.
    Terminator,
    /// `arith.constant 1.0 : f32`
    Constant,
    /// `arith.cmpi slt, %a, %b : i32`: the predicate attribute is a number in the generic form.
    Compare,
    /// `arith.select %c, %a, %b : f32`; the condition's type comes before the others' unless it is
    /// i1.
    Select,
}

/// How an op differentiates: one row, both modes follow (Radul et al. 2022: reverse mode transposes
/// the linearization).
#[derive(Clone, Copy)]
pub enum AdRule {
    /// Results carry no derivative, whatever the operands do.
    Inactive,
    /// Computes nothing and orders what threads do to memory. In reverse code the same op stands
    /// again between what custom derivatives do there.
    Orders,
    /// Elementwise: the tangent of the only result is Σ expr_i · operand-tangent_i. One expression
    /// per operand in the operand names and `result`, in the syntax of the partials (see
    /// `autodiff::partials`); `"0"` drops the term.
    Partials(&'static [&'static str]),
    /// The op is linear in its differentiable operands and moves data without computing; the
    /// tangent op is the same move on tangents.
    Mirror(Mirror),
    /// An op on tangents, linear in them. This is what it is on plain data; what a cotangent of its
    /// result becomes, the transpose knows.
    Linear(OnDataFn),
    /// Regions, memory and calls: the differentiator has code for it.
    Custom,
    /// Cannot be differentiated; the text says why and what to do instead. An error if a derivative
    /// would flow through it.
    Refuse(&'static str),
}

/// Data movement that the differentiator mirrors on tangents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mirror {
    /// (aggregate, dynamic indices…) → part; attribute `path`.
    Extract,
    /// (part, aggregate, dynamic indices…) → aggregate; attribute `path`.
    Insert,
    /// (parts…) → aggregate, struct, array, vector or matrix from its scalars.
    Make,
    /// scalar → vector or matrix of it.
    Splat,
    /// vector or matrix → sum of its scalars.
    Sum,
    /// (condition, a, b) → a or b; strong zero for what is not taken.
    Select,
    /// The same scalars in another order or shape; the transpose is the same op with the two types
    /// exchanged.
    Reshape,
    /// Conversion between float types.
    Cast,
    /// A value whose derivative is cut.
    Detach,
}

pub type VerifyFn = fn(&Body, OpId) -> Result<(), Diagnostic>;
/// A constant (or the index of an operand) that the only result equals, given which operands are
/// constants.
pub type FoldFn = fn(&Body, OpId, &[Option<Attr>]) -> Option<Folded>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folded {
    Constant(Attr),
    /// The result is operand `n`.
    Operand(usize),
}

#[derive(Clone, Copy)]
pub enum Fold {
    None,
    /// Evaluate when all operands are constants (the op has a scalar `eval`).
    Eval,
    /// Evaluate, and these algebraic facts.
    With(FoldFn),
}

/// A list of rows, known by its address; the text is its name.
#[derive(Debug)]
pub struct RowList(pub &'static str);

/// The row of an op.
pub struct OpDef {
    /// `"dialect.op"`
    pub name: &'static str,
    /// The list of rows that this one stands in, and where it stands there.
    pub list: &'static RowList,
    pub index: usize,
    pub doc: &'static str,
    pub operands: &'static [ValueSpec],
    pub results: &'static [ValueSpec],
    pub attrs: &'static [AttrSpec],
    /// Names of the regions. A last one that starts with `more_` stands for zero or more.
    pub regions: &'static [&'static str],
    pub asm: Asm,
    pub effects: Effects,
    pub memory: &'static [MemoryUse],
    pub commutative: bool,
    pub verify: Option<VerifyFn>,
    pub fold: Fold,
    pub eval: Eval,
    /// What is known of the result, if more than its type.
    pub facts: Option<FactFn>,
    pub ad: AdRule,
}

impl OpDef {
    pub fn is_terminator(&self) -> bool {
        self.effects == Effects::Terminator
    }
    pub fn is_symbol(&self) -> bool {
        self.effects == Effects::Symbol
    }
    pub fn is_pure(&self) -> bool {
        self.effects == Effects::Pure
    }
    /// Whether an execution runs each region at most once: a branch, not a loop. Unknown shapes
    /// count as loops.
    pub fn runs_regions_once(&self) -> bool {
        matches!(self.asm, Asm::Shape(AsmShape::If | AsmShape::IndexSwitch))
    }
    pub fn dialect(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(d, _)| d)
    }
    pub fn has_variadic_operands(&self) -> bool {
        self.operands.last().is_some_and(|o| o.variadic)
    }
    pub fn has_variadic_regions(&self) -> bool {
        self.regions.last().is_some_and(|r| r.starts_with("more_"))
    }
    pub fn has_variadic_results(&self) -> bool {
        self.results.last().is_some_and(|o| o.variadic)
    }
    /// Result types that follow from the operand types; `None` where one has to be given.
    pub fn infer_results(&self, operands: &[Type]) -> Option<Vec<Type>> {
        let known: Vec<Option<Type>> = operands.iter().map(|&t| Some(t)).collect();
        self.results.iter().map(|r| if r.variadic { None } else { r.rule.infer(&known) }).collect()
    }
}

impl std::fmt::Debug for OpDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A dialect: a name, prose, and its rows.
pub struct Dialect {
    pub name: &'static str,
    pub doc: &'static str,
    pub ops: &'static [&'static [&'static OpDef]],
    /// Types of the dialect: name without the dialect, documentation.
    pub types: &'static [(&'static str, &'static str)],
}

impl Dialect {
    pub fn all_ops(&self) -> impl Iterator<Item = &'static OpDef> + '_ {
        self.ops.iter().flat_map(|group| group.iter().copied())
    }
}

/// The dialects that a tool knows: an explicit value, so that a user's crate can add its own.
#[derive(Clone, Default)]
pub struct Registry {
    dialects: Vec<&'static Dialect>,
    ops: FxHashMap<&'static str, &'static OpDef>,
}

impl Registry {
    pub fn new(dialects: &[&'static Dialect]) -> Registry {
        let mut registry = Registry::default();
        for d in dialects {
            registry.add(d);
        }
        registry
    }
    pub fn add(&mut self, dialect: &'static Dialect) {
        self.dialects.push(dialect);
        self.ops.extend(dialect.all_ops().map(|op| (op.name, op)));
    }
    pub fn dialects(&self) -> &[&'static Dialect] {
        &self.dialects
    }
    pub fn op(&self, name: &str) -> Option<&'static OpDef> {
        self.ops.get(name).copied()
    }
}
