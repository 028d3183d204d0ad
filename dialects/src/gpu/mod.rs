//! `gpu`: what the threads of a kernel have in common and do together.
//!
//! A *wave* is [`WAVE_SIZE`] threads of a group in a row. Some ops bring threads together (barriers the group's, wave operations
//! the wave's): the threads that take part are those that execute the same *dynamic instance* of the op, the same way into its
//! function and the same iteration of every loop around it. Targets that run one thread after the other learn about instances from
//! the `gpu.instance_*` ops that the pass `mark-instances` inserts; hardware knows them by itself.

mod aggregate;
mod converge;
mod ids;
mod wave;

pub use aggregate::*;
pub use converge::*;
pub use ids::*;
pub use wave::*;

use caustic_ir::Dialect;

pub static DIALECT: Dialect = Dialect {
    name: "gpu",
    doc: "Thread ids, barriers, wave operations and printing, as upstream's `gpu` where it has them.",
    ops: &[ID_OPS, CONVERGE_OPS, WAVE_OPS, AGGREGATE_OPS],
    types: &[],
};

/// Lanes of a wave.
pub const WAVE_SIZE: u32 = 32;
