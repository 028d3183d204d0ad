//! Rows as terms.

use super::condition::Condition;
use caustic_dialects::arith::{FloatPredicate, IntPredicate};
use caustic_ir::OpDef;

/// How many variables and kept predicates a row may have, so that a match needs no memory of its
/// own.
pub const MAX_VARIABLES: usize = 8;
pub const MAX_PREDICATES: usize = 2;

/// One side of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A variable, by its number in [`Parsed::variables`].
    Var(u8),
    /// A number, in every lane, of the type that its place asks for; for booleans 0 and 1.
    Literal(f64),
    Node(NodeTerm),
}

/// An op on terms. The type of the result follows from the operands; of a conversion, it is that of
/// the whole left side where the term is the whole right side, and any type on the left.
#[derive(Clone, Debug)]
pub struct NodeTerm {
    pub def: &'static OpDef,
    /// The predicate, if the op compares.
    pub compare: Option<Compare>,
    pub args: Vec<Term>,
    /// The variable that the result is kept as, `m` of `m@(addf x y)`: conditions and the right
    /// side may name it. Left sides only.
    pub label: Option<u8>,
}

impl PartialEq for NodeTerm {
    fn eq(&self, other: &NodeTerm) -> bool {
        std::ptr::eq(self.def, other.def) && self.compare == other.compare && self.args == other.args
    }
}

/// How a comparison of a row compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Int(IntPredicate),
    Float(FloatPredicate),
    /// Any, kept under this variable's number (predicates count by themselves).
    Any(u8),
    /// The kept one with its operands exchanged.
    Swapped(u8),
    /// The kept one where it does not hold.
    Inverse(u8),
}

/// A row, read.
#[derive(Clone, Debug)]
pub struct Parsed {
    pub left: Term,
    pub right: Term,
    pub when: Vec<Condition>,
    /// Names of the variables, for messages.
    pub variables: Vec<String>,
    /// How many predicates are kept.
    pub predicates: usize,
}

impl Parsed {
    /// The op that the left side starts from.
    pub fn root(&self) -> Option<&NodeTerm> {
        match &self.left {
            Term::Node(node) => Some(node),
            _ => None,
        }
    }
}

impl Term {
    /// The number of ops in it.
    pub fn size(&self) -> usize {
        match self {
            Term::Node(n) => 1 + n.args.iter().map(Term::size).sum::<usize>(),
            _ => 0,
        }
    }
}
