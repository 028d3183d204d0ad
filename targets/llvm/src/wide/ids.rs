//! Ids of several threads at once, from the number of the first of them within its group.

use super::Shape;
use super::assembler::Wide;
use super::value::Val;
use crate::ir::{IntCc, Opcode, Value};
use caustic_codegen::{Assembler, Emit, Flat, Memory};
use caustic_dialects::gpu;
use caustic_dialects::simt;
use caustic_ir::OpId;
use caustic_native::{Leaf, ThreadCtx};
use std::mem::offset_of;

/// Code for an id in which threads differ; false leaves the op to the common one.
pub fn id<'m>(emit: &mut Emit<'m, Wide<'_, 'm>>, op: OpId) -> bool {
    let dim = gpu::dimension(emit.body, op);
    let w = &mut emit.a;
    let wave = i64::from(simt::WAVE_SIZE);
    let value = match (emit.body.op(op).def.name, dim) {
        (gpu::ThreadId::NAME, Some(dim)) => w.local(dim),
        (gpu::GlobalId::NAME, Some(dim)) => w.global(dim),
        (gpu::LaneId::NAME, _) => {
            let first = w.constant(Opcode::LLVMURem, w.first, wave);
            w.line(Leaf::I64, first, 1, None)
        }
        (gpu::NumSubgroups::NAME, _) => {
            let threads: i64 = w.group.numthreads.iter().map(|&n| i64::from(n)).product();
            Val::uniform(w.i64((threads + wave - 1) / wave))
        }
        (gpu::SubgroupId::NAME, _) => Val::uniform(w.constant(Opcode::LLVMUDiv, w.first, wave)),
        _ => return false,
    };
    emit.set_result(op, Flat::from_slice(&[value]));
    true
}

impl Wide<'_, '_> {
    fn constant(&mut self, op: Opcode, x: Value, y: i64) -> Value {
        let y = self.i64(y);
        self.s.unit.ir.binary(op, x, y)
    }

    fn local(&mut self, dim: usize) -> Val {
        let [x, y, _] = self.group.numthreads.map(i64::from);
        match (self.group.shape, dim) {
            (Shape::Line, 0) => self.line(Leaf::I64, self.first, 1, None),
            (Shape::Line, _) => Val::uniform(self.i64(0)),
            (Shape::Rows, 0) => {
                let first = self.constant(Opcode::LLVMURem, self.first, x);
                self.line(Leaf::I64, first, 1, None)
            }
            (Shape::Rows, dim) => {
                let row = self.constant(Opcode::LLVMUDiv, self.first, x);
                Val::uniform(self.constant(if dim == 1 { Opcode::LLVMURem } else { Opcode::LLVMUDiv }, row, y))
            }
            (Shape::Any, dim) => {
                // Numbers of threads fit into 32 bits.
                let number = self.line(Leaf::I64, self.first, 1, None).v;
                let (narrow, word) = (self.wide_ty(Leaf::I32), self.wide_ty(Leaf::I64));
                let lanes = self.lanes;
                let ir = &mut self.s.unit.ir;
                let number = ir.cast(Opcode::LLVMTrunc, number, narrow);
                let [x, y] = [x, y].map(|n| ir.wide(lanes, |ir| ir.int(Leaf::I32, n)));
                let id = if dim == 0 {
                    ir.binary(Opcode::LLVMURem, number, x)
                } else {
                    let row = ir.binary(Opcode::LLVMUDiv, number, x);
                    ir.binary(if dim == 1 { Opcode::LLVMURem } else { Opcode::LLVMUDiv }, row, y)
                };
                Val::varying(ir.cast(Opcode::LLVMZExt, id, word))
            }
        }
    }

    /// As the host computes it: of 32 bits.
    fn global(&mut self, dim: usize) -> Val {
        const MOST: i64 = u32::MAX as i64;
        let at = (offset_of!(ThreadCtx, block_id) + dim * 8) as i64;
        let context = self.s.context();
        let block = self.s.load(Leaf::I64, context, at, Memory::Constant);
        let base = self.constant(Opcode::LLVMMul, block, i64::from(self.group.numthreads[dim]));
        let local = self.local(dim);
        match (local.varying, local.line) {
            (false, _) => {
                let id = self.s.unit.ir.binary(Opcode::LLVMAdd, base, local.v);
                Val::uniform(self.constant(Opcode::LLVMAnd, id, MOST))
            }
            (true, Some(line)) => {
                let first = self.s.unit.ir.binary(Opcode::LLVMAdd, base, line.first);
                let bound = self.i64(MOST - self.lanes as i64);
                let valid = self.s.unit.ir.icmp(IntCc::LLVMIntULE, first, bound);
                let id = self.line(Leaf::I64, first, 1, Some(valid));
                let most = self.s.unit.ir.wide(self.lanes, |ir| ir.int(Leaf::I64, MOST));
                Val { v: self.s.unit.ir.binary(Opcode::LLVMAnd, id.v, most), ..id }
            }
            (true, None) => {
                let base = self.s.unit.ir.splat(base, self.lanes);
                let id = self.s.unit.ir.binary(Opcode::LLVMAdd, base, local.v);
                let most = self.s.unit.ir.wide(self.lanes, |ir| ir.int(Leaf::I64, MOST));
                Val::varying(self.s.unit.ir.binary(Opcode::LLVMAnd, id, most))
            }
        }
    }
}
