//! Conditions of rows: a closed list of predicates on what is known of values. Each has a meaning by value, which tests decide, and
//! one by fact, which must imply it.

use caustic_ir::eval::Val;
use caustic_ir::{Attr, Type};

/// What is known of a variable where a row is tried.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub ty: Type,
    /// Its value, if that is a constant; of a vector the value of all lanes.
    pub constant: Option<Attr>,
}

/// A predicate of some variables.
pub struct Predicate {
    pub name: &'static str,
    pub doc: &'static str,
    pub arity: usize,
    /// Whether it holds of these values, one lane of each. What only a compiler can know holds of every value.
    pub by_value: fn(&[Val], &[Type]) -> bool,
    /// Whether what is known implies it.
    pub by_fact: fn(&[Known]) -> bool,
}

impl std::fmt::Debug for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A predicate of a row's variables.
#[derive(Clone, Debug)]
pub struct Condition {
    pub predicate: &'static Predicate,
    pub vars: Vec<u8>,
}

/// The predicates that a row may name.
pub static PREDICATES: &[Predicate] = &[
    Predicate {
        name: "const",
        doc: "is a constant",
        arity: 1,
        by_value: |_, _| true,
        by_fact: |k| k.iter().all(|k| k.constant.is_some()),
    },
    Predicate {
        name: "boolean",
        doc: "is of type `i1`",
        arity: 1,
        by_value: |_, t| t.iter().all(|t| t.elem().is_i1()),
        by_fact: |k| k.iter().all(|k| k.ty.elem().is_i1()),
    },
    Predicate {
        name: "same_type",
        doc: "are of one type",
        arity: 2,
        by_value: |_, t| t.windows(2).all(|w| w[0] == w[1]),
        by_fact: |k| k.windows(2).all(|w| w[0].ty == w[1].ty),
    },
];

pub fn find(name: &str) -> Option<&'static Predicate> {
    PREDICATES.iter().find(|p| p.name == name)
}
