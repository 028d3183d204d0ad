//! Textures: the helper does what the rows say, on the scalars of the operands.

use crate::assembler::{Assembler, Flat, IntOp, Memory};
use crate::emit::Emit;
use caustic_dialects::tex::{self, TextureOp};
use caustic_ir::texels::Sampler;
use caustic_ir::{Diagnostic, OpId, Type};
use caustic_native::{Helper, Leaf, Leaves, TextureCall};
use std::mem::offset_of;

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    pub(super) fn texture_op(&mut self, op: OpId) -> Result<bool, Diagnostic> {
        if !tex::DIALECT.all_ops().any(|def| std::ptr::eq(def, self.body.op(op).def)) {
            return Ok(false);
        }
        if tex::SamplerState::is(self.body, op) {
            return self.sampler_state(op).map(|()| true);
        }
        if !A::HOSTED {
            return Err(self.unsupported(op));
        }
        let result = self.body.results(op).first().copied();
        let leaves = match result {
            Some(result) => self.leaves(self.ty(result))?,
            None => Leaves::new(),
        };
        let value = A::each(self, None, &leaves, &mut |e| e.texture_call(op))?;
        if let Some(result) = result {
            self.set(result, value);
        }
        Ok(true)
    }

    /// What a sampler is, by its bytes.
    fn sampler_state(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let sampler = self.get1(self.body.operands(op)[0])?;
        let mut byte = |at: usize| {
            let byte = self.a.load(Leaf::I8, sampler, at as i64, Memory::Constant);
            self.a.resize(Leaf::I8, Leaf::I32, byte, false)
        };
        let (linear, addressing) = (byte(offset_of!(Sampler, linear)), byte(offset_of!(Sampler, addressing)));
        let one = self.a.int(Leaf::I32, 1);
        let addressing = self.a.binary(IntOp::Shl, Leaf::I32, addressing, one);
        let state = self.a.binary(IntOp::Add, Leaf::I32, linear, addressing);
        self.set_result(op, Flat::from_slice(&[state]));
        Ok(())
    }

    /// The scalars of the access's result.
    fn texture_call(&mut self, op: OpId) -> Result<Flat<A::Value>, Diagnostic> {
        let access = TextureOp::of(self.body, op).ok_or_else(|| self.internal("a malformed texture access"))?;
        let operands = self.body.operands(op);
        let texture = self.get1(operands[access.texture_at])?;
        let sampler = if access.samples { self.get1(operands[access.texture_at + 1])? } else { self.a.null() };
        let taken = access.texture_at..=access.texture_at + access.samples as usize;
        let rest = operands.iter().enumerate().filter(|(i, _)| !taken.contains(i)).map(|(_, v)| *v);
        let mut words = Flat::from_slice(&[texture, sampler]);
        let mut types: Vec<Type> = Vec::new();
        for operand in rest {
            let leaf = self.leaf_of(operand)?;
            for scalar in self.get(operand)? {
                words.push(self.a.word_of(leaf, scalar));
            }
            types.push(self.ty(operand));
        }
        let result = self.body.results(op).first().copied();
        let result_type = result.map(|r| self.ty(r));
        let memory = self.a.stack_memory(words.len() as u64 * 8);
        let out = self.a.stack_memory(result_type.map_or(1, |ty| ty.num_elements() as u64) * 8);
        for (i, &word) in words.iter().enumerate() {
            let leaf = if i < 2 { Leaf::Addr } else { Leaf::I64 };
            self.a.store(leaf, word, memory, i as i64 * 8, Memory::Words);
        }
        let call = TextureCall { op: access, operands: types, result: result_type, loc: self.loc };
        let call = self.a.tables().texture_call(call);
        let call = self.i64(call);
        let context = self.a.context();
        let stop = self.helper1(Helper::Texture, &[context, call, memory, out]);
        self.exit_if_status(stop);
        match result {
            Some(result) => self.load_words(result, out, 0),
            None => Ok(Flat::new()),
        }
    }
}
