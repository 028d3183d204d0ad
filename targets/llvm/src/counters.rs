//! Counters of loops in 32 bits, for NVIDIA's processors, whose registers have as many.
//!
//! A loop that counts from one constant to another, or to a number of 32 bits, and uses its counter
//! for nothing else than to know when it ends, would take two registers and four instructions for
//! that.

use crate::values::{self, is_int, opcode, users};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode};
use inkwell::module::Module;
use inkwell::values::InstructionOpcode;

/// No number of an iteration is larger.
const MOST: u64 = 1 << 31;

/// Rewrites the loops of a module.
pub fn run(module: &Module<'_>) {
    for phi in values::all(module, InstructionOpcode::Phi) {
        // SAFETY: an instruction of a module that is alive, and which nothing else changes
        // meanwhile. What is erased has no other users.
        unsafe {
            if let Some(counter) = counter(phi) {
                narrow(&counter);
            }
        }
    }
}

/// `phi` is `start` at first and then `next`, which is `phi + step` and, in the end, `end`.
struct Counter {
    phi: LLVMValueRef,
    next: LLVMValueRef,
    compare: LLVMValueRef,
    /// Which of the incoming values is `next`.
    from_loop: u32,
    start: u64,
    step: u64,
    end: End,
}

enum End {
    Constant(u64),
    /// What is extended to `end`.
    Extended(LLVMValueRef),
    /// The lower half of this one, the upper being zero.
    LowOf(LLVMValueRef),
}

/// The end that is `bound`, if steps from `start` come to it.
unsafe fn end(bound: LLVMValueRef, start: u64, step: u64) -> Option<End> {
    unsafe {
        if let Some(end) = constant(bound) {
            return (end > start && (end - start).is_multiple_of(step)).then_some(End::Constant(end));
        }
        match opcode(bound).filter(|_| start == 0)? {
            LLVMOpcode::LLVMZExt if step == 1 => {
                let half = LLVMGetOperand(bound, 0);
                is_int(LLVMTypeOf(half), 32).then_some(End::Extended(half))
            }
            // A multiple of the step, as loops of several iterations have it.
            LLVMOpcode::LLVMAnd => {
                let mask = LLVMGetOperand(bound, 1);
                let mask = (!LLVMIsAConstantInt(mask).is_null()).then(|| LLVMConstIntGetZExtValue(mask))?;
                let is_multiple = step.is_power_of_two() && mask.is_multiple_of(step);
                (is_multiple && mask <= u64::from(u32::MAX)).then_some(End::LowOf(bound))
            }
            _ => None,
        }
    }
}

unsafe fn constant(value: LLVMValueRef) -> Option<u64> {
    unsafe { (!LLVMIsAConstantInt(value).is_null()).then(|| LLVMConstIntGetZExtValue(value)).filter(|&c| c < MOST) }
}

unsafe fn counter(phi: LLVMValueRef) -> Option<Counter> {
    unsafe {
        if !is_int(LLVMTypeOf(phi), 64) || LLVMCountIncoming(phi) != 2 {
            return None;
        }
        let from_loop = (0..2).find(|&i| opcode(LLVMGetIncomingValue(phi, i)) == Some(LLVMOpcode::LLVMAdd))?;
        let next = LLVMGetIncomingValue(phi, from_loop);
        if LLVMGetOperand(next, 0) != phi {
            return None;
        }
        let start = constant(LLVMGetIncomingValue(phi, 1 - from_loop))?;
        let step = constant(LLVMGetOperand(next, 1)).filter(|&s| s > 0)?;
        let mut of_next = users(next);
        of_next.retain(|&user| user != phi);
        let (&[compare], &[only]) = (&of_next[..], &users(phi)[..]) else { return None };
        let predicates = [LLVMIntPredicate::LLVMIntEQ, LLVMIntPredicate::LLVMIntNE];
        if only != next || opcode(compare) != Some(LLVMOpcode::LLVMICmp) || LLVMGetOperand(compare, 0) != next {
            return None;
        }
        let predicate = LLVMGetICmpPredicate(compare);
        if !predicates.contains(&predicate) {
            return None;
        }
        // The loop goes on only where it has not come to its end.
        let block = LLVMGetIncomingBlock(phi, from_loop);
        let branch = LLVMGetBasicBlockTerminator(block);
        if LLVMIsABranchInst(branch).is_null() || LLVMIsConditional(branch) == 0 || LLVMGetCondition(branch) != compare
        {
            return None;
        }
        let on = if predicate == LLVMIntPredicate::LLVMIntEQ { 1 } else { 0 };
        if LLVMGetSuccessor(branch, on) != LLVMGetInstructionParent(phi) {
            return None;
        }
        let end = end(LLVMGetOperand(compare, 1), start, step)?;
        Some(Counter { phi, next, compare, from_loop, start, step, end })
    }
}

unsafe fn narrow(counter: &Counter) {
    unsafe {
        let context = LLVMGetTypeContext(LLVMTypeOf(counter.phi));
        let half = LLVMInt32TypeInContext(context);
        let number = |n: u64| LLVMConstInt(half, n, 0);
        let builder: LLVMBuilderRef = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderBefore(builder, counter.phi);
        let phi = LLVMBuildPhi(builder, half, c"".as_ptr());
        LLVMPositionBuilderBefore(builder, counter.next);
        let next = LLVMBuildAdd(builder, phi, number(counter.step), c"".as_ptr());
        LLVMPositionBuilderBefore(builder, counter.compare);
        let end = match counter.end {
            End::Constant(end) => number(end),
            End::Extended(value) => value,
            End::LowOf(value) => LLVMBuildTrunc(builder, value, half, c"".as_ptr()),
        };
        let compare = LLVMBuildICmp(builder, LLVMGetICmpPredicate(counter.compare), next, end, c"".as_ptr());
        for from in 0..2 {
            let value = if from == counter.from_loop { next } else { number(counter.start) };
            let (mut values, mut blocks) = ([value], [LLVMGetIncomingBlock(counter.phi, from)]);
            LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), 1);
        }
        LLVMReplaceAllUsesWith(counter.compare, compare);
        LLVMInstructionEraseFromParent(counter.compare);
        // The two of a counter use each other.
        LLVMReplaceAllUsesWith(counter.phi, LLVMGetUndef(LLVMTypeOf(counter.phi)));
        LLVMInstructionEraseFromParent(counter.phi);
        LLVMInstructionEraseFromParent(counter.next);
        LLVMDisposeBuilder(builder);
    }
}
