//! Loops in which less stays in registers, for NVIDIA's processors.
//!
//! What is the same in every iteration is computed in front of a loop, by our passes and by LLVM's.
//! Where it is more than a thread's registers hold, it is spilled: each iteration then reads from
//! memory of each thread what one read for all threads, or a few ops, would give again. Here such
//! values are computed in the loop, where they are needed.
//!
//! Only what is cheap goes back: addresses, comparisons, choices, reads of places that are the same
//! for all threads of a group, and what is one operation on such. It must not know where the module
//! came from.

use crate::flow::{Flow, Inside, base, operands, ops, registers};
use crate::sink::is_movable;
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use rustc_hash::FxHashSet;

/// Registers of 32 bits that values from in front of a loop may fill: half of what a thread has.
const MOST: u32 = 128;

/// Does so for the loops of a module, from the inside out.
pub fn run(module: &Module<'_>) {
    for function in module.get_functions() {
        // SAFETY: a function of a module that is alive, and which nothing else changes meanwhile.
        unsafe {
            if let Some(flow) = Flow::of(function) {
                flow.loops().iter().for_each(|inside| relieve(&flow, inside));
            }
        }
    }
}

unsafe fn users(op: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut found = Vec::new();
    unsafe {
        let mut next = LLVMGetFirstUse(op);
        while !next.is_null() {
            found.push(LLVMGetUser(next));
            next = LLVMGetNextUse(next);
        }
    }
    found
}

/// Functions of LLVM that are an instruction each.
const INSTRUCTIONS: [&str; 5] = ["llvm.smin", "llvm.smax", "llvm.umin", "llvm.umax", "llvm.usub.sat"];
/// Which group a thread is of.
const GROUP: [&str; 3] =
    ["llvm.nvvm.read.ptx.sreg.ctaid.x", "llvm.nvvm.read.ptx.sreg.ctaid.y", "llvm.nvvm.read.ptx.sreg.ctaid.z"];

/// Whether an op calls one of these functions.
unsafe fn calls(op: LLVMValueRef, names: &[&str]) -> bool {
    unsafe {
        if LLVMGetInstructionOpcode(op) != LLVMOpcode::LLVMCall {
            return false;
        }
        let callee = LLVMGetCalledValue(op);
        let is = |name: &&str| LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len()) == LLVMGetIntrinsicID(callee);
        !LLVMIsAFunction(callee).is_null() && names.iter().any(is)
    }
}

/// Whether an op is computed in less time than a spilled register is read.
unsafe fn is_cheap(op: LLVMValueRef) -> bool {
    use LLVMOpcode::*;
    let cheap = [
        LLVMAdd,
        LLVMSub,
        LLVMMul,
        LLVMShl,
        LLVMLShr,
        LLVMAShr,
        LLVMAnd,
        LLVMOr,
        LLVMXor,
        LLVMTrunc,
        LLVMZExt,
        LLVMSExt,
        LLVMICmp,
        LLVMSelect,
        LLVMGetElementPtr,
        LLVMBitCast,
    ];
    unsafe { cheap.contains(&LLVMGetInstructionOpcode(op)) || calls(op, &INSTRUCTIONS) }
}

/// Whether an op is a sum or a product of numbers that were read.
unsafe fn is_of_reads(op: LLVMValueRef) -> bool {
    use LLVMOpcode::*;
    unsafe {
        let is_read = |v: LLVMValueRef| {
            LLVMIsAInstruction(v).is_null() || [LLVMLoad, LLVMSelect].contains(&LLVMGetInstructionOpcode(v))
        };
        [LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFNeg].contains(&LLVMGetInstructionOpcode(op)) && operands(op).all(is_read)
    }
}

/// Whether a value is the same for all threads of a group.
unsafe fn is_uniform(value: LLVMValueRef, depth: u32) -> bool {
    unsafe {
        let is_op = !LLVMIsAInstruction(value).is_null();
        let computed = || {
            let is_read = LLVMGetInstructionOpcode(value) == LLVMOpcode::LLVMLoad;
            calls(value, &GROUP) || (is_read || is_cheap(value)) && operands(value).all(|v| is_uniform(v, depth + 1))
        };
        !is_op || depth < 16 && computed()
    }
}

/// The parameters of a kernel whose memory no thread writes while it runs, if that is known of all
/// that is written.
unsafe fn only_read(flow: &Flow) -> FxHashSet<LLVMValueRef> {
    use LLVMOpcode::*;
    unsafe {
        let function = LLVMGetBasicBlockParent(flow.blocks[0]);
        let kind = LLVMGetEnumAttributeKindForName(c"noalias".as_ptr(), 7);
        let is_apart = |i: &u32| !LLVMGetEnumAttributeAtIndex(function, i + 1, kind).is_null();
        let apart = (0..LLVMCountParams(function)).filter(is_apart);
        let mut found: FxHashSet<LLVMValueRef> = apart.map(|i| LLVMGetParam(function, i)).collect();
        for op in flow.blocks.iter().flat_map(|&b| ops(b)) {
            let written = match LLVMGetInstructionOpcode(op) {
                LLVMStore => LLVMGetOperand(op, 1),
                LLVMAtomicRMW | LLVMAtomicCmpXchg => LLVMGetOperand(op, 0),
                LLVMCall if !is_movable(op) => return FxHashSet::default(),
                _ => continue,
            };
            let of = base(written);
            let is_known = !LLVMIsAArgument(of).is_null()
                || !LLVMIsAAllocaInst(of).is_null()
                || !LLVMIsAGlobalVariable(of).is_null();
            if !is_known {
                return FxHashSet::default();
            }
            found.remove(&of);
        }
        found
    }
}

/// Whether a read gives the same whenever it happens, to all threads of a group.
unsafe fn is_the_same(op: LLVMValueRef, only_read: &FxHashSet<LLVMValueRef>) -> bool {
    unsafe {
        if LLVMGetInstructionOpcode(op) != LLVMOpcode::LLVMLoad || LLVMGetVolatile(op) != 0 {
            return false;
        }
        let address = LLVMGetOperand(op, 0);
        let kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(op)), c"invariant.load".as_ptr(), 14);
        let is_fixed = !LLVMGetMetadata(op, kind).is_null() || only_read.contains(&base(address));
        is_fixed && is_uniform(address, 0)
    }
}

/// Computes in a loop what would fill too many registers in front of it.
unsafe fn relieve(flow: &Flow, inside: &Inside) {
    unsafe {
        let is_inside = |op: LLVMValueRef| flow.block_of(op).is_some_and(|b| inside.blocks.contains(&b));
        let is_outer = |&v: &LLVMValueRef| !LLVMIsAInstruction(v).is_null() && !is_inside(v);
        let all = || inside.blocks.iter().flat_map(|&b| ops(flow.blocks[b]));
        let held: FxHashSet<LLVMValueRef> = all().flat_map(|op| operands(op)).filter(|v| is_outer(v)).collect();
        let filled = |values: &mut dyn Iterator<Item = LLVMValueRef>| values.map(|v| registers(v)).sum::<u32>();
        if filled(&mut held.iter().copied()) <= MOST {
            return;
        }
        let only_read = only_read(flow);
        // The last ones first: what reads an op is known before the op.
        let (mut moved, mut order) = (FxHashSet::default(), Vec::new());
        for block in (0..=inside.first).rev().filter(|b| !inside.blocks.contains(b)) {
            for op in ops(flow.blocks[block]).rev() {
                let by = users(op);
                let in_place = |u: &LLVMValueRef| LLVMIsAPHINode(*u).is_null() && (moved.contains(u) || is_inside(*u));
                if !by.is_empty()
                    && by.iter().all(in_place)
                    && (is_cheap(op) || is_of_reads(op) || is_the_same(op, &only_read))
                {
                    moved.insert(op);
                    order.push(op);
                }
            }
        }
        let needed: FxHashSet<LLVMValueRef> = order.iter().flat_map(|&op| operands(op)).collect();
        let new = |v: &&LLVMValueRef| is_outer(v) && !moved.contains(*v) && !held.contains(*v);
        let gained = filled(&mut order.iter().copied().filter(|op| held.contains(op)));
        if gained <= filled(&mut needed.iter().filter(new).copied()) {
            return;
        }
        order.into_iter().for_each(|op| place(flow, op));
    }
}

/// Moves an op to where it is first read.
unsafe fn place(flow: &Flow, op: LLVMValueRef) {
    unsafe {
        let by = users(op);
        let Some(block) = by.iter().filter_map(|&u| flow.block_of(u)).reduce(|a, b| flow.common(a, b)) else { return };
        let block = flow.blocks[block];
        let at = ops(block).find(|o| by.contains(o)).unwrap_or(LLVMGetBasicBlockTerminator(block));
        let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(op)));
        LLVMInstructionRemoveFromParent(op);
        LLVMPositionBuilderBefore(builder, at);
        LLVMInsertIntoBuilder(builder, op);
        LLVMDisposeBuilder(builder);
    }
}
