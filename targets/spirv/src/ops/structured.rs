//! The ops that are no instruction on their operands, and those that never come to a target.

use caustic_dialects::{ad, agg, arith, builtin, func, gpu, hl, scf, simt, tex, vector};
use caustic_ir::OpDef;

/// What becomes of an op that is no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structured {
    /// It is written by code of its own.
    Written,
    /// Earlier passes remove it.
    Gone,
}

/// What becomes of `op`, if it is none of the rows.
pub fn structured(op: &'static OpDef) -> Option<Structured> {
    let is_in = |list: &[&'static OpDef]| list.iter().any(|d| std::ptr::eq(*d, op));
    let written: [&[&'static OpDef]; 18] = [
        agg::AGG_OPS,
        agg::ATOMIC_OPS,
        agg::POINTER_OPS,
        agg::STORAGE_OPS,
        arith::CMP_OPS,
        arith::CONSTANT_OPS,
        func::FUNC_OPS,
        gpu::BARRIER_OPS,
        gpu::ID_OPS,
        gpu::WAVE_OPS,
        scf::SCF_OPS,
        simt::AGGREGATE_OPS,
        simt::CONVERGE_OPS,
        simt::WAVE_OPS,
        tex::TEX_OPS,
        vector::ACCESS_OPS,
        vector::SHAPE_OPS,
        builtin::BUILTIN_OPS,
    ];
    if written.into_iter().any(is_in) {
        return Some(Structured::Written);
    }
    let earlier = [&ad::DIALECT, &hl::DIALECT].into_iter().any(|d| d.ops.iter().any(|list| is_in(list)));
    earlier.then_some(Structured::Gone)
}
