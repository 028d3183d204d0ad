//! Which ops bring threads together, and the ops that tell dynamic instances of ops apart.
//!
//! In structured code a thread only moves forward: the list of (number of the op, iteration) of all
//! loops and calls around it, then the number of the op itself, grows in lexicographic order. Two
//! threads are at the same dynamic instance if and only if their lists are equal, and of several
//! the one with the smallest list is the one that nobody can join any more.

use crate::gpu;
use caustic_ir::eval::{Eval, EvalResult, InstanceStep, Machine, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Body, Module, Name, OpDef, OpId, ops};

/// Attribute of an op that brings threads together: its number among the ops of its function, in
/// order.
pub const INSTANCE: &str = "instance";
/// Attribute of a function that reaches such an op, set by `mark-convergence`: its threads have to
/// run side by side.
pub const CONVERGENT: &str = "convergent";

/// Whether the op brings threads together.
pub fn converges(def: &OpDef) -> bool {
    std::ptr::eq(def, gpu::Barrier::DEF) || is_wave_op(def)
}

/// Whether the op brings lanes of a wave together.
pub fn is_wave_op(def: &OpDef) -> bool {
    let mut all = super::WAVE_OPS.iter().chain(gpu::WAVE_OPS);
    all.any(|d| std::ptr::eq(*d, def))
}

/// Whether the module has an op that brings threads together.
pub fn has_convergent_ops(module: &Module) -> bool {
    module.symbols().iter().any(|s| s.body.walk_all().into_iter().any(|op| converges(s.body.op(op).def)))
}

/// Whether the threads of this function have to run side by side.
pub fn is_convergent(module: &Module, function: Name) -> bool {
    module.get(function).is_some_and(|f| f.attr(CONVERGENT).is_some())
}

/// The number of an op that brings threads together; 0 where `mark-convergence` has not run.
pub fn instance_of(body: &Body, op: OpId) -> i64 {
    body.attr(op, INSTANCE).and_then(|a| a.as_int()).unwrap_or(0)
}

fn eval_step(m: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    m.instance(if InstanceBegin::is(body, op) {
        InstanceStep::Enter(body.attr(op, "number").and_then(|a| a.as_int()).unwrap_or(0))
    } else if InstanceNext::is(body, op) {
        InstanceStep::Next
    } else {
        InstanceStep::Leave
    });
    Ok(vec![])
}

ops! { pub static CONVERGE_OPS as ConvergeView: [
    /// Orders the thread's accesses to memory (`group`, `device` or `all`) before and after it;
    /// waits for nobody.
    Fence "simt.fence" {
        operands: (), results: none, attrs: (memory: String [optional]), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("attr-dict"),
        verify: None, fold: Fold::None, eval: Eval::Full(|_, _, _, _| Ok(vec![])), ad: AdRule::Orders,
    }
    /// A loop or a call begins, in which threads are brought together.
    InstanceBegin "simt.instance_begin" {
        operands: (), results: none, attrs: (number: Int), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("attr-dict"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_step), ad: AdRule::Inactive,
    }
    /// An iteration of the innermost such loop begins.
    InstanceNext "simt.instance_next" {
        operands: (), results: none, attrs: (), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("attr-dict"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_step), ad: AdRule::Inactive,
    }
    /// The innermost such loop or call has ended.
    InstanceEnd "simt.instance_end" {
        operands: (), results: none, attrs: (), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("attr-dict"),
        verify: None, fold: Fold::None, eval: Eval::Full(eval_step), ad: AdRule::Inactive,
    }
] }
