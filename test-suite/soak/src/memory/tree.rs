//! Programs about memory, as typed trees: what the generator makes, the printer prints and the
//! judge runs.
//!
//! Expressions have no effects; what writes or calls is a statement. A variable is a number into
//! [`Program::vars`], a global one into [`Program::globals`], and both are used by that number
//! wherever they are seen.

/// Numbers, by how they lie in memory.
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
    /// Of no elements: the last field of a struct behind a pointer, an array without a size.
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
    /// By the amount modulo 32 or 64, which is written out.
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

/// Something that has an address.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    Var(usize),
    /// A group's or a static variable.
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
    /// Its bits, as wide as the type is.
    Lit(Num, u64),
    /// The thread's number.
    Thread,
    Load(Box<Place>),
    /// The pointer that a parameter of the program is.
    Param(usize),
    Bin(Op, Box<Expr>, Box<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The number, converted.
    Cast(Num, Box<Expr>),
    /// The same 32 bits.
    Bits(Num, Box<Expr>),
    /// A struct that inherits, made by its constructor of what its own fields get.
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
    /// Of an `out` or `inout` parameter.
    To(Place),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// Zero without a value.
    Let(usize, Option<Expr>),
    Store(Place, Expr),
    Update(Op, Place, Expr),
    /// `Store<T>` of a byte-address buffer.
    StoreBytes(usize, Ty, Expr, Expr),
    /// An atomic addition; the variable is declared and gets what was there.
    Atomic(Place, Expr, usize),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A counter that goes up to a number.
    For(usize, usize, Vec<Stmt>),
    /// A condition, and a counter that ends the loop at some number in any case.
    While(Expr, usize, usize, Vec<Stmt>),
    /// Leaves the loop, or its iteration, under a condition.
    Break(Expr),
    Continue(Expr),
    /// Ends a function under a condition.
    Leave(Expr, Option<Expr>),
    /// What it gives goes to a new variable.
    Call(Option<usize>, usize, Vec<Arg>),
    /// Of the main function's own statements only. Whether it orders more than the group's memory.
    Barrier(bool),
    /// Adds to the thread's sum, which the end of the program writes.
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
    /// A structured buffer, which may be written or not.
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
    /// Of an element, of what is pointed to, of the variable; of a byte-address buffer `uint`.
    pub ty: Ty,
    /// Of what is bound.
    pub contents: Vec<u8>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Struct {
    pub fields: Vec<Ty>,
    /// Whether the first field is what it inherits. It has a constructor then, of its other fields.
    pub inherits: bool,
    /// What its numbers are where nothing is said, as far as they have defaults.
    pub defaults: Vec<Option<u64>>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    /// A struct holds those before it only.
    pub structs: Vec<Struct>,
    pub vars: Vec<Ty>,
    pub globals: Vec<Global>,
    /// A function calls those before it only.
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
    /// Whether there is arithmetic on it as it is; narrower numbers are converted.
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

    /// The type of a place; none where the tree makes no sense, as edits may leave it.
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

    /// Whether a type has something of the sort in it, at any depth.
    pub fn holds(&self, ty: &Ty, what: &dyn Fn(&Ty) -> bool) -> bool {
        what(ty)
            || match ty {
                Ty::Array(elem, _) => self.holds(elem, what),
                Ty::Struct(s) => self.fields(*s).iter().any(|f| self.holds(f, what)),
                Ty::Num(_) | Ty::Vec(..) | Ty::Ptr(_) => false,
            }
    }

    /// Whether a place is in a buffer or in a group's memory, as far as one sees.
    pub fn is_shared(&self, place: &Place) -> bool {
        match place {
            Place::Var(_) => false,
            Place::Global(g) => self.globals.get(*g).is_some_and(|g| g.kind == Kind::Shared),
            Place::Element(..) | Place::Deref(_) | Place::At(..) => true,
            Place::Field(of, _) | Place::Index(of, _) => self.is_shared(of),
        }
    }

    /// Whether any bytes are a value of it.
    pub fn is_plain(&self, ty: &Ty) -> bool {
        !self.holds(ty, &|t| matches!(t, Ty::Ptr(_) | Ty::Num(Num::Bool) | Ty::Vec(Num::Bool, _)))
    }
}
