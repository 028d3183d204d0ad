//! `vector`: vectors (rank 1) and matrices (rank 2, row-major) as values. The op names, syntax and meaning are upstream MLIR's.
//!
//! A position that is computed at run time may lie outside: reading there gives 0, writing does nothing, as for arrays and buffers.

mod access;
mod shape;

pub use access::*;
pub use shape::*;

use caustic_ir::Dialect;

pub static DIALECT: Dialect = Dialect {
    name: "vector",
    doc: "Vectors and row-major matrices as values: making them, reading and replacing parts, sums, reshaping. Reading at a \
          position outside gives 0, writing there does nothing.",
    ops: &[ACCESS_OPS, SHAPE_OPS],
    types: &[],
};
