//! Random differentiable programs, what must hold of each of them, and failures made small.
//!
//! [`generate`] makes a [`tree`], [`oracle`] checks it, [`shrink`] makes a failing one small,
//! [`soak`] does so for as long as one likes. [`ir`] does the same for modules of the intermediate
//! representation, for passes, and [`memory`] for programs that write memory, which it judges by an
//! evaluator of its own. Everything about a program depends on its seed only.

pub mod coverage;
pub mod generate;
pub mod ir;
pub mod judge;
pub mod memory;
pub mod oracle;
pub mod shrink;
pub mod slangc;
pub mod soak;
pub mod tree;
