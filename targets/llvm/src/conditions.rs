//! Several conditions are taken together, for NVIDIA's processors: choices under two conditions
//! stay one choice, and a bound is compared with each of several indices.
//!
//! Their comparisons take another condition along for nothing, and a choice costs an instruction.
//! LLVM's code generator believes the reverse, and makes two choices of one under `a or b`. It does
//! not look into text of the assembler.

use crate::values::{self, is_int, opcode, users};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMInlineAsmDialect, LLVMIntPredicate, LLVMOpcode};
use inkwell::module::Module;
use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashMap;
use std::ffi::CStr;

/// Marks the conditions of a module's choices.
pub fn keep_whole(module: &Module<'_>) {
    // By the condition and the block, whose choices come in order.
    let mut made: FxHashMap<(LLVMValueRef, LLVMBasicBlockRef), LLVMValueRef> = FxHashMap::default();
    for choice in values::all(module, InstructionOpcode::Select) {
        // SAFETY: an instruction of a module that is alive, and which nothing else changes
        // meanwhile; what is put in front of it reads what it reads.
        unsafe {
            let condition = LLVMGetOperand(choice, 0);
            let is_joined = matches!(opcode(condition), Some(LLVMOpcode::LLVMOr | LLVMOpcode::LLVMAnd))
                && is_int(LLVMTypeOf(condition), 1);
            // A choice among conditions is and, or itself.
            let is_number = LLVMTypeOf(choice) != LLVMTypeOf(condition);
            if is_joined && is_number {
                let place = (condition, LLVMGetInstructionParent(choice));
                if let Some(&known) = made.get(&place) {
                    LLVMSetOperand(choice, 0, known);
                    continue;
                }
                let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(choice)));
                LLVMPositionBuilderBefore(builder, choice);
                let parts = [0, 1].map(|i| LLVMGetOperand(condition, i));
                let both = opcode(condition) == Some(LLVMOpcode::LLVMAnd);
                let text = if both { c"and.pred $0, $1, $2;" } else { c"or.pred $0, $1, $2;" };
                let whole = assemble(builder, text, c"=b,b,b", &parts, LLVMTypeOf(condition));
                made.insert(place, whole);
                LLVMSetOperand(choice, 0, whole);
                LLVMDisposeBuilder(builder);
            }
        }
    }
}

/// Compares each of several indices with a bound.
///
/// LLVM's code generator would compare the largest of them. That of two words takes four
/// instructions, a comparison that takes another condition along two.
pub fn compare_each(module: &Module<'_>) {
    for root in values::all(module, InstructionOpcode::And) {
        // SAFETY: as above.
        unsafe {
            if is_int(LLVMTypeOf(root), 1) && !is_part(root) {
                let mut conditions = Vec::new();
                leaves(root, root, &mut conditions);
                rebuild(root, &conditions);
            }
        }
    }
}

unsafe fn only_user(value: LLVMValueRef) -> Option<LLVMValueRef> {
    unsafe { <[LLVMValueRef; 1]>::try_from(users(value)).ok().map(|[user]| user) }
}

/// Whether another conjunction takes this one, alone, into itself.
unsafe fn is_part(op: LLVMValueRef) -> bool {
    unsafe { only_user(op).is_some_and(|user| opcode(user) == Some(LLVMOpcode::LLVMAnd)) }
}

unsafe fn leaves(value: LLVMValueRef, root: LLVMValueRef, found: &mut Vec<LLVMValueRef>) {
    unsafe {
        if opcode(value) == Some(LLVMOpcode::LLVMAnd) && (value == root || is_part(value)) {
            (0..2).for_each(|i| leaves(LLVMGetOperand(value, i), root, found));
        } else {
            found.push(value);
        }
    }
}

/// An index and the bound that it is to be below, both words, of a comparison that is a condition
/// once.
unsafe fn bounded(condition: LLVMValueRef) -> Option<[LLVMValueRef; 2]> {
    unsafe {
        if opcode(condition) != Some(LLVMOpcode::LLVMICmp) || only_user(condition).is_none() {
            return None;
        }
        let operands = [0, 1].map(|i| LLVMGetOperand(condition, i));
        if !is_int(LLVMTypeOf(operands[0]), 64) {
            return None;
        }
        match LLVMGetICmpPredicate(condition) {
            LLVMIntPredicate::LLVMIntULT => Some(operands),
            LLVMIntPredicate::LLVMIntUGT => Some([operands[1], operands[0]]),
            _ => None,
        }
    }
}

unsafe fn rebuild(root: LLVMValueRef, conditions: &[LLVMValueRef]) {
    unsafe {
        let bounds: Vec<_> = conditions.iter().map(|&c| bounded(c)).collect();
        let shared = |bound| bounds.iter().flatten().filter(|[_, other]| *other == bound).count() > 1;
        if !bounds.iter().flatten().any(|&[_, bound]| shared(bound)) {
            return;
        }
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(root)));
        let mut all: Option<LLVMValueRef> = None;
        let mut lower: Vec<(LLVMValueRef, u64, LLVMValueRef)> = Vec::new();
        for (&condition, bounded) in conditions.iter().zip(&bounds) {
            let bounded = bounded.filter(|&[_, bound]| shared(bound)).map(|[index, bound]| {
                let (index, offset) = without_offset(index);
                let known = lower.iter().find(|(of, by, _)| (*of, *by) == (bound, offset)).map(|l| l.2);
                [
                    index,
                    known.unwrap_or_else(|| {
                        let less = less_by(builder, bound, offset, root);
                        lower.push((bound, offset, less));
                        less
                    }),
                ]
            });
            LLVMPositionBuilderBefore(builder, root);
            all = Some(match (all, bounded) {
                (None, Some([index, bound])) => {
                    LLVMBuildICmp(builder, LLVMIntPredicate::LLVMIntULT, index, bound, c"".as_ptr())
                }
                (None, None) => condition,
                (Some(others), Some([index, bound])) => also_less(builder, index, bound, others),
                (Some(others), None) => LLVMBuildAnd(builder, others, condition, c"".as_ptr()),
            });
        }
        if let Some(all) = all {
            LLVMReplaceAllUsesWith(root, all);
        }
        LLVMDisposeBuilder(builder);
    }
}

/// Whether `index < bound` and `others`.
unsafe fn also_less(
    builder: LLVMBuilderRef,
    index: LLVMValueRef,
    bound: LLVMValueRef,
    others: LLVMValueRef,
) -> LLVMValueRef {
    unsafe {
        let text = c"setp.lt.and.u64 $0, $1, $2, $3;";
        assemble(builder, text, c"=b,l,l,b", &[index, bound, others], LLVMTypeOf(others))
    }
}

/// An instruction of the assembler.
unsafe fn assemble(
    builder: LLVMBuilderRef,
    text: &CStr,
    constraints: &CStr,
    operands: &[LLVMValueRef],
    ty: LLVMTypeRef,
) -> LLVMValueRef {
    unsafe {
        let mut types: Vec<LLVMTypeRef> = operands.iter().map(|&v| LLVMTypeOf(v)).collect();
        let (mut operands, count) = (operands.to_vec(), operands.len() as u32);
        let ty = LLVMFunctionType(ty, types.as_mut_ptr(), count, 0);
        let (length, rest) = (text.count_bytes(), constraints.count_bytes());
        let dialect = LLVMInlineAsmDialect::LLVMInlineAsmDialectATT;
        let code = LLVMGetInlineAsm(ty, text.as_ptr(), length, constraints.as_ptr(), rest, 0, 0, dialect, 0);
        LLVMBuildCall2(builder, ty, code, operands.as_mut_ptr(), count, c"".as_ptr())
    }
}

/// A sum that does not wrap around, as what it is of and a constant.
unsafe fn without_offset(value: LLVMValueRef) -> (LLVMValueRef, u64) {
    unsafe {
        let is_sum = opcode(value) == Some(LLVMOpcode::LLVMAdd)
            && LLVMGetNUW(value) != 0
            && !LLVMIsAConstantInt(LLVMGetOperand(value, 1)).is_null();
        if is_sum { (LLVMGetOperand(value, 0), LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1))) } else { (value, 0) }
    }
}

/// `bound - offset`, or zero, where the bound is computed: there may be a loop around `reader`.
unsafe fn less_by(builder: LLVMBuilderRef, bound: LLVMValueRef, offset: u64, reader: LLVMValueRef) -> LLVMValueRef {
    unsafe {
        if offset == 0 {
            return bound;
        }
        let is_op = opcode(bound).is_some_and(|op| op != LLVMOpcode::LLVMPHI);
        let next = if is_op { LLVMGetNextInstruction(bound) } else { reader };
        LLVMPositionBuilderBefore(builder, if next.is_null() { reader } else { next });
        let ty = LLVMTypeOf(bound);
        let offset = LLVMConstInt(ty, offset, 0);
        let less = LLVMBuildSub(builder, bound, offset, c"".as_ptr());
        let fits = LLVMBuildICmp(builder, LLVMIntPredicate::LLVMIntUGT, bound, offset, c"".as_ptr());
        LLVMBuildSelect(builder, fits, less, LLVMConstInt(ty, 0, 0), c"".as_ptr())
    }
}
