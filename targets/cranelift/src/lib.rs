//! The embedded backend: compiles a lowered module for this machine with Cranelift, in memory, and runs it.
//!
//! It takes what `lower-storage` leaves: functions in SSA with structured control flow, scalars, vectors, matrices and plain structs as
//! values, arrays and tapes in storage. The interpreter is the judge of what an op means; this crate must not know the
//! syntax tree nor the dialects `hl` and `ad`.
//!
//! Nothing a program does can end the process: no instruction that faults is emitted without a check, large storage stands on a heap
//! with a limit, recursion checks the native stack, and every stop is an ordinary return with a trap.

mod context;
mod control;
mod emit;
mod flat;
mod heap;
mod helpers;
mod jit;
mod kernel;
mod marshal;
mod module;
mod ops;

pub use jit::{Jit, OptLevel, Options};
pub use kernel::Kernel;
