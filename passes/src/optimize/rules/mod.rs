//! The tables of rewrites, one file a subject. A new rewrite of arithmetic is a row of
//! [`crate::rows`], any other a row in one of these.

mod arith;
mod branch;
mod loops;
mod parts;
mod tangent;

use super::pattern::Pattern;
use super::rewrite::{Rewrite, Rewriter};
use crate::rows::{self, Class, Row, Use};
use caustic_ir::{OpDef, OpId};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A table of rewrites that are functions.
pub struct Table {
    pub title: &'static str,
    /// Why they are no patterns.
    pub why: &'static str,
    pub rewrites: &'static [Rewrite],
}

/// Tried before the patterns.
static FIRST: &[Table] = &[
    Table {
        title: "Parts of structs, arrays, vectors and matrices",
        why: "Paths have any length and name parts of types.",
        rewrites: parts::REWRITES,
    },
    Table {
        title: "Order of operands",
        why: "A pattern matches commutative ops in both orders, so that none can say which order is meant.",
        rewrites: arith::REWRITES,
    },
];

/// Tried after the patterns.
static LAST: &[Table] = &[
    Table {
        title: "Linear code and pairs",
        why: "Tangents are of a type of their own, and sums have any number of terms.",
        rewrites: tangent::REWRITES,
    },
    Table { title: "Branches", why: "A branch has regions.", rewrites: branch::REWRITES },
    Table { title: "Loops", why: "A loop has regions and carries any number of values.", rewrites: loops::REWRITES },
];

/// The tables of functions, with what each is about.
pub fn tables() -> impl Iterator<Item = &'static Table> {
    FIRST.iter().chain(LAST)
}

/// A rewrite of the canonicalizer.
pub enum Rule {
    Function(&'static Rewrite),
    Pattern(Pattern),
}

impl Rule {
    pub fn name(&self) -> &'static str {
        match self {
            Rule::Function(rewrite) => rewrite.name,
            Rule::Pattern(pattern) => pattern.row.name,
        }
    }

    pub fn class(&self) -> Class {
        match self {
            Rule::Function(rewrite) => rewrite.class,
            Rule::Pattern(pattern) => pattern.row.class,
        }
    }

    /// What it does, in words or as an equality.
    pub fn text(&self) -> String {
        match self {
            Rule::Function(rewrite) => rewrite.doc.to_string(),
            Rule::Pattern(pattern) => pattern.row.text(),
        }
    }

    /// Rewrites at `op` if it matches; whether it did.
    pub fn apply(&self, r: &mut Rewriter<'_>, op: OpId) -> bool {
        match self {
            Rule::Function(rewrite) => (rewrite.apply)(r, op),
            Rule::Pattern(pattern) => pattern.apply(r, op),
        }
    }
}

/// Whether the canonicalizer applies a row.
pub fn is_canonical(row: &Row) -> bool {
    row.used == Use::Shrinks && row.class == Class::Exact
}

/// Every rewrite of the canonicalizer. Where several match, the first one is applied.
pub fn all() -> &'static [Rule] {
    static ALL: OnceLock<Vec<Rule>> = OnceLock::new();
    ALL.get_or_init(|| {
        let functions = |tables: &'static [Table]| tables.iter().flat_map(|t| t.rewrites).map(Rule::Function);
        let patterns = rows::all().filter(|row| is_canonical(row)).filter_map(Pattern::new).map(Rule::Pattern);
        functions(FIRST).chain(patterns).chain(functions(LAST)).collect()
    })
}

/// Those that start from an op, in order.
pub fn starting_from(def: &'static OpDef) -> &'static [&'static Rule] {
    // By the addresses of rows.
    static BY_ROOT: OnceLock<FxHashMap<usize, Vec<&'static Rule>>> = OnceLock::new();
    let address = |def: &'static OpDef| std::ptr::from_ref(def).addr();
    let table = BY_ROOT.get_or_init(|| {
        let mut table: FxHashMap<usize, Vec<&'static Rule>> = FxHashMap::default();
        for rule in all() {
            match rule {
                Rule::Function(rewrite) => {
                    rewrite.roots.iter().for_each(|root| table.entry(address(root)).or_default().push(rule))
                }
                Rule::Pattern(pattern) => table.entry(address(pattern.root())).or_default().push(rule),
            }
        }
        table
    });
    table.get(&address(def)).map_or(&[], |list| list.as_slice())
}
