//! Barriers, wave operations and `printf` on a GPU.
//!
//! The active lanes of a wave are those that the machine runs together at the op. Reductions and scans go over them in rising order, as the
//! reference evaluation does.

use crate::assembler::Llvm;
use crate::gpu::Gpu;
use crate::ir::{Block, IntCc, Ir, Opcode, Value};
use crate::lanes;
use caustic_codegen::{Assembler, Emit, Flat, Lane, Memory};
use caustic_dialects::combine::{combine_def, identity};
use caustic_dialects::gpu;
use caustic_ir::eval::Val;
use caustic_ir::{Diagnostic, OpId, Type};
use caustic_native::Leaf;

type Gpus<'a, 'm> = Emit<'m, Llvm<'a, 'm, Gpu>>;

pub fn converge<'m>(emit: &mut Gpus<'_, 'm>, op: OpId) -> Result<(), Diagnostic> {
    if gpu::Barrier::is(emit.body, op) {
        emit.a.unit.ir.intrinsic("llvm.nvvm.barrier0", &[], &[]);
        return Ok(());
    }
    Err(emit.internal("wave operations are not compiled for GPUs yet"))
}

/// `vprintf`, with the arguments one after the other in memory.
pub fn printf<'m>(emit: &mut Gpus<'_, 'm>, op: OpId) -> Result<(), Diagnostic> {
    Err(emit.internal("printf is not compiled for GPUs yet"))
}
