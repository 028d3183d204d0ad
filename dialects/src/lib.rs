//! The dialects: upstream's (`builtin func arith math vector scf gpu`: same op names, syntax and
//! meaning as MLIR's) and ours (`hl ad agg tex simt strong`).
//!
//! One file or folder a dialect; each op is one row. Nothing here knows a pass, a target or source
//! syntax.

pub mod ad;
pub mod agg;
pub mod arith;
pub mod bound;
pub mod builtin;
pub mod call_graph;
pub mod carried;
pub mod classes;
pub mod combine;
pub mod facts;
pub mod func;
pub mod gpu;
pub mod hints;
pub mod hl;
pub mod layout;
pub mod math;
pub mod place;
pub mod reflect;
pub mod scf;
pub mod signature;
pub mod simt;
pub mod strong;
pub mod structure;
pub mod tex;
pub mod vector;

use caustic_ir::Dialect;

/// Every dialect of this crate.
pub fn all() -> &'static [&'static Dialect] {
    static ALL: &[&Dialect] = &[
        &builtin::DIALECT,
        &func::DIALECT,
        &scf::DIALECT,
        &arith::DIALECT,
        &math::DIALECT,
        &strong::DIALECT,
        &vector::DIALECT,
        &gpu::DIALECT,
        &simt::DIALECT,
        &agg::DIALECT,
        &tex::DIALECT,
        &ad::DIALECT,
        &hl::DIALECT,
    ];
    ALL
}
