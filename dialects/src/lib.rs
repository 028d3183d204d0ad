//! The dialects: upstream's (`builtin func arith math vector scf gpu`: same op names, syntax and meaning as MLIR's) and ours (`hl ad agg`).
//!
//! One file or folder a dialect; each op is one row. Nothing here knows a pass, a target or source syntax.

pub mod classes;
