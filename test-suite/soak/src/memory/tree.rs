//! Programs about memory as typed trees, which the generator makes, the printer prints and the
//! judge executes.
//!
//! Expressions have no effects; writes and calls are statements. A local variable is an index into
//! [`Program::vars`], a global one an index into [`Program::globals`], and that index denotes it
//! everywhere.

/// Kinds of numbers, by their representation in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Num {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ty {
    Num(Num),
    Vec(Num, usize),
    /// A size of 0 means an array without a size: the last field of a struct behind a pointer.
    Array(Box<Ty>, usize),
    Struct(usize),
    Ptr(Box<Ty>),
}

pub const INT: Ty = Ty::Num(Num::I32);
pub const UINT: Ty = Ty::Num(Num::U32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    /// The amount is taken modulo 32 or 64, which is written in the text.
    Shl,
    Shr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Less,
    LessEqual,
    Equal,
    NotEqual,
}

/// A place that has an address.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    Var(usize),
    /// A `groupshared` or a static variable.
    Global(usize),
    /// An element of a structured buffer.
    Element(usize, Box<Expr>),
    /// `*p`, or `p->` before a field.
    Deref(Box<Expr>),
    /// `p[i]`
    At(Box<Expr>, Box<Expr>),
    Field(Box<Place>, usize),
    /// An element of an array or a component of a vector.
    Index(Box<Place>, Box<Expr>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    /// The bits of a number, as many as its type has.
    Lit(Num, u64),
    /// The thread's number.
    Thread,
    Load(Box<Place>),
    /// The value of a pointer parameter of the program.
    Param(usize),
    Bin(Op, Box<Expr>, Box<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A conversion of a number.
    Cast(Num, Box<Expr>),
    /// The same 32 bits as another type.
    Bits(Num, Box<Expr>),
    /// A struct that inherits, made by its constructor from the values of its own fields.
    New(usize, Vec<Expr>),
    /// A vector of these numbers.
    Make(Num, Vec<Expr>),
    AddressOf(Box<Place>),
    Step(Box<Expr>, Box<Expr>),
    PointerCast(Ty, Box<Expr>),
    Null(Ty),
    SamePointer(Box<Expr>, Box<Expr>),
    /// `Load<T>` of a byte-address buffer.
    Bytes(usize, Ty, Box<Expr>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    In(Expr),
    /// The argument of an `out` or `inout` parameter.
    To(Place),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// Declares a variable, which is zero if there is no value.
    Let(usize, Option<Expr>),
    Store(Place, Expr),
    Update(Op, Place, Expr),
    /// `Store<T>` of a byte-address buffer.
    StoreBytes(usize, Ty, Expr, Expr),
    /// An atomic addition; the variable is declared and gets the old value.
    Atomic(Place, Expr, usize),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A loop with a counter up to a number.
    For(usize, usize, Vec<Stmt>),
    /// A loop with a condition, and a counter that limits it to a number of iterations.
    While(Expr, usize, usize, Vec<Stmt>),
    /// Leaves the loop, or its iteration, if a condition holds.
    Break(Expr),
    Continue(Expr),
    /// Leaves the function, if a condition holds.
    Leave(Expr, Option<Expr>),
    /// A call whose result initializes a new variable.
    Call(Option<usize>, usize, Vec<Arg>),
    /// A barrier, only in the main function's outermost block. Whether it orders more than the
    /// group's memory.
    Barrier(bool),
    /// Adds to the thread's sum, which the program writes at its end.
    Note(Expr),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    In,
    Out,
    InOut,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Func {
    pub params: Vec<(usize, Mode)>,
    pub ret: Option<Ty>,
    pub body: Vec<Stmt>,
    pub result: Option<Expr>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A structured buffer, and whether it can be written.
    Structured(bool),
    Bytes(bool),
    /// A pointer that is bound to contents.
    Pointer,
    Shared,
    Static,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    pub kind: Kind,
    /// The type of an element, of the memory behind a pointer, or of the variable; `uint` for a
    /// byte-address buffer.
    pub ty: Ty,
    /// The bound contents.
    pub contents: Vec<u8>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Struct {
    pub fields: Vec<Ty>,
    /// Whether the first field is the inherited struct. The struct then has a constructor for its
    /// other fields.
    pub inherits: bool,
    /// The defaults of its numbers, as far as they have any.
    pub defaults: Vec<Option<u64>>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// The structs. A struct contains only earlier ones.
    pub structs: Vec<Struct>,
    pub vars: Vec<Ty>,
    pub globals: Vec<Global>,
    /// The functions. A function calls only earlier ones.
    pub funcs: Vec<Func>,
    pub main: Vec<Stmt>,
    pub threads: usize,
    pub groups: usize,
}

impl Num {
    pub fn size(self) -> usize {
        match self {
            Num::Bool | Num::I8 | Num::U8 => 1,
            Num::I16 | Num::U16 => 2,
            Num::I32 | Num::U32 | Num::F32 => 4,
            Num::I64 | Num::U64 => 8,
        }
    }
    pub fn is_signed(self) -> bool {
        matches!(self, Num::I8 | Num::I16 | Num::I32 | Num::I64)
    }
    /// Whether there is arithmetic on this kind; narrower numbers are converted first.
    pub fn computes(self) -> bool {
        matches!(self, Num::I32 | Num::U32 | Num::I64 | Num::U64 | Num::F32)
    }
    pub fn is_integer(self) -> bool {
        !matches!(self, Num::Bool | Num::F32)
    }
}

impl Ty {
    pub fn pointer(to: &Ty) -> Ty {
        Ty::Ptr(Box::new(to.clone()))
    }
    pub fn pointee(&self) -> Option<&Ty> {
        match self {
            Ty::Ptr(to) => Some(to),
            _ => None,
        }
    }
    pub fn num(&self) -> Option<Num> {
        match self {
            Ty::Num(n) => Some(*n),
            _ => None,
        }
    }
}

impl Program {
    /// The types of a struct's fields.
    pub fn fields(&self, s: usize) -> &[Ty] {
        self.structs.get(s).map_or(&[], |s| &s.fields)
    }

    /// The type of a place; `None` if the tree is invalid, which edits may cause.
    pub fn place_ty(&self, place: &Place) -> Option<Ty> {
        match place {
            Place::Var(v) => self.vars.get(*v).cloned(),
            Place::Global(g) | Place::Element(g, _) => self.globals.get(*g).map(|g| g.ty.clone()),
            Place::Deref(p) | Place::At(p, _) => self.expr_ty(p)?.pointee().cloned(),
            Place::Field(of, n) => match self.place_ty(of)? {
                Ty::Struct(s) => self.fields(s).get(*n).cloned(),
                _ => None,
            },
            Place::Index(of, _) => match self.place_ty(of)? {
                Ty::Array(elem, _) => Some(*elem),
                Ty::Vec(num, _) => Some(Ty::Num(num)),
                _ => None,
            },
        }
    }

    pub fn expr_ty(&self, expr: &Expr) -> Option<Ty> {
        Some(match expr {
            Expr::Lit(num, _) | Expr::Cast(num, _) | Expr::Bits(num, _) => Ty::Num(*num),
            Expr::Thread => INT,
            Expr::Load(place) => self.place_ty(place)?,
            Expr::Param(g) => Ty::pointer(&self.globals.get(*g)?.ty),
            Expr::Bin(_, a, _) => self.expr_ty(a)?,
            Expr::Compare(..) | Expr::SamePointer(..) => Ty::Num(Num::Bool),
            Expr::Choose(_, a, _) => self.expr_ty(a)?,
            Expr::New(s, _) => Ty::Struct(*s),
            Expr::Make(num, parts) => Ty::Vec(*num, parts.len()),
            Expr::AddressOf(place) => Ty::pointer(&self.place_ty(place)?),
            Expr::Step(p, _) => self.expr_ty(p)?,
            Expr::PointerCast(to, _) | Expr::Null(to) => Ty::pointer(to),
            Expr::Bytes(_, ty, _) => ty.clone(),
        })
    }

    /// Whether a type contains a type for which `what` is true, at any depth.
    pub fn holds(&self, ty: &Ty, what: &dyn Fn(&Ty) -> bool) -> bool {
        what(ty)
            || match ty {
                Ty::Array(elem, _) => self.holds(elem, what),
                Ty::Struct(s) => self.fields(*s).iter().any(|f| self.holds(f, what)),
                Ty::Num(_) | Ty::Vec(..) | Ty::Ptr(_) => false,
            }
    }

    /// Whether a place is, as far as its form tells, in a buffer or in a group's memory.
    pub fn is_shared(&self, place: &Place) -> bool {
        match place {
            Place::Var(_) => false,
            Place::Global(g) => self.globals.get(*g).is_some_and(|g| g.kind == Kind::Shared),
            Place::Element(..) | Place::Deref(_) | Place::At(..) => true,
            Place::Field(of, _) | Place::Index(of, _) => self.is_shared(of),
        }
    }

    /// Whether any bytes are a value of the type.
    pub fn is_plain(&self, ty: &Ty) -> bool {
        !self.holds(ty, &|t| matches!(t, Ty::Ptr(_) | Ty::Num(Num::Bool) | Ty::Vec(Num::Bool, _)))
    }
}
