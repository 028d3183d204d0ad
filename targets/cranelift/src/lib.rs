//! The embedded backend: compiles a lowered module for this machine with Cranelift, in memory, and
//! runs it.
//!
//! It takes what `lower-storage` leaves: functions in SSA with structured control flow, scalars,
//! vectors, matrices and plain structs as values, arrays and tapes in storage. The interpreter is
//! the judge of what an op means; this crate must not know the syntax tree nor the dialects `hl`
//! and `ad`.
//!
//! What the code needs of its host, and dispatch, is [`caustic_native`]'s. No instruction that
//! faults is emitted without a check.

mod emit;
mod jit;
mod machine;
mod module;
mod ops;
mod rare;

pub use jit::{OptLevel, Options, compile, compile_kernel};
