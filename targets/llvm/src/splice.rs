//! A function's code at the end of another's, where a call of it would stand: what inlining would
//! copy, and then delete, is moved.
//!
//! It is for a function that has but this one caller and whose result nobody reads. What is moved
//! says no source lines: those name the function that they are of.

use crate::ir::{Function, Ir, Value};
use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::*;

/// Ends `into`, whose last block has no end yet, with the code of `body` for these arguments. What
/// is left of `body` is a declaration.
pub fn end_with(ir: &Ir, into: Function, body: Function, args: &[Value]) {
    let (into, body) = (into.value.0, body.value.0);
    // SAFETY: two functions of one module, with blocks both, and values of the parameters' types
    // that are known where `into` ends. Blocks and instructions are taken from a list before the
    // next one is asked for.
    unsafe {
        for (k, arg) in args.iter().enumerate() {
            LLVMReplaceAllUsesWith(LLVMGetParam(body, k as u32), arg.0);
        }
        let builder = LLVMCreateBuilderInContext(ir.context);
        let first = LLVMGetEntryBasicBlock(body);
        LLVMPositionBuilderAtEnd(builder, LLVMGetLastBasicBlock(into));
        LLVMBuildBr(builder, first);
        // Places in the frame are found where a function begins.
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(into)));
        let mut op = LLVMGetFirstInstruction(first);
        while !op.is_null() {
            let next = LLVMGetNextInstruction(op);
            if !LLVMIsAAllocaInst(op).is_null() {
                LLVMInstructionRemoveFromParent(op);
                LLVMInsertIntoBuilder(builder, op);
            }
            op = next;
        }
        loop {
            let block = LLVMGetFirstBasicBlock(body);
            if block.is_null() {
                break;
            }
            LLVMMoveBasicBlockAfter(block, LLVMGetLastBasicBlock(into));
            let end = LLVMGetBasicBlockTerminator(block);
            if !LLVMIsAReturnInst(end).is_null() {
                LLVMInstructionEraseFromParent(end);
                LLVMPositionBuilderAtEnd(builder, block);
                LLVMBuildRetVoid(builder);
            }
        }
        LLVMSetLinkage(body, LLVMLinkage::LLVMExternalLinkage);
        LLVMDisposeBuilder(builder);
    }
}
