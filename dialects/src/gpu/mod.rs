//! `gpu`: which thread this is, barriers, and printing. The op names, syntax and meaning are
//! upstream MLIR's; what threads do together beyond that is [`crate::simt`].

mod converge;
mod ids;

pub use converge::*;
pub use ids::*;

use caustic_ir::Dialect;

pub static DIALECT: Dialect = Dialect {
    name: "gpu",
    doc: "Thread ids, barriers, two wave operations and printing, as upstream's `gpu` has them.",
    ops: &[ID_OPS, BARRIER_OPS, WAVE_OPS],
    types: &[],
};
