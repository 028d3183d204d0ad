//! Random differentiable programs, the conditions that each must satisfy, and the reduction of
//! failures.
//!
//! [`generate`] makes a [`tree`], [`oracle`] checks it, [`shrink`] reduces a failing one, and
//! [`soak`] repeats this for a given time. [`ir`] does the same with modules of the intermediate
//! representation, to test passes, and [`memory`] with programs that write memory, which it checks
//! by an evaluator of its own. [`emit`] has both kinds compiled and run as source text. Everything
//! about a program depends on its seed only.

pub mod coverage;
pub mod emit;
pub mod generate;
pub mod ir;
pub mod judge;
pub mod memory;
pub mod oracle;
pub mod shrink;
pub mod slangc;
pub mod soak;
pub mod tree;
