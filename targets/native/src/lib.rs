//! What compiled code needs of its host, whatever compiled it: the thread's context, helpers to
//! call, a heap with a limit, the way values lie in registers and memory, and dispatch.
//!
//! A code generator for this machine fills [`Tables`] while it writes code against [`ThreadCtx`]
//! and [`Helper`], and hands both over as a [`Code`]; everything after that is the same for all of
//! them. This crate must not know any code generator.
//!
//! Nothing a program does can end the process: storage stands on a heap with a limit, recursion
//! checks the native stack, and every stop is an ordinary return with a trap.

pub mod calls;
mod code;
mod context;
pub mod flat;
mod heap;
mod helpers;
mod kernel;
mod marshal;
mod tables;
mod wide_tapes;

pub use code::{Code, Entry, EntryFn, SPARE_STACK};
pub use context::{Global, Host, ThreadCtx, WideWords, Words};
pub use flat::{Leaf, Leaves};
pub use heap::{Desc, Heap, Tape, has_tapes};
pub use helpers::{AtomicCall, ConvergeCall, Failure, Helper, PrintCall, Ranges, Run, ScalarCall, TextureCall, Word};
pub use kernel::Kernel;
pub use tables::{GlobalEntry, Tables};
