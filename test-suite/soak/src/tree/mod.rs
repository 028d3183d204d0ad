//! Random programs as trees. Every node has its type, so that a tree can be changed without being
//! parsed: the shrinker and the twins work on the tree, and only [`print`](mod@print) knows the
//! syntax.
//!
//! Invariant: printing a generated tree gives a program that the compiler accepts. A reduced tree
//! may be refused; then it is rejected as a smaller failure.

pub mod idioms;
pub mod names;
pub mod print;
pub mod twins;
pub mod views;

use caustic_test_suite::rename::traps::Traps;

/// A type of the program. `Real` and `Low` are aliases that the program's head defines, so that one
/// tree is both a program in `double` and one in `float` and `half`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Void,
    Bool,
    Int,
    Uint,
    Real,
    Low,
    /// A vector of reals.
    Vec(u8),
    Mat(u8, u8),
    Array(Box<Ty>, u8),
    /// A struct, by the index of its declaration.
    Struct(usize),
}

impl Ty {
    pub fn array(elem: Ty, len: u8) -> Ty {
        Ty::Array(Box::new(elem), len)
    }
    pub fn is_float(&self) -> bool {
        matches!(self, Ty::Real | Ty::Low)
    }
    pub fn is_integer(&self) -> bool {
        matches!(self, Ty::Int | Ty::Uint)
    }
}

/// The kind of a node, whose children are its parts.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    // Expressions.
    Lit(f64),
    Int(i64),
    Bool(bool),
    Var(String),
    /// A prefix operator.
    Un(&'static str),
    Bin(&'static str),
    /// A builtin function.
    Builtin(&'static str),
    /// A function of the program, by index. The first child of a method call is the object.
    Call(usize),
    /// Text with children in place of `$0`, `$1`, …
    Spell(&'static str),
    Index,
    Field(String),
    Swizzle(String),
    Cond,
    Cast,
    /// A value in braces, made from its parts; in declarations only.
    Braces,
    /// `T(parts)`.
    Make,
    NoDiff,
    // Statements.
    Block,
    /// Child: the initial value.
    Decl(String),
    /// Children: place, value. The text is `=`, `+=` and so on.
    Assign(&'static str),
    /// Children: condition, then, and optionally else.
    If,
    /// Children: bound, body. Counts from 0.
    For(String),
    /// Children: start, condition, body. The counter is declared before the loop, and decremented
    /// first in the body.
    While(String),
    /// Like [`Kind::While`], with the condition at the end.
    Do(String),
    /// Children: selector, then the block of each case; the last one is the default.
    Switch,
    Break,
    Continue,
    /// Child: the value, if there is one.
    Return,
    /// A call for its effects.
    Expr,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    pub kind: Kind,
    pub ty: Ty,
    pub kids: Vec<Node>,
}

impl Node {
    pub fn new(kind: Kind, ty: Ty, kids: Vec<Node>) -> Node {
        Node { kind, ty, kids }
    }
    pub fn leaf(kind: Kind, ty: Ty) -> Node {
        Node { kind, ty, kids: Vec::new() }
    }
    pub fn var(name: &str, ty: Ty) -> Node {
        Node::leaf(Kind::Var(name.to_string()), ty)
    }
    pub fn int(value: i64) -> Node {
        Node::leaf(Kind::Int(value), Ty::Int)
    }
    pub fn lit(value: f64) -> Node {
        Node::leaf(Kind::Lit(value), Ty::Real)
    }
    pub fn spell(text: &'static str, ty: Ty, kids: Vec<Node>) -> Node {
        Node::new(Kind::Spell(text), ty, kids)
    }
    pub fn block(kids: Vec<Node>) -> Node {
        Node::new(Kind::Block, Ty::Void, kids)
    }
    pub fn is_statement(&self) -> bool {
        use Kind::*;
        matches!(
            self.kind,
            Block | Decl(_) | Assign(_) | If | For(_) | While(_) | Do(_) | Switch | Break | Continue | Return | Expr
        )
    }
    pub fn size(&self) -> usize {
        1 + self.kids.iter().map(Node::size).sum::<usize>()
    }
    /// Visits this node and all nodes below it; parents come before their children.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Node)) {
        visit(self);
        self.kids.iter().for_each(|k| k.walk(visit));
    }
    /// Like [`Self::walk`] for changes; children come before their parents.
    pub fn change(&mut self, change: &mut dyn FnMut(&mut Node)) {
        self.kids.iter_mut().for_each(|k| k.change(change));
        change(self);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    In,
    Out,
    InOut,
    NoDiff,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    pub name: String,
    pub ty: Ty,
    pub mode: Mode,
}

/// A field. It has no derivative if it is `no_diff` or made of integers.
#[derive(Clone, PartialEq, Debug)]
pub struct FieldDef {
    pub name: String,
    pub ty: Ty,
    pub no_diff: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct StructDef {
    pub name: String,
    pub fields: Vec<FieldDef>,
    /// Whether it conforms to the program's interface; it then has a method of
    /// [`FuncKind::Interface`].
    pub conforms: bool,
}

/// A declaration around functions that only affects their names: a struct with static methods, or a
/// namespace.
#[derive(Clone, PartialEq, Debug)]
pub struct Home {
    pub name: String,
    pub is_space: bool,
}

impl Home {
    /// Whether it can contain such a function. Some texts declare more than the function, which a
    /// struct cannot contain.
    pub fn holds(&self, kind: &FuncKind) -> bool {
        match kind {
            FuncKind::Free | FuncKind::Generic | FuncKind::Custom(_) | FuncKind::Slope(..) => true,
            FuncKind::Idiom(_) | FuncKind::Dispatch(_) => self.is_space,
            FuncKind::Method(..) | FuncKind::Interface(_) => false,
        }
    }
}

/// How a function is declared.
#[derive(Clone, PartialEq, Debug)]
pub enum FuncKind {
    Free,
    /// A method of a struct; `true` if it changes its object.
    Method(usize, bool),
    /// The interface's method in a struct.
    Interface(usize),
    /// Generic over types that conform to the interface. Its first parameter is `o`, of a struct
    /// type.
    Generic,
    /// Chooses one of the structs by its first parameter, an integer, and calls the interface's
    /// method in the way that its attribute states.
    Dispatch(Vec<usize>),
    /// A function with custom derivatives: a row of [`crate::tree::CUSTOM`].
    Custom(usize),
    /// A row of [`idioms::IDIOMS`].
    Idiom(usize),
    /// The derivative of another function of real parameters, by forward or reverse mode.
    Slope(usize, bool),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Func {
    pub name: String,
    /// The index of the [`Home`] that contains it, if there is one.
    pub home: Option<usize>,
    pub kind: FuncKind,
    pub params: Vec<Param>,
    pub ret: Ty,
    pub body: Node,
    /// Additional attributes, as text.
    pub attrs: Vec<&'static str>,
}

/// Functions with custom derivatives: the value and the partials in `x` and `y`. The last row is
/// wrong, for [`Program::spoil`].
pub const CUSTOM: [(&str, &str, &str); 5] = [
    ("sin(x) * y", "cos(x) * y", "sin(x)"),
    ("x / (one + y * y)", "one / (one + y * y)", "-two * x * y / ((one + y * y) * (one + y * y))"),
    ("cos(x * y) * x", "cos(x * y) - sin(x * y) * y * x", "-sin(x * y) * x * x"),
    ("sqrt(two + x * x) * y / two", "x * y / (two * sqrt(two + x * x))", "sqrt(two + x * x) / two"),
    ("sin(x) * y", "cos(x)", "sin(x)"),
];

/// The function that kernels call and differentiate.
pub const ROOT: &str = "root";

/// The text that reads a value which no argument provides: one of the eight numbers of a buffer.
pub const READ: &str = "table[$0 & 7]";

/// A program: `root(In p, int n, int m)` returns an `Out`.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub structs: Vec<StructDef>,
    pub homes: Vec<Home>,
    /// The functions in the order of their declarations; the last one is the root. A function that
    /// the shrinker removed is `None`.
    pub funcs: Vec<Option<Func>>,
    pub input: usize,
    pub output: usize,
    /// Whether second derivatives are checked.
    pub second: bool,
}

/// A scalar within a value: its path, its type, and whether it has a derivative.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub path: String,
    pub ty: Ty,
    pub active: bool,
}

impl Program {
    /// The scalars of a value of type `ty` with the text `path`.
    pub fn leaves(&self, ty: &Ty, path: &str, active: bool) -> Vec<Leaf> {
        match ty {
            Ty::Vec(n) => ["x", "y", "z", "w"]
                .iter()
                .take(*n as usize)
                .map(|c| Leaf { path: format!("{path}.{c}"), ty: Ty::Real, active })
                .collect(),
            Ty::Mat(r, c) => (0..*r)
                .flat_map(|i| (0..*c).map(move |j| (i, j)))
                .map(|(i, j)| Leaf { path: format!("{path}[{i}][{j}]"), ty: Ty::Real, active })
                .collect(),
            Ty::Array(elem, n) => (0..*n).flat_map(|i| self.leaves(elem, &format!("{path}[{i}]"), active)).collect(),
            Ty::Struct(s) => self.structs[*s]
                .fields
                .iter()
                .flat_map(|f| self.leaves(&f.ty, &format!("{path}.{}", f.name), active && !f.no_diff))
                .collect(),
            _ => vec![Leaf { path: path.to_string(), ty: ty.clone(), active: active && ty.is_float() }],
        }
    }
    pub fn has_derivative(&self, ty: &Ty) -> bool {
        self.leaves(ty, "", true).iter().any(|l| l.active)
    }
    /// Whether derivatives end somewhere on purpose, so that finite differences see dependences
    /// that derivatives ignore.
    pub fn detaches(&self) -> bool {
        let fields = self.structs.iter().enumerate().filter(|(i, _)| *i != self.input).flat_map(|(_, s)| &s.fields);
        let mut found = fields.into_iter().any(|f| f.no_diff);
        for f in self.functions() {
            found |= f.params.iter().any(|p| p.mode == Mode::NoDiff);
            f.body.walk(&mut |n| found |= matches!(n.kind, Kind::Spell(text) if text.contains("detach")));
        }
        found
    }
    /// Whether the value itself is computed from derivatives.
    pub fn nests(&self) -> bool {
        self.functions().any(|f| match f.kind {
            FuncKind::Slope(..) => true,
            FuncKind::Idiom(row) => idioms::IDIOMS[row].1.contains("_diff("),
            _ => false,
        })
    }
    /// Whether it reads the table of numbers.
    pub fn reads(&self) -> bool {
        let mut found = false;
        self.functions().for_each(|f| f.body.walk(&mut |n| found |= n.kind == Kind::Spell(READ)));
        found
    }
    /// Makes the custom derivatives of a function wrong and returns its name, to test whether the
    /// oracles notice.
    pub fn spoil(&mut self) -> Option<String> {
        let f = self.funcs.iter_mut().flatten().find(|f| matches!(f.kind, FuncKind::Custom(_)))?;
        f.kind = FuncKind::Custom(CUSTOM.len() - 1);
        Some(f.name.clone())
    }
    pub fn functions(&self) -> impl Iterator<Item = &Func> {
        self.funcs.iter().flatten()
    }
    /// Makes a home, and moves the functions with these indices into it, as far as it can contain
    /// them, under names that are suffixes of derivatives' symbols.
    pub fn house(&mut self, is_space: bool, numbers: &[usize], traps: &mut Traps) -> bool {
        let home = Home { name: traps.draw_member(&format!("home{}", self.homes.len())), is_space };
        let mut any = false;
        for &number in numbers {
            let Some(Some(f)) = self.funcs.get_mut(number) else { continue };
            if f.home.is_none() && f.name != ROOT && home.holds(&f.kind) {
                (f.name, f.home, any) = (traps.draw_member(&f.name), Some(self.homes.len()), true);
            }
        }
        self.homes.extend(any.then_some(home));
        any
    }
    pub fn size(&self) -> usize {
        self.functions().map(|f| 2 + usize::from(f.home.is_some()) + f.body.size()).sum::<usize>()
            + self.structs.iter().map(|s| s.fields.len()).sum::<usize>()
    }
}
