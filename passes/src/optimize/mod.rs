//! Optimization: passes that keep what a program computes and make it smaller or faster.
//!
//! They work on normalized code (`func`, `scf`, `arith`, `math`, `vector`, `agg`), before, between and after the steps of
//! differentiation, and keep what those rely on: normalized loops stay normalized, linear code stays linear and apart. What an op does
//! is in its row; a simplification is a row in [`rules`].
//!
//! This module must not know: source syntax and targets.

pub mod branches;
pub mod canonicalize;
pub mod cse;
pub mod dce;
pub mod inline;
pub mod licm;
pub mod rewrite;
pub mod rules;
pub mod sink;
pub mod symbol_dce;
pub mod tidy;

use crate::manager::PassDef;

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
];

/// The rows of the canonicalizer's tables.
pub fn all_rewrites() -> impl Iterator<Item = &'static rewrite::Rewrite> {
    rules::all()
}
