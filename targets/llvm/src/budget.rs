//! How many registers a thread may take, for NVIDIA's processors.
//!
//! Their assembler keeps to as many as let all threads of a multiprocessor run at once, which hides
//! the time that memory takes. A thread that computes in its loops, or that works on an array of its
//! own, waits for its own results instead: more registers let it do several things at a time. Such a
//! kernel says that one group has to fit, and the assembler takes what it has use for. Where loops
//! read memory of the device, more registers take longer: fewer threads wait side by side.
//!
//! Looks at optimized code, in which loops that will be straight-line code are.

use crate::flow::{Flow, Inside, ops};
use crate::sink::is_movable;
use inkwell::context::Context;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use inkwell::module::Module;
use inkwell::values::FunctionValue;

/// Operations on floats of a loop that computes, and how many times those of the loops that read.
const FEWEST: usize = 8;
const TIMES: usize = 4;

/// Tells the assembler for the kernel `name`, which runs in groups of so many threads.
pub fn run<'c>(context: &'c Context, module: &Module<'c>, name: &str, numthreads: [u32; 3]) {
    let Some(kernel) = module.get_function(name) else { return };
    // SAFETY: a function of a module that is alive, and which nothing else changes meanwhile.
    if !unsafe { computes(kernel) } {
        return;
    }
    let [x, y, z] = numthreads;
    for (key, value) in [("reqntidx", x), ("reqntidy", y), ("reqntidz", z), ("minctasm", 1)] {
        let number = context.i32_type().const_int(u64::from(value), false);
        let of = kernel.as_global_value().as_pointer_value();
        let node = context.metadata_node(&[of.into(), context.metadata_string(key).into(), number.into()]);
        // The name has no zero byte.
        let _ = module.add_global_metadata("nvvm.annotations", &node);
    }
}

/// Whether threads of a kernel wait for what they compute rather than for memory of the device.
unsafe fn computes(kernel: FunctionValue<'_>) -> bool {
    unsafe {
        let Some(flow) = Flow::of(kernel) else { return false };
        if flow.blocks.iter().any(|&b| ops(b).any(|op| LLVMGetInstructionOpcode(op) == LLVMOpcode::LLVMAlloca)) {
            return true;
        }
        let loops = flow.loops();
        let innermost = loops.iter().filter(|l| !loops.iter().any(|i| i.first != l.first && l.blocks.contains(&i.first)));
        let (mut computed, mut read) = (0, 0);
        for inside in innermost {
            match accesses_device(&flow, inside) {
                true => read += floats(&flow, inside),
                false => computed += floats(&flow, inside),
            }
        }
        computed >= FEWEST && computed >= TIMES * read
    }
}

unsafe fn all_ops<'f>(flow: &'f Flow, inside: &'f Inside) -> impl Iterator<Item = LLVMValueRef> + 'f {
    inside.blocks.iter().flat_map(|&b| unsafe { ops(flow.blocks[b]) })
}

/// How many operations on floats a loop has.
unsafe fn floats(flow: &Flow, inside: &Inside) -> usize {
    unsafe { all_ops(flow, inside).filter(|&op| is_float(op)).count() }
}

unsafe fn is_float(op: LLVMValueRef) -> bool {
    use LLVMOpcode::*;
    unsafe {
        match LLVMGetInstructionOpcode(op) {
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => true,
            LLVMCall => LLVMGetTypeKind(LLVMTypeOf(op)) == LLVMTypeKind::LLVMFloatTypeKind,
            _ => false,
        }
    }
}

/// Whether a loop may access memory that the group does not have for itself, or anything unknown.
unsafe fn accesses_device(flow: &Flow, inside: &Inside) -> bool {
    use LLVMOpcode::*;
    let of_group = |pointer: LLVMValueRef| unsafe { LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == GROUP };
    unsafe {
        all_ops(flow, inside).any(|op| match LLVMGetInstructionOpcode(op) {
            LLVMLoad | LLVMAtomicRMW | LLVMAtomicCmpXchg => !of_group(LLVMGetOperand(op, 0)),
            LLVMStore => !of_group(LLVMGetOperand(op, 1)),
            LLVMCall => !is_movable(op) && !waits_for_group(op),
            _ => false,
        })
    }
}

/// The address space of a group's memory.
const GROUP: u32 = 3;

/// What threads of a group say to each other by.
const WAITING: [&str; 6] =
    ["llvm.nvvm.barrier", "llvm.nvvm.bar.", "llvm.nvvm.shfl", "llvm.nvvm.vote", "llvm.nvvm.redux", "llvm.assume"];

unsafe fn waits_for_group(op: LLVMValueRef) -> bool {
    unsafe {
        let callee = LLVMGetCalledValue(op);
        let mut length = 0;
        let name = LLVMGetValueName2(callee, &mut length);
        let name = std::slice::from_raw_parts(name.cast::<u8>(), length);
        WAITING.iter().any(|w| name.starts_with(w.as_bytes()))
    }
}
