//! How many registers a thread may take, for NVIDIA's processors.
//!
//! Their assembler keeps to as many as let all threads of a multiprocessor run at once, which hides
//! the time that memory takes. A thread whose loops compute, or work on an array of its own, waits
//! for its own results instead: with more registers it does several things at a time. Such a kernel
//! says how many groups have to fit, and the assembler takes what it has use for. Where loops read
//! memory of the device, more registers take longer: fewer threads wait side by side.
//!
//! Looks at optimized code, in which loops that will be straight-line code are.

use crate::flow::{Flow, Inside, base, ops};
use crate::sink::is_movable;
use inkwell::context::Context;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use inkwell::module::Module;
use inkwell::values::FunctionValue;

/// Operations on floats of a loop that are worth a look.
const FEWEST: usize = 24;
/// Registers that leave room for three quarters of the threads; a kernel with no more values than
/// that at once keeps to them. One with many more is given all that it has use for.
const SMALL: u32 = 48;
const LARGE: u32 = 64;
/// Registers of a multiprocessor, and groups that every one can hold.
const REGISTERS: u32 = 1 << 16;
const MOST_GROUPS: u32 = 16;

/// Tells the assembler for the kernel `name`, which runs in groups of so many threads.
pub fn run<'c>(context: &'c Context, module: &Module<'c>, name: &str, numthreads: [u32; 3]) {
    let Some(kernel) = module.get_function(name) else { return };
    let [x, y, z] = numthreads;
    let threads = (x * y * z).next_multiple_of(32).max(32);
    // SAFETY: a function of a module that is alive, and which nothing else changes meanwhile.
    let groups = match unsafe { wanted(kernel) } {
        Some(Wanted::Some) => (REGISTERS / (threads * SMALL)).clamp(1, MOST_GROUPS),
        Some(Wanted::All) => 1,
        None => return,
    };
    for (key, value) in [("reqntidx", x), ("reqntidy", y), ("reqntidz", z), ("minctasm", groups)] {
        let number = context.i32_type().const_int(u64::from(value), false);
        let of = kernel.as_global_value().as_pointer_value();
        let node = context.metadata_node(&[of.into(), context.metadata_string(key).into(), number.into()]);
        // The name has no zero byte.
        let _ = module.add_global_metadata("nvvm.annotations", &node);
    }
}

/// Registers that a kernel has use for.
enum Wanted {
    /// A few more than the assembler would take.
    Some,
    All,
}

unsafe fn wanted(kernel: FunctionValue<'_>) -> Option<Wanted> {
    unsafe {
        let flow = Flow::of(kernel)?;
        let has_arrays =
            flow.blocks.iter().any(|&b| ops(b).any(|op| LLVMGetInstructionOpcode(op) == LLVMOpcode::LLVMAlloca));
        let loops = flow.loops();
        let holds = |l: &Inside, other: &Inside| l.first != other.first && l.blocks.contains(&other.first);
        let innermost = loops.iter().filter(|l| !loops.iter().any(|other| holds(l, other)));
        let mut busy = innermost.filter(|l| floats(&flow, l) >= FEWEST).peekable();
        let computes = has_arrays || busy.peek().is_some() && busy.all(|l| !accesses_device(&flow, l));
        if !computes {
            return None;
        }
        match flow.most_alive() {
            alive if alive >= LARGE => Some(Wanted::All),
            alive if alive <= SMALL && !has_arrays => Some(Wanted::Some),
            _ => None,
        }
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
            LLVMLoad => !of_group(LLVMGetOperand(op, 0)) && !is_given(LLVMGetOperand(op, 0)),
            LLVMAtomicRMW | LLVMAtomicCmpXchg => !of_group(LLVMGetOperand(op, 0)),
            LLVMStore => !of_group(LLVMGetOperand(op, 1)),
            LLVMCall => !is_movable(op) && !is_instruction(op) && !waits_for_group(op),
            _ => false,
        })
    }
}

/// Whether a call is an instruction that computes, written as such.
unsafe fn is_instruction(op: LLVMValueRef) -> bool {
    unsafe {
        let callee = LLVMGetCalledValue(op);
        !LLVMIsAInlineAsm(callee).is_null() && LLVMGetInlineAsmHasSideEffects(callee) == 0
    }
}

/// Whether an address leads into what the kernel is given by value, which has a cache of its own.
unsafe fn is_given(address: LLVMValueRef) -> bool {
    unsafe {
        let base = base(address);
        // Buffers are addresses in the device's memory.
        !LLVMIsAArgument(base).is_null() && LLVMGetPointerAddressSpace(LLVMTypeOf(base)) != DEVICE
    }
}

/// The address space of the device's memory.
const DEVICE: u32 = 1;
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
