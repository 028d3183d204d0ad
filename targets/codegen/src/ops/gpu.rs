//! Thread ids, barriers and wave operations, and `printf`.

use crate::assembler::{Assembler, Flat, Memory};
use crate::emit::Emit;
use caustic_dialects::gpu;
use caustic_dialects::simt;
use caustic_ir::codes;
use caustic_ir::{Diagnostic, OpId, Type, ValueId};
use caustic_native::{ConvergeCall, Helper, Leaf, PrintCall, ThreadCtx};
use std::mem::offset_of;

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    pub(super) fn gpu_op(&mut self, op: OpId) -> Result<bool, Diagnostic> {
        if let Some(view) = gpu::IdView::of(self.body, op) {
            self.id_op(op, view)?;
            return Ok(true);
        }
        match simt::ConvergeView::of(self.body, op) {
            Some(simt::ConvergeView::Fence(_)) => self.a.fence(),
            Some(simt::ConvergeView::InstanceBegin(_)) => self.instance_step(op, 0)?,
            Some(simt::ConvergeView::InstanceNext(_)) => self.instance_step(op, 1)?,
            Some(simt::ConvergeView::InstanceEnd(_)) => self.instance_step(op, 2)?,
            None if simt::converges(self.body.op(op).def) => self.converge(op)?,
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Which thread this is: fields of the context; and printing.
    fn id_op(&mut self, op: OpId, view: gpu::IdView) -> Result<(), Diagnostic> {
        use gpu::IdView as V;
        let (at, dimension) = match view {
            V::ThreadId(id) => (offset_of!(ThreadCtx, thread_id), id.dimension(self.body)),
            V::BlockId(id) => (offset_of!(ThreadCtx, block_id), id.dimension(self.body)),
            V::BlockDim(id) => (offset_of!(ThreadCtx, block_dim), id.dimension(self.body)),
            V::GridDim(id) => (offset_of!(ThreadCtx, grid_dim), id.dimension(self.body)),
            V::GlobalId(id) => (offset_of!(ThreadCtx, global_id), id.dimension(self.body)),
            V::LaneId(_) => return self.context_id(op, offset_of!(ThreadCtx, lane_id)),
            V::SubgroupId(_) => return self.context_id(op, offset_of!(ThreadCtx, subgroup_id)),
            V::NumSubgroups(_) => return self.context_id(op, offset_of!(ThreadCtx, num_subgroups)),
            V::SubgroupSize(_) => {
                let size = self.i64(simt::WAVE_SIZE as i64);
                self.set_result(op, Flat::from_slice(&[size]));
                return Ok(());
            }
            V::Printf(_) => {
                A::each(self, None, &[], &mut |e| e.printf(op).map(|()| Flat::new()))?;
                return Ok(());
            }
        };
        let dim = (0..3).find(|&d| dimension == Some(gpu::dim_attr(d)));
        let dim = dim.ok_or_else(|| self.internal("a dimension that is none of x, y, z"))?;
        self.context_id(op, at + dim * 8)
    }

    fn context_id(&mut self, op: OpId, offset: usize) -> Result<(), Diagnostic> {
        let value = self.context_field(Leaf::I64, offset);
        self.set_result(op, Flat::from_slice(&[value]));
        Ok(())
    }

    fn instance_step(&mut self, op: OpId, step: i64) -> Result<(), Diagnostic> {
        let number = simt::InstanceBegin::cast(self.body, op).and_then(|begin| begin.number(self.body)).unwrap_or(0);
        A::each(self, None, &[], &mut |e| {
            let (context, step, number) = (e.a.context(), e.a.int(Leaf::I32, step), e.i64(number));
            e.a.helper(Helper::InstanceStep, &[context, step, number]);
            Ok(Flat::new())
        })?;
        Ok(())
    }

    /// A barrier or wave operation: the helper waits and works out the results from what all
    /// threads brought.
    fn converge(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let wave = match gpu::Barrier::is(self.body, op) {
            true => None,
            false => Some(simt::WaveOp::of(self.body, op).ok_or_else(|| self.internal("a malformed wave operation"))?),
        };
        // Threads that run one after the other are told apart by instances, and need no mask.
        let brought = simt::brought(self.body, op);
        let operands: Vec<Type> = brought.iter().map(|&v| self.ty(v)).collect();
        let results: Vec<Type> = self.body.results(op).iter().map(|&v| self.ty(v)).collect();
        let count = |types: &[Type]| types.iter().map(|ty| ty.num_elements() as u64).sum::<u64>() * 8;
        let (words, out) = (self.a.stack_memory(count(&operands)), self.a.stack_memory(count(&results)));
        let mut at = 0;
        for &operand in brought {
            let leaf = self.leaf_of(operand)?;
            for scalar in self.get(operand)? {
                let word = self.a.word_of(leaf, scalar);
                self.a.store(Leaf::I64, word, words, at, Memory::Words);
                at += 8;
            }
        }
        let instance = simt::instance_of(self.body, op);
        let call = ConvergeCall { wave, instance, operands, results, lanes: 1, loc: self.loc };
        let call = self.a.tables().converge_call(call);
        let call = self.i64(call);
        let context = self.a.context();
        let stop = self.helper1(Helper::Converge, &[context, call, words, out]);
        self.exit_if_status(stop);
        let mut at = 0;
        for &result in self.body.results(op) {
            let scalars = self.load_words(result, out, at)?;
            at += scalars.len() as i64 * 8;
            self.set(result, scalars);
        }
        Ok(())
    }

    /// A value whose scalars a helper has left, a word each.
    pub(super) fn load_words(&mut self, value: ValueId, out: A::Value, at: i64) -> Result<Flat<A::Value>, Diagnostic> {
        let leaf = self.leaf_of(value)?;
        let mut scalars = Flat::new();
        for i in 0..self.ty(value).num_elements() {
            let word = self.a.load(Leaf::I64, out, at + i as i64 * 8, Memory::Words);
            scalars.push(self.a.scalar_of(leaf, word));
        }
        Ok(scalars)
    }

    fn printf(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let format = gpu::Printf(op).format(self.body).unwrap_or("").to_string();
        let mut words = Flat::new();
        let mut args: Vec<Type> = Vec::new();
        for &operand in self.body.operands(op) {
            let ty = self.ty(operand);
            let Some(leaf) = Leaf::of(ty.elem()) else {
                return Err(Diagnostic::error(
                    codes::E0851,
                    self.loc,
                    format!("printf cannot print a value of type {ty}"),
                )
                .with_note("pass its scalars"));
            };
            for scalar in self.get(operand)? {
                words.push(self.a.word_of(leaf, scalar));
                args.push(ty.elem());
            }
        }
        let memory = self.a.stack_memory(words.len() as u64 * 8);
        for (i, &word) in words.iter().enumerate() {
            self.a.store(Leaf::I64, word, memory, i as i64 * 8, Memory::Words);
        }
        let call = self.a.tables().print_call(PrintCall { format, args });
        let call = self.i64(call);
        let context = self.a.context();
        self.a.helper(Helper::Print, &[context, call, memory]);
        Ok(())
    }
}
