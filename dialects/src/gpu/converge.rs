//! Upstream's ops that bring threads together: the barrier, and the wave operations whose semantics
//! are those of [`crate::simt`].

use crate::classes::{ANY, SCALAR_LIKE};
use crate::simt::{REFUSE, eval_wave, instance_of, verify_wave};
use caustic_ir::eval::{Eval, EvalResult, Machine, Scope, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Attr, Body, Diagnostic, OpId, Type, ops};

/// `#gpu<all_reduce_op add>`
pub fn reduce_attr(kind: &str) -> Attr {
    Attr::opaque(&format!("gpu<all_reduce_op {kind}>"))
}

/// `#gpu<shuffle_mode xor>`
pub fn shuffle_attr(mode: &str) -> Attr {
    Attr::opaque(&format!("gpu<shuffle_mode {mode}>"))
}

fn eval_barrier(m: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    m.converge(Scope::Group, instance_of(body, op), None, Vec::new(), body.loc(op))?;
    Ok(vec![])
}

fn verify_shuffle(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    verify_wave(body, op)?;
    let results: Vec<Type> = body.results(op).iter().map(|&r| body.ty(r)).collect();
    if results == [body.ty(body.operand(op, 0)), Type::i1()] {
        return Ok(());
    }
    Err(Diagnostic::invalid_ir(body.loc(op), "gpu.shuffle: the results are the value's type and i1"))
}

ops! { pub static BARRIER_OPS as BarrierView: [
    /// Waits until all threads of the group are here; what they wrote before is visible to all of
    /// them afterwards.
    ///
    /// `memory` says which writes: those to the memory of the group (the default), to that of the
    /// `device`, or to `all`. A barrier that only some threads of the group reach is a trap.
    Barrier "gpu.barrier" {
        operands: (), results: none, attrs: (memory: String [optional], instance: Int [optional]), regions: (), effects: Writes,
        commutative: false, asm: Asm::Format("attr-dict"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_barrier), ad: AdRule::Orders,
    }
] }

ops! { pub static WAVE_OPS as WaveView: [
    /// The values of all active lanes combined, in the order of the lanes, component by component.
    ///
    /// `op` is one of
    /// `add mul and or xor minsi minui maxsi maxui minimumf maximumf minnumf maxnumf`.
    ///
    /// `%s = gpu.subgroup_reduce add %x : (f32) -> f32`
    SubgroupReduce "gpu.subgroup_reduce" {
        operands: (value: Class(&SCALAR_LIKE); mask: Exactly(Type::i32)), results: infer(SameAs(0)),
        attrs: (op: Opaque, uniform: Unit [optional], complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("wrapped($op, `gpu<all_reduce_op `, `>`) $value (`mask` $mask^)? attr-dict `:` functional-type"),
        verify: Some(verify_wave), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Refuse(REFUSE),
    }
    /// Upstream's shuffle: the value of the lane at `offset` from this one by `mode` (`xor`, `up`,
    /// `down`, or `idx` for the lane itself), and whether that lane is active and among the same
    /// `width` lanes; if not, the lane's own value.
    ///
    /// `%v, %ok = "gpu.shuffle"(%x, %one, %width) {mode = #gpu<shuffle_mode xor>} : (f32, i32, i32) -> (f32, i1)`
    Shuffle "gpu.shuffle" {
        operands: (value: Class(&SCALAR_LIKE), offset: Exactly(Type::i32), width: Exactly(Type::i32); mask: Exactly(Type::i32)), results: many(Class(&ANY)),
        attrs: (mode: Opaque, complete: Unit [optional], masked: Unit [optional], instance: Int [optional]), regions: (), effects: Writes, commutative: false,
        asm: Asm::Generic,
        verify: Some(verify_shuffle), fold: Fold::None, eval: Eval::Full(eval_wave), ad: AdRule::Refuse(REFUSE),
    }
] }
