//! What is looked for: which ops, how many variables of which sort, how large the terms. All ops at
//! once would be too many.

use crate::ops::{Sort, Symbol};

/// A list of ops of which terms are made.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    pub name: &'static str,
    pub group: Group,
    /// Names of ops behind their dialects; with `i1.` in front those on booleans, which are meant
    /// by no other name.
    pub ops: &'static [&'static str],
    pub variables: &'static [Sort],
    /// Constants besides those of booleans.
    pub constants: &'static [f64],
    /// Ops in a term at most; and where something is assumed of a variable.
    pub size: usize,
    pub size_assuming: usize,
}

impl Course {
    /// Whether it names the op on these sorts. Choices are named alike on all.
    pub fn names(&self, symbol: &Symbol) -> bool {
        let of_booleans = symbol.operands.iter().chain([&symbol.result]).all(|&s| s == Sort::Bool);
        let chooses = symbol.operands.len() == 3;
        let name = symbol.name();
        let named = |op: &&str| match op.strip_prefix("i1.") {
            Some(op) => op == name && of_booleans,
            None => *op == name && (chooses || !of_booleans),
        };
        self.ops.iter().any(named)
    }

    /// Whether it has an op of this name on any sort.
    pub fn has_op(&self, name: &str) -> bool {
        self.ops.iter().any(|op| op.strip_prefix("i1.").unwrap_or(op) == name)
    }
}

/// What may be asked for on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Float,
    Choice,
    Int,
}

impl Group {
    pub const ALL: [Group; 3] = [Group::Float, Group::Choice, Group::Int];

    pub fn name(self) -> &'static str {
        match self {
            Group::Float => "float",
            Group::Choice => "choice",
            Group::Int => "int",
        }
    }
}

use Group::{Choice, Float, Int};
use Sort::{Bool as B, Float as F, Int as I};

const fn course(
    group: Group,
    name: &'static str,
    ops: &'static [&'static str],
    variables: &'static [Sort],
    constants: &'static [f64],
    (size, size_assuming): (usize, usize),
) -> Course {
    Course { name, group, ops, variables, constants, size, size_assuming }
}

/// The courses, each small enough for some seconds to a minute of one core.
pub static COURSES: &[Course] = &[
    course(Float, "signs", &["addf", "subf", "mulf", "negf", "absf"], &[F, F], &[0.0, -0.0, 1.0, -1.0], (3, 0)),
    course(Float, "signs assumed", &["addf", "subf", "mulf", "negf", "absf"], &[F, F], &[0.0, -0.0], (2, 2)),
    course(Float, "halves", &["addf", "subf", "mulf", "negf"], &[F, F], &[1.0, -1.0, 2.0, 0.5], (2, 0)),
    course(Float, "sums", &["addf", "subf", "mulf", "negf"], &[F, F, F], &[0.0, 1.0], (3, 0)),
    course(Float, "quotients", &["mulf", "divf", "negf", "absf", "sqrt"], &[F, F], &[0.0, 1.0, -1.0, 2.0], (3, 2)),
    course(Float, "fused", &["fma", "addf", "mulf", "subf", "negf"], &[F, F, F], &[0.0, -0.0, 1.0, -1.0], (2, 1)),
    course(Float, "remainders", &["remf", "mulf", "subf", "negf", "absf"], &[F, F], &[0.0, 1.0, 2.0], (2, 2)),
    course(
        Float,
        "bounds",
        &["minnumf", "maxnumf", "minimumf", "maximumf", "negf", "absf"],
        &[F, F, F],
        &[0.0, 1.0],
        (3, 2),
    ),
    course(
        Float,
        "wholes",
        &["floor", "ceil", "trunc", "round", "roundeven", "negf", "absf", "copysign", "addf", "subf"],
        &[F, F],
        &[0.0, 1.0, -1.0, 0.5],
        (2, 2),
    ),
    course(Choice, "booleans", &["i1.andi", "i1.ori", "i1.xori"], &[B, B, B], &[], (3, 0)),
    course(Choice, "chosen booleans", &["i1.andi", "i1.ori", "i1.xori", "select"], &[B, B, B], &[], (2, 0)),
    course(Choice, "equal booleans", &["i1.andi", "i1.ori", "i1.xori", "i1.cmpi"], &[B, B], &[], (2, 0)),
    course(
        Choice,
        "comparisons",
        &["cmpf", "negf", "absf", "sqrt", "i1.andi", "i1.ori", "i1.xori"],
        &[F, F],
        &[0.0, 1.0],
        (2, 2),
    ),
    course(Choice, "two comparisons", &["cmpf", "i1.andi", "i1.ori"], &[F, F], &[], (3, 0)),
    course(Choice, "differences", &["cmpf", "subf", "addf", "mulf", "negf"], &[F, F], &[0.0, 1.0], (2, 1)),
    course(Choice, "choices", &["select", "cmpf", "negf", "absf"], &[F, F], &[0.0, 1.0, -1.0], (2, 2)),
    course(
        Choice,
        "chosen bounds",
        &["select", "cmpf", "minnumf", "maxnumf", "minimumf", "maximumf"],
        &[F, F],
        &[0.0],
        (2, 1),
    ),
    course(
        Choice,
        "choices of arithmetic",
        &["select", "addf", "subf", "mulf", "divf", "negf", "absf"],
        &[B, F, F, F],
        &[0.0, 1.0],
        (2, 1),
    ),
    course(Choice, "nested choices", &["select", "i1.andi", "i1.ori", "i1.xori"], &[B, B, F, F], &[0.0, 1.0], (3, 0)),
    course(Choice, "gates", &["select", "addf", "mulf", "negf"], &[B, F, F], &[0.0, 1.0], (3, 0)),
    course(Int, "integers", &["addi", "subi", "muli"], &[I, I, I], &[0.0, 1.0, -1.0, 2.0], (3, 1)),
    course(Int, "bits", &["andi", "ori", "xori", "addi", "subi"], &[I, I], &[0.0, 1.0, -1.0], (3, 2)),
    course(Int, "shifts", &["shli", "shrui", "shrsi", "andi", "ori", "muli"], &[I, I], &[0.0, 1.0, -1.0], (2, 2)),
    course(
        Int,
        "divisions",
        &["divsi", "divui", "remsi", "remui", "muli", "addi", "subi"],
        &[I, I],
        &[0.0, 1.0, -1.0, 2.0],
        (2, 2),
    ),
    course(
        Int,
        "integer bounds",
        &["minsi", "maxsi", "minui", "maxui", "absi", "subi"],
        &[I, I],
        &[0.0, 1.0, -1.0],
        (2, 2),
    ),
    course(
        Int,
        "integer comparisons",
        &["cmpi", "addi", "subi", "andi", "xori", "i1.andi", "i1.ori", "i1.xori"],
        &[I, I],
        &[0.0, 1.0, -1.0],
        (2, 2),
    ),
    course(Int, "integer choices", &["select", "cmpi", "minsi", "maxsi", "addi"], &[I, I], &[0.0, 1.0], (2, 1)),
];
