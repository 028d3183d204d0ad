//! Thread ids and `printf`.

use crate::context::ThreadCtx;
use crate::emit::{CONTEXT, Emit, Flat, MEM};
use crate::flat::Leaf;
use crate::helpers::{Helper, PrintCall};
use caustic_dialects::gpu;
use caustic_ir::{Diagnostic, OpId, Type};
use cranelift_codegen::ir::{InstBuilder, types};
use std::mem::offset_of;

impl Emit<'_, '_> {
    pub(super) fn gpu_op(&mut self, op: OpId) -> Result<bool, Diagnostic> {
        let at = match self.body.op(op).def.name {
            gpu::ThreadId::NAME => offset_of!(ThreadCtx, thread_id),
            gpu::BlockId::NAME => offset_of!(ThreadCtx, block_id),
            gpu::BlockDim::NAME => offset_of!(ThreadCtx, block_dim),
            gpu::GridDim::NAME => offset_of!(ThreadCtx, grid_dim),
            gpu::GlobalId::NAME => offset_of!(ThreadCtx, global_id),
            gpu::Printf::NAME => {
                self.printf(op)?;
                return Ok(true);
            }
            name if name.starts_with("gpu.") => {
                return Err(Diagnostic::error(
                    "E0850",
                    self.loc,
                    format!("`{name}` is not supported by the cranelift backend yet"),
                )
                .with_note("threads of a group run one after the other here, so they cannot wait for each other"));
            }
            _ => return Ok(false),
        };
        let dimension = self.body.attr(op, "dimension");
        let dim = (0..3).find(|&d| dimension == Some(gpu::dim_attr(d)));
        let dim = dim.ok_or_else(|| self.internal("a dimension that is none of x, y, z"))?;
        let value = self.b.ins().load(types::I64, CONTEXT, self.ctx, (at + dim * 8) as i32);
        self.set_result(op, Flat::from_slice(&[value]));
        Ok(true)
    }

    fn printf(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let format = self.body.attr(op, "format").and_then(|a| a.as_str()).unwrap_or("").to_string();
        let mut words = Flat::new();
        let mut args: Vec<Type> = Vec::new();
        for &operand in self.body.operands(op) {
            let ty = self.ty(operand);
            let Some(leaf) = Leaf::of(ty.elem()) else {
                return Err(Diagnostic::error("E0851", self.loc, format!("printf cannot print a value of type {ty}"))
                    .with_note("pass its scalars"));
            };
            for scalar in self.get(operand)? {
                words.push(self.word_of(leaf, scalar));
                args.push(ty.elem());
            }
        }
        let memory = self.stack_memory(words.len() as u64 * 8);
        for (i, &word) in words.iter().enumerate() {
            self.b.ins().store(MEM, word, memory, (i * 8) as i32);
        }
        let call = self.cx.print_call(PrintCall { format, args });
        let call = self.i64(call);
        self.helper(Helper::Print, &[self.ctx, call, memory]);
        Ok(())
    }
}
