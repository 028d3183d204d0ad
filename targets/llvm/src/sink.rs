//! What only one way behind a branch needs is computed there, for NVIDIA's processors.
//!
//! LLVM does this too, but as far down as it can: what is read only where a kernel stores its
//! result, behind the last check, all goes there, and each number on the way keeps a register until
//! then. It is told not to (`optimize.rs`). Here an op moves behind one branch at a time, and not
//! away from far above, unless that way is rarely taken.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMAttributeFunctionIndex, LLVMOpcode};
use inkwell::module::Module;

/// Ops between an op and the branch behind which it is needed.
const NEAR: usize = 64;

/// Moves ops of a module behind branches.
pub fn run(module: &Module<'_>) {
    let blocks = module.get_functions().flat_map(|f| f.get_basic_blocks());
    // What moved goes further where its new block branches.
    for block in blocks.collect::<Vec<_>>() {
        // SAFETY: a block of a module that is alive, and which nothing else changes meanwhile.
        unsafe { sink(block.as_mut_ptr()) }
    }
}

/// The blocks behind a conditional branch that are reached in no other way.
unsafe fn ways(end: LLVMValueRef) -> Vec<LLVMBasicBlockRef> {
    unsafe {
        if LLVMIsABranchInst(end).is_null() || LLVMIsConditional(end) == 0 {
            return Vec::new();
        }
        let only = |&way: &LLVMBasicBlockRef| {
            let uses = LLVMGetFirstUse(LLVMBasicBlockAsValue(way));
            !uses.is_null() && LLVMGetUser(uses) == end && LLVMGetNextUse(uses).is_null()
        };
        [0, 1].into_iter().map(|i| LLVMGetSuccessor(end, i)).filter(only).collect()
    }
}

unsafe fn sink(block: LLVMBasicBlockRef) {
    unsafe {
        let end = LLVMGetBasicBlockTerminator(block);
        let ways = ways(end);
        if ways.is_empty() {
            return;
        }
        let kind = c"prof";
        let context = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(block)));
        let is_weighted = !LLVMGetMetadata(end, LLVMGetMDKindIDInContext(context, kind.as_ptr(), 4)).is_null();
        let builder = LLVMCreateBuilderInContext(context);
        let mut distance = 0;
        let mut op = LLVMGetPreviousInstruction(end);
        while !op.is_null() && (distance <= NEAR || is_weighted) {
            let above = LLVMGetPreviousInstruction(op);
            distance += 1;
            if let Some(way) = is_movable(op).then(|| only_reader(op)).flatten().filter(|way| ways.contains(way)) {
                let mut at = LLVMGetFirstInstruction(way);
                while !LLVMIsAPHINode(at).is_null() {
                    at = LLVMGetNextInstruction(at);
                }
                LLVMInstructionRemoveFromParent(op);
                LLVMPositionBuilderBefore(builder, at);
                LLVMInsertIntoBuilder(builder, op);
            }
            op = above;
        }
        LLVMDisposeBuilder(builder);
    }
}

/// The block that holds all that reads an op, if it is one.
unsafe fn only_reader(op: LLVMValueRef) -> Option<LLVMBasicBlockRef> {
    unsafe {
        let mut found = None;
        let mut next = LLVMGetFirstUse(op);
        while !next.is_null() {
            let user = LLVMGetUser(next);
            // A phi reads where control comes from.
            if !LLVMIsAPHINode(user).is_null() {
                return None;
            }
            let block = LLVMGetInstructionParent(user);
            if *found.get_or_insert(block) != block {
                return None;
            }
            next = LLVMGetNextUse(next);
        }
        found
    }
}

/// Whether an op computes and does nothing else.
pub unsafe fn is_movable(op: LLVMValueRef) -> bool {
    use LLVMOpcode::*;
    unsafe {
        match LLVMGetInstructionOpcode(op) {
            LLVMCall => {
                let callee = LLVMGetCalledValue(op);
                let has = |name: &std::ffi::CStr| {
                    let kind = LLVMGetEnumAttributeKindForName(name.as_ptr(), name.count_bytes());
                    let found = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
                    (!found.is_null()).then(|| LLVMGetEnumAttributeValue(found))
                };
                !LLVMIsAFunction(callee).is_null()
                    && LLVMGetIntrinsicID(callee) != 0
                    && has(c"memory") == Some(0)
                    && has(c"convergent").is_none()
            }
            LLVMFNeg | LLVMAdd | LLVMFAdd | LLVMSub | LLVMFSub | LLVMMul | LLVMFMul | LLVMShl | LLVMLShr | LLVMAShr
            | LLVMAnd | LLVMOr | LLVMXor | LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP
            | LLVMSIToFP | LLVMFPTrunc | LLVMFPExt | LLVMBitCast | LLVMICmp | LLVMFCmp | LLVMSelect
            | LLVMGetElementPtr | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector | LLVMExtractValue
            | LLVMInsertValue => true,
            _ => false,
        }
    }
}
