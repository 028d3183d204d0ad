//! Equalities of arithmetic as data. A row states `left = right`, with the reading of floats, the
//! conditions and the error under which this holds. The canonicalizer, the e-graph, the
//! documentation and the tests are made from the rows.
//!
//! Rows know the names of ops and facts about values. They must not know passes, regions of bodies,
//! or targets.

pub mod bound;
pub mod check;
pub mod condition;
pub mod eval;
pub mod field;
pub mod row;
pub mod term;
mod text;
pub mod typing;

pub use caustic_ir::Dialect;
pub use condition::{About, Condition, Known, Predicate, holds};
pub use eval::Values;
pub use row::{Class, Row, Use, rows};
pub use term::{Compare, NodeTerm, Parsed, Term};

mod casts;
mod choices;
mod integers;
mod quotients;
mod signs;
mod sums;

/// The tables of rows with their titles, in the order in which they are tried.
pub static TABLES: &[(&str, &[Row])] = &[
    ("Signs", signs::ROWS),
    ("Sums and products", sums::ROWS),
    ("Quotients, roots and functions", quotients::ROWS),
    ("Integers", integers::ROWS),
    ("Choices", choices::ROWS),
    ("Conversions", casts::ROWS),
];

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Row> {
    TABLES.iter().flat_map(|(_, table)| *table)
}
