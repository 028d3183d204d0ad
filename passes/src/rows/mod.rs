//! Equalities of arithmetic as data. A row says `left = right`, under which reading of floats, on which conditions and within
//! which error; the canonicalizer, the e-graph, the documentation and the tests are made from it.
//!
//! Rows know ops by name and facts about values. They must not know passes, bodies' regions or targets.

pub mod check;
pub mod condition;
pub mod row;
pub mod term;
mod text;

pub use condition::{Condition, Predicate};
pub use row::{Class, Row, Use, rows};
pub use term::{Compare, NodeTerm, Parsed, Term};

mod signs;

/// The tables of rows, with what each is about, in the order in which they are tried.
pub static TABLES: &[(&str, &[Row])] = &[("Signs", signs::ROWS)];

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Row> {
    TABLES.iter().flat_map(|(_, table)| *table)
}
