//! Optimization: passes that keep what a program computes and make it smaller or faster.
//!
//! They work on normalized code (`func`, `scf`, `arith`, `math`, `vector`, `agg`), before, between
//! and after the steps of differentiation, and keep what those rely on: normalized loops stay
//! normalized, linear code stays linear and apart. What an op does is in its row; a simplification
//! is a row of [`crate::rows`] or, if it is no arithmetic, of [`rules`].
//!
//! This module must not know: source syntax and targets.

pub mod book;
pub mod branches;
pub mod canonicalize;
pub mod cse;
pub mod dce;
pub mod inline;
pub mod latest;
pub mod licm;
pub mod pattern;
pub mod rewrite;
pub mod rules;
pub mod sink;
pub mod symbol_dce;
pub mod tidy;
pub mod trim_signatures;

use crate::manager::PassDef;
use crate::{mutants, rows};

/// The passes of this folder, in the order in which they usually run.
pub static PASSES: &[&PassDef] = &[
    &inline::INLINE,
    &canonicalize::CANONICALIZE,
    &cse::CSE,
    &branches::SHARE_BRANCHES,
    &sink::SINK,
    &licm::LICM,
    &dce::DCE,
    &symbol_dce::SYMBOL_DCE,
    &trim_signatures::TRIM_SIGNATURES,
    &latest::READ_LATEST,
];

/// Every rewrite that can go wrong on purpose: the canonicalizer's and all rows of arithmetic.
pub fn all_rewrites() -> impl Iterator<Item = mutants::Rewrite> {
    let functions = rules::tables().flat_map(|table| table.rewrites);
    let functions =
        functions.map(|r| mutants::Rewrite { name: r.name, text: r.doc.to_string(), conditions: Vec::new() });
    functions.chain(rows::all().map(|row| {
        let tested = |parsed: &rows::Parsed| {
            let tested = parsed.when.iter().filter(|c| c.predicate.about != rows::About::Code);
            tested.map(|c| c.name(&parsed.variables)).collect()
        };
        mutants::Rewrite { name: row.name, text: row.text(), conditions: row.parsed().map(tested).unwrap_or_default() }
    }))
}
