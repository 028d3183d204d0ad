//! What text is printed of: statements and expressions with the types that they have in the
//! language, whatever that is.
//!
//! Invariants: an expression may be evaluated where it stands, once or not at all, and gives what
//! its op gives; each variable is declared before it is read, in a block around.
//!
//! This module must not know: any language, SSA.

use crate::ops::Row;
use crate::types::Ty;
use caustic_ir::{Loc, Name, OpDef};
use rustc_hash::FxHashSet;

/// A variable of a function, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub usize);

#[derive(Clone, Debug)]
pub struct Expr {
    pub ty: Ty,
    pub kind: Kind,
    /// Where the program computes or uses it, as far as that is known.
    pub loc: Option<Loc>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    Bool(bool),
    Int(i64),
    Float(f64),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Compare {
    /// What holds of two integers where this does not.
    pub fn opposite(self) -> Compare {
        match self {
            Compare::Equal => Compare::NotEqual,
            Compare::NotEqual => Compare::Equal,
            Compare::Less => Compare::GreaterEqual,
            Compare::LessEqual => Compare::Greater,
            Compare::Greater => Compare::LessEqual,
            Compare::GreaterEqual => Compare::Less,
        }
    }
    /// The operator, the same in all languages.
    pub fn symbol(self) -> &'static str {
        match self {
            Compare::Equal => "==",
            Compare::NotEqual => "!=",
            Compare::Less => "<",
            Compare::LessEqual => "<=",
            Compare::Greater => ">",
            Compare::GreaterEqual => ">=",
        }
    }
}

/// Which thread this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Id {
    Thread,
    /// Of the thread in its group.
    Number,
    Group,
    GroupSize,
    Groups,
    Global,
    Lane,
    Wave,
    Waves,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Literal(Literal),
    /// All scalars zero.
    Zero,
    /// What a place holds.
    Read(Place),
    /// A row of the table of ops, with operands of the types that it asks for.
    Op {
        row: &'static Row,
        args: Vec<Expr>,
    },
    Compare(Compare, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// The condition is one for all, or one for each component.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// To the type of the expression: integers are cut or extended as their own sign says, floats
    /// rounded.
    Convert(Box<Expr>),
    /// From the parts: fields, elements, rows, components; components also by vectors of them.
    Make(Vec<Expr>),
    /// The same scalar in each component.
    Splat(Box<Expr>),
    /// A part of a value that is in no variable.
    Part(Box<Expr>, Vec<Step>),
    /// Components of a vector, by their numbers, as a vector.
    Swizzle(Box<Expr>, Vec<usize>),
    Call(Name, Vec<Arg>),
    Id(Id, usize),
    /// How many elements (bytes, of a view by bytes) there are.
    Length(Buffer),
    /// The number that pointers into a resource begin with.
    Address(usize),
    /// Elements of a tape.
    TapeLength(Place),
    /// The resource as a value.
    Handle(Buffer),
    /// An atomic update, or an exchange if the number is the expected one. It gives the number
    /// before.
    Atomic {
        kind: &'static str,
        place: Place,
        args: Vec<Expr>,
    },
    /// Counts up or down, and gives the count before.
    Count(Buffer, i64),
    /// An exchange between lanes: the op by its name, and what it is told. The last argument is
    /// the mask of the lanes that take part, if it is `masked`.
    Wave {
        op: &'static str,
        word: String,
        instance: i64,
        args: Vec<Expr>,
        masked: bool,
        result: usize,
        loc: Loc,
    },
    /// An atomic update of a texel: the values and the place.
    TexelUpdate {
        kind: &'static str,
        texture: Box<Expr>,
        args: Vec<Expr>,
    },
    /// An access to a texture, by the op's name.
    Texture {
        op: &'static str,
        texture: Box<Expr>,
        args: Vec<Expr>,
    },
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum Arg {
    Value(Expr),
    /// A variable that the callee reads or writes.
    Place(Place),
}

/// A buffer, or a view of one.
#[derive(Clone, Debug)]
pub enum Buffer {
    /// By its symbol; one of an array of resources with an index.
    Resource(Name, Option<Box<Expr>>),
    /// What an expression gives.
    Value(Box<Expr>),
    /// By bytes.
    View(Box<Buffer>),
    /// As elements of another type.
    Retyped(Box<Buffer>, Ty),
    /// What an address leads to.
    Pointee(Box<Expr>),
    None,
}

/// Where a value is.
#[derive(Clone, Debug)]
pub struct Place {
    pub root: Root,
    pub steps: Vec<Step>,
    /// Of the whole that the steps lead into.
    pub of: Ty,
}

#[derive(Clone, Debug)]
pub enum Root {
    Var(Var),
    /// The contents of a uniform.
    Uniform(Name, Option<Box<Expr>>),
    Element {
        buffer: Buffer,
        index: Box<Expr>,
        /// The buffer's IR type says how an index counts.
        how: Access,
        /// Whether an index that counts bytes is at a whole word.
        aligned: bool,
    },
}

/// How elements of a buffer are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Elements,
    /// By the offset of the first byte; all bytes have to be inside.
    Bytes,
    /// The same, but the bytes of the part have to be inside.
    Parts,
}

#[derive(Clone, Debug)]
pub enum Step {
    /// A field, row, component or element.
    Part(usize),
    /// An index that is computed; what is outside reads zero and is not written.
    Index(Box<Expr>),
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "loops are few, and moved no more often than other statements")]
pub enum Stmt {
    /// A new variable, with what it holds first.
    Declare(Var, Option<Expr>),
    Assign(Place, Expr),
    /// An expression for what it does.
    Do(Expr),
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    /// Counts `counter` from a number on, as long as the test with another one holds.
    /// The step is what is added to the counter, a literal, or what the counter is next, an
    /// operation on it.
    For {
        counter: Var,
        from: Expr,
        /// `Less`, or another order.
        test: Compare,
        below: Expr,
        step: Expr,
        body: Vec<Stmt>,
    },
    /// `None`: until it is left.
    While {
        condition: Option<Expr>,
        body: Vec<Stmt>,
    },
    Switch {
        value: Expr,
        cases: Vec<Case>,
        default: Vec<Stmt>,
    },
    Break,
    Return(Option<Expr>),
    Barrier {
        loc: Loc,
        instance: i64,
    },
    /// Orders what the thread reads and writes before and after; for its group alone, or for all.
    Fence {
        group: bool,
    },
    /// A loop or a call begins in which threads wait for each other, goes on, ends.
    Instance(InstanceStep),
    Print {
        format: String,
        args: Vec<Expr>,
        loc: Loc,
    },
    /// Writes a texel.
    TexelStore {
        texture: Expr,
        args: Vec<Expr>,
    },
}

/// The labels of a case, and what is done there.
pub type Case = (Vec<i64>, Vec<Stmt>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceStep {
    Begin(i64),
    Next,
    End,
}

/// How a parameter is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    Value,
    /// Read in place.
    Constant,
    /// Read and written in place.
    InOut,
    Out,
}

#[derive(Clone, Debug)]
pub struct Variable {
    /// What the programmer calls it, or [`UNNAMED`]; several may be called alike.
    pub name: String,
    pub ty: Ty,
}

/// The name of a variable that the programmer gave none: it gets one when it is printed.
pub const UNNAMED: &str = "";

impl Variable {
    pub fn unnamed(ty: Ty) -> Variable {
        Variable { name: UNNAMED.to_string(), ty }
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub symbol: Name,
    pub loc: Loc,
    pub params: Vec<(Var, Passed)>,
    pub result: Option<Ty>,
    pub vars: Vec<Variable>,
    /// The parameter that takes back what the program's function returns, by its place.
    pub own_result: Option<usize>,
    /// What the program calls ids of the thread.
    pub ids: Vec<(Id, Name)>,
    pub body: Vec<Stmt>,
    /// Variables that hold the same in each call, which no statement declares.
    pub tables: Vec<(Var, Constant)>,
}

/// What is known before anything runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// All scalars zero.
    Zero,
    Scalar(Literal),
    /// Elements, components, rows, fields.
    Parts(Vec<Constant>),
}

/// What an expression names, or does.
pub enum Named<'a> {
    Var(&'a mut Var),
    Function(Name),
    Effect,
}

impl Expr {
    pub fn new(ty: Ty, kind: Kind) -> Expr {
        Expr { ty, kind, loc: None }
    }

    /// A variable's value; nothing is read of one that holds nothing.
    pub fn var(var: Var, ty: Ty) -> Expr {
        if ty.is_empty() {
            return Expr::new(ty, Kind::Zero);
        }
        Expr::new(ty.clone(), Kind::Read(Place { root: Root::Var(var), steps: Vec::new(), of: ty }))
    }

    pub fn bool(value: bool) -> Expr {
        Expr::new(crate::types::BOOL, Kind::Literal(Literal::Bool(value)))
    }

    /// Whether it is this boolean.
    pub fn is_bool(&self, value: bool) -> bool {
        matches!(self.kind, Kind::Literal(Literal::Bool(b)) if b == value)
    }
}

impl Expr {
    /// The same, with a place of the program unless it has one.
    pub fn at(mut self, loc: Loc) -> Expr {
        self.loc.get_or_insert(loc);
        self
    }

    /// The literal that it is, or that fills it.
    pub fn literal(&self) -> Option<Literal> {
        match &self.kind {
            Kind::Literal(literal) => Some(*literal),
            Kind::Splat(inner) => inner.literal(),
            _ => None,
        }
    }

    /// The variable that it reads, if it is that alone.
    pub fn variable(&self) -> Option<Var> {
        match &self.kind {
            Kind::Read(place) => place.whole(),
            _ => None,
        }
    }

    /// The two operands, if it is this op on two.
    pub fn operands(&self, of: &'static OpDef) -> Option<&[Expr; 2]> {
        match &self.kind {
            Kind::Op { row, args } if std::ptr::eq(row.op, of) => args.as_slice().try_into().ok(),
            _ => None,
        }
    }

    /// Whether it reads a variable.
    pub fn reads(&self, var: Var) -> bool {
        let mut found = false;
        self.clone().visit(&mut |named| found |= matches!(named, Named::Var(v) if *v == var));
        found
    }

    /// Reads another variable in its place.
    pub fn rename(&mut self, from: Var, to: Var) {
        self.visit(&mut |named| match named {
            Named::Var(v) if *v == from => *v = to,
            _ => {}
        });
    }

    /// Whether it does more than to give a value. What a call does is not known here.
    pub fn acts(&self) -> bool {
        let mut found = false;
        self.clone().visit(&mut |named| found |= !matches!(named, Named::Var(_)));
        found
    }

    /// All expressions in it, and itself.
    pub fn each(&self, f: &mut dyn FnMut(&Expr)) {
        self.clone().each_mut(&mut |e| f(e));
    }

    /// Changes the expressions in it, parts first, and then itself.
    pub fn each_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            Kind::Literal(_) | Kind::Zero | Kind::Id(..) | Kind::Address(_) => {}
            Kind::Read(place) | Kind::TapeLength(place) => place.each_mut(f),
            Kind::Op { args, .. } | Kind::Make(args) | Kind::Wave { args, .. } => {
                args.iter_mut().for_each(|a| a.each_mut(f));
            }
            Kind::Compare(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) => {
                [a, b].into_iter().for_each(|e| e.each_mut(f));
            }
            Kind::Not(a) | Kind::Convert(a) | Kind::Splat(a) | Kind::Swizzle(a, _) => a.each_mut(f),
            Kind::Choose(a, b, c) => [a, b, c].into_iter().for_each(|e| e.each_mut(f)),
            Kind::Part(a, steps) => {
                a.each_mut(f);
                each_step(steps, f);
            }
            Kind::Call(_, args) => args.iter_mut().for_each(|arg| match arg {
                Arg::Value(value) => value.each_mut(f),
                Arg::Place(place) => place.each_mut(f),
            }),
            Kind::Length(buffer) | Kind::Handle(buffer) | Kind::Count(buffer, _) => buffer.each_mut(f),
            Kind::Atomic { place, args, .. } => {
                place.each_mut(f);
                args.iter_mut().for_each(|a| a.each_mut(f));
            }
            Kind::TexelUpdate { texture, args, .. } | Kind::Texture { texture, args, .. } => {
                texture.each_mut(f);
                args.iter_mut().for_each(|a| a.each_mut(f));
            }
        }
        f(self);
    }

    /// All that it names.
    pub fn visit(&mut self, f: &mut dyn FnMut(Named<'_>)) {
        match &mut self.kind {
            Kind::Literal(_) | Kind::Zero | Kind::Id(..) | Kind::Address(_) => {}
            Kind::Read(place) | Kind::TapeLength(place) => place.visit(f),
            Kind::Op { args, .. } | Kind::Make(args) | Kind::Wave { args, .. } => {
                args.iter_mut().for_each(|a| a.visit(f))
            }
            Kind::Compare(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Kind::Not(a) | Kind::Convert(a) | Kind::Splat(a) | Kind::Swizzle(a, _) => a.visit(f),
            Kind::Choose(a, b, c) => [a, b, c].into_iter().for_each(|e| e.visit(f)),
            Kind::Part(a, steps) => {
                a.visit(f);
                visit_steps(steps, f);
            }
            Kind::Call(callee, args) => {
                f(Named::Function(*callee));
                args.iter_mut().for_each(|arg| match arg {
                    Arg::Value(value) => value.visit(f),
                    Arg::Place(place) => place.visit(f),
                });
            }
            Kind::Length(buffer) | Kind::Handle(buffer) => buffer.visit(f),
            Kind::Count(buffer, _) => {
                f(Named::Effect);
                buffer.visit(f);
            }
            Kind::Atomic { place, args, .. } => {
                f(Named::Effect);
                place.visit(f);
                args.iter_mut().for_each(|a| a.visit(f));
            }
            Kind::TexelUpdate { texture, args, .. } => {
                f(Named::Effect);
                texture.visit(f);
                args.iter_mut().for_each(|a| a.visit(f));
            }
            Kind::Texture { texture, args, .. } => {
                texture.visit(f);
                args.iter_mut().for_each(|a| a.visit(f));
            }
        }
    }
}

fn visit_steps(steps: &mut [Step], f: &mut dyn FnMut(Named<'_>)) {
    for step in steps {
        if let Step::Index(index) = step {
            index.visit(f);
        }
    }
}

fn each_step(steps: &mut [Step], f: &mut dyn FnMut(&mut Expr)) {
    for step in steps {
        if let Step::Index(index) = step {
            index.each_mut(f);
        }
    }
}

/// All expressions of some statements, the parts of each before itself.
pub fn each_expr(stmts: &mut [Stmt], f: &mut dyn FnMut(&mut Expr)) {
    for stmt in stmts {
        match stmt {
            Stmt::Declare(_, value) | Stmt::Return(value) => value.iter_mut().for_each(|e| e.each_mut(f)),
            Stmt::Assign(place, value) => {
                place.each_mut(f);
                value.each_mut(f);
            }
            Stmt::Do(value) => value.each_mut(f),
            Stmt::If { condition, then, otherwise } => {
                condition.each_mut(f);
                each_expr(then, f);
                each_expr(otherwise, f);
            }
            Stmt::For { from, below, step, body, .. } => {
                [from, below, step].into_iter().for_each(|e| e.each_mut(f));
                each_expr(body, f);
            }
            Stmt::While { condition, body } => {
                condition.iter_mut().for_each(|e| e.each_mut(f));
                each_expr(body, f);
            }
            Stmt::Switch { value, cases, default } => {
                value.each_mut(f);
                cases.iter_mut().for_each(|(_, body)| each_expr(body, f));
                each_expr(default, f);
            }
            Stmt::Print { args, .. } => args.iter_mut().for_each(|e| e.each_mut(f)),
            Stmt::TexelStore { texture, args } => {
                texture.each_mut(f);
                args.iter_mut().for_each(|e| e.each_mut(f));
            }
            Stmt::Break | Stmt::Barrier { .. } | Stmt::Fence { .. } | Stmt::Instance(_) => {}
        }
    }
}

impl Stmt {
    /// The statements in it, by the bodies that it has.
    pub fn bodies(&self) -> impl Iterator<Item = &[Stmt]> {
        let (pair, cases): ([&[Stmt]; 2], &[Case]) = match self {
            Stmt::If { then, otherwise, .. } => ([then, otherwise], &[]),
            Stmt::For { body, .. } | Stmt::While { body, .. } => ([body, &[]], &[]),
            Stmt::Switch { cases, default, .. } => ([default, &[]], cases),
            _ => ([&[], &[]], &[]),
        };
        cases.iter().map(|(_, body)| &body[..]).chain(pair)
    }
}

impl Buffer {
    /// The one resource that it is, or is a view of.
    pub fn resource(&self) -> Option<Name> {
        match self {
            Buffer::Resource(name, None) => Some(*name),
            Buffer::View(of) | Buffer::Retyped(of, _) => of.resource(),
            _ => None,
        }
    }

    fn each_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match self {
            Buffer::Resource(_, index) => index.iter_mut().for_each(|i| i.each_mut(f)),
            Buffer::Value(value) => value.each_mut(f),
            Buffer::View(of) | Buffer::Retyped(of, _) => of.each_mut(f),
            Buffer::Pointee(address) => address.each_mut(f),
            Buffer::None => {}
        }
    }

    fn visit(&mut self, f: &mut dyn FnMut(Named<'_>)) {
        match self {
            Buffer::Resource(_, index) => index.iter_mut().for_each(|i| i.visit(f)),
            Buffer::Value(value) => value.visit(f),
            Buffer::View(of) | Buffer::Retyped(of, _) => of.visit(f),
            Buffer::Pointee(address) => address.visit(f),
            Buffer::None => {}
        }
    }
}

/// What the expressions of some statements name, but for variables that are assigned alone.
pub fn visit_all(stmts: &mut [Stmt], f: &mut dyn FnMut(Named<'_>)) {
    for stmt in stmts {
        match stmt {
            Stmt::Declare(_, value) | Stmt::Return(value) => value.iter_mut().for_each(|e| e.visit(f)),
            Stmt::Assign(place, value) => {
                place.visit_inside(f);
                value.visit(f);
            }
            Stmt::Do(value) => value.visit(f),
            Stmt::If { condition, then, otherwise } => {
                condition.visit(f);
                visit_all(then, f);
                visit_all(otherwise, f);
            }
            Stmt::For { counter, from, below, step, body, .. } => {
                f(Named::Var(counter));
                [from, below, step].into_iter().for_each(|e| e.visit(f));
                visit_all(body, f);
            }
            Stmt::While { condition, body } => {
                condition.iter_mut().for_each(|e| e.visit(f));
                visit_all(body, f);
            }
            Stmt::Switch { value, cases, default } => {
                value.visit(f);
                cases.iter_mut().for_each(|(_, body)| visit_all(body, f));
                visit_all(default, f);
            }
            Stmt::Print { args, .. } => args.iter_mut().for_each(|e| e.visit(f)),
            Stmt::TexelStore { texture, args } => {
                texture.visit(f);
                args.iter_mut().for_each(|e| e.visit(f));
            }
            Stmt::Break | Stmt::Barrier { .. } | Stmt::Fence { .. } | Stmt::Instance(_) => {}
        }
    }
}

impl Place {
    /// All but the variable that it is in.
    pub fn visit_inside(&mut self, f: &mut dyn FnMut(Named<'_>)) {
        match &mut self.root {
            Root::Var(_) => visit_steps(&mut self.steps, f),
            _ => self.visit(f),
        }
    }

    fn visit(&mut self, f: &mut dyn FnMut(Named<'_>)) {
        match &mut self.root {
            Root::Var(var) => f(Named::Var(var)),
            Root::Uniform(_, index) => index.iter_mut().for_each(|i| i.visit(f)),
            Root::Element { buffer, index, .. } => {
                buffer.visit(f);
                index.visit(f);
            }
        }
        visit_steps(&mut self.steps, f);
    }

    fn each_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match &mut self.root {
            Root::Var(_) => {}
            Root::Uniform(_, index) => index.iter_mut().for_each(|i| i.each_mut(f)),
            Root::Element { buffer, index, .. } => {
                buffer.each_mut(f);
                index.each_mut(f);
            }
        }
        each_step(&mut self.steps, f);
    }

    pub fn var(var: Var, ty: Ty) -> Place {
        Place { root: Root::Var(var), steps: Vec::new(), of: ty }
    }
}

impl Place {
    /// The variable that it is, as a whole.
    pub fn whole(&self) -> Option<Var> {
        match self.root {
            Root::Var(var) if self.steps.is_empty() => Some(var),
            _ => None,
        }
    }
}

impl Stmt {
    /// The lists of statements in it.
    pub fn lists(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Stmt::If { then, otherwise, .. } => vec![then, otherwise],
            Stmt::For { body, .. } | Stmt::While { body, .. } => vec![body],
            Stmt::Switch { cases, default, .. } => cases.iter_mut().map(|(_, body)| body).chain([default]).collect(),
            _ => Vec::new(),
        }
    }

    /// The variable that it gives a value, or to a part of which; what is in it does not count.
    pub fn gives(&self) -> Option<Var> {
        match self {
            Stmt::Declare(var, _) | Stmt::For { counter: var, .. } => Some(*var),
            Stmt::Assign(Place { root: Root::Var(var), .. }, _) => Some(*var),
            _ => None,
        }
    }
}

/// All lists of statements, inner ones first.
pub fn each_list(body: &mut Vec<Stmt>, f: &mut dyn FnMut(&mut Vec<Stmt>)) {
    for stmt in body.iter_mut() {
        stmt.lists().into_iter().for_each(|list| each_list(list, f));
    }
    f(body);
}

/// Whether some statements, or those in them, give a variable a value.
pub fn any_gives(body: &[Stmt], var: Var) -> bool {
    let mut found = false;
    each_list(&mut body.to_vec(), &mut |list| found |= list.iter().any(|stmt| stmt.gives() == Some(var)));
    found
}

/// Whether some statements read a variable or give it a value.
pub fn mentions(body: &[Stmt], var: Var) -> bool {
    let mut found = any_gives(body, var);
    visit_all(&mut body.to_vec(), &mut |named| found |= matches!(named, Named::Var(v) if *v == var));
    found
}

/// The variables that callees and atomic updates may change.
pub fn handed_over(body: &[Stmt]) -> FxHashSet<Var> {
    let mut found = FxHashSet::default();
    let mut hands = |place: &Place| {
        if let Root::Var(var) = place.root {
            found.insert(var);
        }
    };
    each_expr(&mut body.to_vec(), &mut |e| match &e.kind {
        Kind::Call(_, args) => args.iter().for_each(|arg| {
            if let Arg::Place(place) = arg {
                hands(place);
            }
        }),
        Kind::Atomic { place, .. } => hands(place),
        _ => {}
    });
    found
}
