//! Parsed rows: terms, comparisons and conditions.

use super::condition::Condition;
use caustic_dialects::arith::{FloatPredicate, IntPredicate};
use caustic_ir::OpDef;

/// The most variables and kept predicates of a row. They are fixed so that a match allocates
/// nothing.
pub const MAX_VARIABLES: usize = 8;
pub const MAX_PREDICATES: usize = 2;

/// One side of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A variable, by its number in [`Parsed::variables`].
    Var(u8),
    /// A number in every lane, of the type that its place expects; 0 and 1 for booleans.
    Literal(f64),
    Node(NodeTerm),
}

/// An op on terms. The type of the result follows from the operands. A conversion on the left side
/// may have any result type; one that is the whole right side has the type of the left side.
#[derive(Clone, Debug)]
pub struct NodeTerm {
    pub def: &'static OpDef,
    /// The predicate, if the op compares.
    pub compare: Option<Compare>,
    pub args: Vec<Term>,
    /// The variable that names the result, `m` in `m@(addf x y)`, for use in conditions and on the
    /// right side. Only on left sides.
    pub label: Option<u8>,
}

impl PartialEq for NodeTerm {
    fn eq(&self, other: &NodeTerm) -> bool {
        std::ptr::eq(self.def, other.def) && self.compare == other.compare && self.args == other.args
    }
}

/// The predicate of a comparison in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Int(IntPredicate),
    Float(FloatPredicate),
    /// Any predicate, kept under this number. Kept predicates are counted apart from variables.
    Any(u8),
    /// The kept predicate, with its operands exchanged.
    Swapped(u8),
    /// The negation of the kept predicate.
    Inverse(u8),
}

/// A parsed row.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub left: Term,
    pub right: Term,
    pub when: Vec<Condition>,
    /// Names of the variables, for messages.
    pub variables: Vec<String>,
    /// The number of predicates that are kept.
    pub predicates: usize,
}

impl Parsed {
    /// The op at the root of the left side.
    pub fn root(&self) -> Option<&NodeTerm> {
        match &self.left {
            Term::Node(node) => Some(node),
            _ => None,
        }
    }
}

impl Term {
    /// The number of ops in the term.
    pub fn size(&self) -> usize {
        match self {
            Term::Node(n) => 1 + n.args.iter().map(Term::size).sum::<usize>(),
            _ => 0,
        }
    }
}
