//! Barriers and wave operations of several threads at once.
//!
//! Threads that run together come to such an op together: those that take part are the mask's. They
//! bring what they have as words, each scalar of all of them side by side, and a helper waits for
//! the others of the wave or the group. Dynamic instances are the same for all that take part, so
//! that one list of them does: sides are written in the order of their regions, which is that of
//! the instances.
//!
//! A group that runs together has no others to wait for: a barrier only looks whether all are here
//! and nobody has trapped. Nor has a wave that runs together ([`super::exchange`]).

use super::assembler::Wide;
use super::value::Val;
use crate::ir::{IntCc, Opcode, Value};
use caustic_codegen::{Assembler, Emit, Flat, Memory};
use caustic_dialects::gpu;
use caustic_dialects::simt;
use caustic_ir::{Diagnostic, OpId, Type};
use caustic_native::{ConvergeCall, Helper, Leaf, ThreadCtx};
use std::mem::offset_of;

/// Code for an op that brings threads together, or tells its instances apart; false leaves the op
/// to the common one.
pub fn op<'m>(emit: &mut Emit<'m, Wide<'_, 'm>>, op: OpId) -> Result<bool, Diagnostic> {
    use simt::ConvergeView as V;
    match V::of(emit.body, op) {
        Some(V::InstanceBegin(_)) => step(emit, op, 0),
        Some(V::InstanceNext(_)) => step(emit, op, 1),
        Some(V::InstanceEnd(_)) => step(emit, op, 2),
        None if simt::converges(emit.body.op(op).def) => converge(emit, op)?,
        Some(V::Fence(_)) | None => return Ok(false),
    }
    Ok(true)
}

fn step<'m>(emit: &mut Emit<'m, Wide<'_, 'm>>, op: OpId, step: i64) {
    // Nobody looks at instances where there are no others.
    if !emit.a.group.apart {
        return;
    }
    let number = simt::InstanceBegin::cast(emit.body, op).and_then(|begin| begin.number(emit.body)).unwrap_or(0);
    let args = [emit.a.context(), emit.a.int(Leaf::I32, step), emit.a.int(Leaf::I64, number)];
    emit.a.helper(Helper::InstanceStep, &args);
}

fn converge<'m>(emit: &mut Emit<'m, Wide<'_, 'm>>, op: OpId) -> Result<(), Diagnostic> {
    let body = emit.body;
    let wave = match gpu::Barrier::is(body, op) {
        true => None,
        false => Some(simt::WaveOp::of(body, op).ok_or_else(|| emit.internal("a malformed wave operation"))?),
    };
    if let Some(wave) = &wave
        && (!emit.a.group.apart || emit.a.lanes == simt::WAVE_SIZE as usize)
        && super::exchange::op(emit, op, wave)?
    {
        return Ok(());
    }
    let barrier = wave.is_none();
    let brought = simt::brought(body, op);
    let operands: Vec<Type> = brought.iter().map(|&v| emit.ty(v)).collect();
    let results: Vec<Type> = body.results(op).iter().map(|&v| emit.ty(v)).collect();
    let lanes = emit.a.lanes as u64;
    let count = |types: &[Type]| types.iter().map(|ty| ty.num_elements() as u64).sum::<u64>() * 8 * lanes;
    let here = emit.a.active();
    let who = emit.a.mask_bits(here);
    let after = (barrier && !emit.a.group.apart).then(|| {
        let w = &mut emit.a;
        let (go_on, look) = (w.block(), w.cold_block());
        let fine = w.everybody(who);
        w.s.branch(fine, go_on, &[], look, &[]);
        w.switch_to(look);
        go_on
    });
    let (words, out) = (emit.a.stack_memory(count(&operands)), emit.a.stack_memory(count(&results)));
    let mut at = 0;
    for &operand in brought {
        let leaf = emit.leaf_of(operand)?;
        for scalar in emit.get(operand)? {
            let word = emit.a.word_of(leaf, scalar);
            emit.a.put_words(word, words.v, at);
            at += 8 * lanes;
        }
    }
    let call = ConvergeCall {
        wave,
        instance: simt::instance_of(body, op),
        operands,
        results,
        lanes: lanes as u32,
        loc: emit.loc,
    };
    let call = emit.a.tables().converge_call(call);
    let call = emit.a.int(Leaf::I64, call);
    let word = emit.a.s.unit.ir.scalar(Leaf::I64);
    let who = Val::uniform(emit.a.s.unit.ir.cast(Opcode::LLVMZExt, who, word));
    let (context, first) = (emit.a.context(), Val::uniform(emit.a.first));
    let stop = emit.a.helper(Helper::ConvergeWide, &[context, call, first, who, words, out]).unwrap_or(context);
    emit.exit_if_status(stop);
    let mut at = 0;
    for &result in body.results(op) {
        let leaf = emit.leaf_of(result)?;
        let mut scalars = Flat::new();
        for _ in 0..emit.ty(result).num_elements() {
            let word = emit.a.get_words(out.v, at);
            scalars.push(emit.a.scalar_of(leaf, word));
            at += 8 * lanes;
        }
        emit.set(result, scalars);
    }
    if let Some(go_on) = after {
        emit.a.s.jump(go_on, &[]);
        emit.a.switch_to(go_on);
    }
    Ok(())
}

impl Wide<'_, '_> {
    /// The condition that all threads of a group that runs as a whole are among these, and none has
    /// trapped.
    fn everybody(&mut self, who: Value) -> Value {
        let threads: u32 = self.group.numthreads.iter().product();
        let context = self.s.context();
        let trapped = self.s.load(Leaf::I32, context, offset_of!(ThreadCtx, trapped) as i64, Memory::Words);
        let ir = &mut self.s.unit.ir;
        let all = ir.constant_int(ir.bits(self.lanes), u64::MAX >> (64 - threads.clamp(1, 64)));
        let here = ir.icmp(IntCc::LLVMIntEQ, who, all);
        let none = ir.int(Leaf::I32, 0);
        let fine = ir.icmp(IntCc::LLVMIntEQ, trapped, none);
        ir.binary(Opcode::LLVMAnd, here, fine)
    }

    fn put_words(&mut self, word: Val, base: Value, at: u64) {
        let (word, at) = (self.vector(word), self.i64(at as i64));
        let ir = &mut self.s.unit.ir;
        let place = ir.at(base, at);
        ir.store(word, place, 8);
    }

    fn get_words(&mut self, base: Value, at: u64) -> Val {
        let (ty, at) = (self.wide_ty(Leaf::I64), self.i64(at as i64));
        let ir = &mut self.s.unit.ir;
        let place = ir.at(base, at);
        Val::varying(ir.load(ty, place, 8))
    }
}
