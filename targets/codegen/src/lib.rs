//! From a lowered module to instructions, whatever the machine: the ops in terms of an
//! [`Assembler`].
//!
//! It takes what `lower-storage` leaves: functions in SSA with structured control flow, scalars,
//! vectors, matrices and plain structs as values, arrays and tapes in storage. The interpreter is
//! the judge of what an op means; this crate must not know any code generator, the syntax tree, nor
//! the dialects `hl` and `ad`.
//!
//! No instruction that faults is asked for without a check: an access out of range reads zeros, or
//! is not made.

mod assembler;
mod control;
mod emit;
mod ops;
mod uniform;

pub use assembler::{Assembler, Code, Compare, Flat, IntOp, Lane, Memory, Only, Rounds};
pub use emit::Emit;
pub use ops::buffer::is_unseen_update;
pub use ops::value::Step;
pub use uniform::{Analysis, Dimensions, Uniformity};
