//! `vector`: vectors (rank 1) and matrices (rank 2, row-major) as values. The op names, syntax and
//! meaning are upstream MLIR's.
//!
//! A position that is computed at run time may lie outside: reading there gives 0, writing does
//! nothing, as for arrays and buffers.

/// The evaluation of a row, and its folding on constants.
macro_rules! computed {
    (eval $compute:expr) => {
        Eval::Full(|_, body, op, args| $compute(body, op, args))
    };
    (fold $compute:expr) => {
        Fold::With(|body, op, constants| super::fold_with($compute, body, op, constants))
    };
}

mod access;
mod shape;

pub use access::*;
pub use shape::*;

use caustic_ir::eval::{EvalResult, Val};
use caustic_ir::op::Folded;
use caustic_ir::{Attr, Body, Dialect, OpId};

/// What an op of this dialect computes: all of them are functions of their operands alone, so one
/// function evaluates and folds.
type Compute = fn(&Body, OpId, Vec<Val>) -> EvalResult;

fn fold_with(compute: Compute, body: &Body, op: OpId, constants: &[Option<Attr>]) -> Option<Folded> {
    let args: Option<Vec<Val>> = constants.iter().map(|c| c.and_then(Val::from_attr)).collect();
    let value = compute(body, op, args?).ok()?.into_iter().next()?;
    value.to_attr(body.ty(body.result(op, 0))).map(Folded::Constant)
}

pub static DIALECT: Dialect = Dialect {
    name: "vector",
    doc: "Vectors and row-major matrices as values: making them, reading and replacing parts, sums, reshaping. Reading at a \
          position outside gives 0, writing there does nothing.",
    ops: &[ACCESS_OPS, SHAPE_OPS],
    types: &[],
};
