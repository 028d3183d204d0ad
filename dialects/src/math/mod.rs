//! `math`: elementary functions. The op names, syntax and meaning are upstream MLIR's.
//!
//! The reference evaluates in f64 and rounds to the type once, which for f16 and f32 is the
//! correctly rounded result but for rare double roundings; `rsqrt` rounds the root as well. Targets
//! may differ from it by a few units in the last place, except for `sqrt`, `fma`, the rounding
//! functions and the integer functions, which are exact everywhere.

mod elementary;
mod int;

pub use elementary::*;
pub use int::*;

use caustic_ir::{Dialect, OpDef};

pub static DIALECT: Dialect = Dialect {
    name: "math",
    doc: "Elementary functions of floats, and bit counting, lane by lane over vectors and matrices.",
    ops: &[UNARY_OPS, RSQRT_OPS, BINARY_OPS, ROUNDING_OPS, FMA_OPS, INT_OPS],
    types: &[],
};

/// What the names of functions begin with that stand for ops which a machine lacks; the op's name
/// and the width of its floats follow (`caustic.math.sin_f64`).
pub const LIBRARY: &str = "caustic.math.";

/// The op that a function of this name stands for, and whether its operands are doubles.
pub fn of_library(name: &str) -> Option<(&'static OpDef, bool)> {
    let (op, width) = name.strip_prefix(LIBRARY)?.rsplit_once('_')?;
    let named = |def: &&&'static OpDef| def.name.strip_prefix("math.") == Some(op);
    DIALECT.ops.iter().flat_map(|list| list.iter()).find(named).map(|def| (*def, width == "f64"))
}
