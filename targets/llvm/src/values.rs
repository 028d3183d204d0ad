//! What passes over LLVM's values ask again and again, for those that change operands in place.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMUseRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use inkwell::module::Module;
use inkwell::values::{AsValueRef, InstructionOpcode};

/// The instructions of a module with this opcode. They may be changed while they are gone through.
pub fn all(module: &Module<'_>, opcode: InstructionOpcode) -> Vec<LLVMValueRef> {
    let blocks = module.get_functions().flat_map(|f| f.get_basic_blocks());
    blocks
        .flat_map(|b| b.get_instructions())
        .filter(|op| op.get_opcode() == opcode)
        .map(|op| op.as_value_ref())
        .collect()
}

/// The opcode of a value that is an instruction.
pub unsafe fn opcode(value: LLVMValueRef) -> Option<LLVMOpcode> {
    unsafe { (!LLVMIsAInstruction(value).is_null()).then(|| LLVMGetInstructionOpcode(value)) }
}

pub unsafe fn is_int(ty: LLVMTypeRef, bits: u32) -> bool {
    unsafe { LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMIntegerTypeKind && LLVMGetIntTypeWidth(ty) == bits }
}

/// Who reads a value, once for each operand.
pub unsafe fn users(value: LLVMValueRef) -> Vec<LLVMValueRef> {
    unsafe {
        let some = |u: LLVMUseRef| (!u.is_null()).then_some(u);
        std::iter::successors(some(LLVMGetFirstUse(value)), |&u| some(LLVMGetNextUse(u)))
            .map(|u| LLVMGetUser(u))
            .collect()
    }
}
