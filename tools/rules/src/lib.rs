//! Looks for rows of arithmetic that are not there: small terms of the ops that rows may name, told
//! apart by their values; what is equal and does not follow from the rows is proposed, with how
//! often programs hold its left side.
//!
//! The way is that of Ruler (Nandi et al., OOPSLA 2021), with terms left out that an equality makes
//! smaller. docs/egraph.md says what rows are. Must not know: targets.

pub mod courses;
pub mod find;
mod generalize;
pub mod known;
pub mod lowered;
pub mod ops;
mod program;
pub mod proof;
mod reduce;
pub mod report;
pub mod rule;
pub mod samples;
mod terms;

pub use report::main_with;
