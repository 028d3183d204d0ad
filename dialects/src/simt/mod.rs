//! `simt`: what the threads of a kernel do together, beyond what upstream's `gpu` has ops for.
//!
//! A *wave* is [`WAVE_SIZE`] threads of a group in a row. Some ops bring threads together (barriers
//! the group's, wave operations the wave's): the threads that take part are those that execute the
//! same *dynamic instance* of the op, the same way into its function and the same iteration of
//! every loop around it. Targets that run one thread after the other learn about instances from the
//! `simt.instance_*` ops that the pass `mark-convergence` inserts; hardware knows them by itself.

mod aggregate;
mod converge;
mod wave;

pub use aggregate::*;
pub use converge::*;
pub use wave::*;

use caustic_ir::{Dialect, OpDef};

pub static DIALECT: Dialect = Dialect {
    name: "simt",
    doc: "What threads that run side by side do together, where upstream's `gpu` has no op: wave operations, fences, dynamic \
          instances, and how what many threads add to a buffer comes together.",
    ops: &[CONVERGE_OPS, WAVE_OPS, AGGREGATE_OPS],
    types: &[],
};

/// Lanes of a wave.
pub const WAVE_SIZE: u32 = 32;

/// How many lanes a machine's wave has to have at least, and at most, where the lanes of a wave of
/// the program are lanes of one of the machine: with groups of so many threads.
pub fn lanes_of_groups(threads: u32) -> (u32, Option<u32>) {
    (threads.min(WAVE_SIZE), (threads > WAVE_SIZE).then_some(WAVE_SIZE))
}

/// Whether an op says or asks something about the threads that run: a row of `gpu` or of `simt`.
pub fn is_thread_op(def: &OpDef) -> bool {
    [crate::gpu::DIALECT.name, DIALECT.name].contains(&def.dialect())
}
