//! The loops of a function as LLVM has it, and what is alive in it, for passes of this crate: its
//! interface for C does not tell. Loops are natural ones, by dominators.

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use inkwell::values::FunctionValue;
use rustc_hash::{FxHashMap, FxHashSet};

/// The blocks of a function in an order in which each comes behind those that dominate it.
pub struct Flow {
    pub blocks: Vec<LLVMBasicBlockRef>,
    index: FxHashMap<LLVMBasicBlockRef, usize>,
    before: Vec<Vec<usize>>,
    /// The next block that dominates each; of the first itself.
    dominator: Vec<usize>,
}

/// A loop: the block that it begins with, and all of its blocks.
pub struct Inside {
    pub first: usize,
    pub blocks: FxHashSet<usize>,
}

pub unsafe fn behind(block: LLVMBasicBlockRef) -> Vec<LLVMBasicBlockRef> {
    unsafe {
        let end = LLVMGetBasicBlockTerminator(block);
        (0..LLVMGetNumSuccessors(end)).map(|i| LLVMGetSuccessor(end, i)).collect()
    }
}

/// The instructions of a block.
pub unsafe fn ops(block: LLVMBasicBlockRef) -> impl DoubleEndedIterator<Item = LLVMValueRef> {
    let mut found = Vec::new();
    unsafe {
        let mut op = LLVMGetFirstInstruction(block);
        while !op.is_null() {
            found.push(op);
            op = LLVMGetNextInstruction(op);
        }
    }
    found.into_iter()
}

pub unsafe fn operands(op: LLVMValueRef) -> impl Iterator<Item = LLVMValueRef> {
    unsafe { (0..LLVMGetNumOperands(op) as u32).map(move |i| LLVMGetOperand(op, i)) }
}

/// How many registers a value fills.
pub unsafe fn registers(op: LLVMValueRef) -> u32 {
    unsafe fn of(ty: LLVMTypeRef) -> u32 {
        unsafe {
            match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMPointerTypeKind | LLVMTypeKind::LLVMDoubleTypeKind => 2,
                LLVMTypeKind::LLVMIntegerTypeKind => LLVMGetIntTypeWidth(ty).div_ceil(32),
                LLVMTypeKind::LLVMVectorTypeKind => LLVMGetVectorSize(ty) * of(LLVMGetElementType(ty)),
                _ => 1,
            }
        }
    }
    unsafe { of(LLVMTypeOf(op)) }
}

/// What an address is counted from.
pub unsafe fn base(mut address: LLVMValueRef) -> LLVMValueRef {
    use LLVMOpcode::*;
    unsafe {
        while !LLVMIsAInstruction(address).is_null()
            && [LLVMGetElementPtr, LLVMBitCast, LLVMAddrSpaceCast].contains(&LLVMGetInstructionOpcode(address))
        {
            address = LLVMGetOperand(address, 0);
        }
        address
    }
}

impl Flow {
    pub unsafe fn of(function: FunctionValue<'_>) -> Option<Flow> {
        unsafe {
            let entry = function.get_first_basic_block()?.as_mut_ptr();
            let (mut order, mut seen) = (Vec::new(), FxHashSet::from_iter([entry]));
            let mut open = vec![(entry, behind(entry))];
            while let Some((block, ways)) = open.last_mut() {
                match ways.pop() {
                    Some(way) if seen.insert(way) => open.push((way, behind(way))),
                    Some(_) => {}
                    None => {
                        order.push(*block);
                        open.pop();
                    }
                }
            }
            order.reverse();
            let index: FxHashMap<_, _> = order.iter().enumerate().map(|(i, &b)| (b, i)).collect();
            let mut before = vec![Vec::new(); order.len()];
            for (i, &block) in order.iter().enumerate() {
                behind(block).iter().for_each(|way| before[index[way]].push(i));
            }
            let mut flow = Flow { dominator: vec![usize::MAX; order.len()], blocks: order, index, before };
            flow.dominate();
            Some(flow)
        }
    }

    /// Finds the dominators (Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm").
    fn dominate(&mut self) {
        self.dominator[0] = 0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for i in 1..self.blocks.len() {
                let known = self.before[i].iter().copied().filter(|&b| self.dominator[b] != usize::MAX);
                let Some(found) = known.reduce(|a, b| self.common(a, b)) else { continue };
                changed |= std::mem::replace(&mut self.dominator[i], found) != found;
            }
        }
    }

    /// The nearest block that dominates both.
    pub fn common(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            if a > b {
                a = self.dominator[a];
            } else {
                b = self.dominator[b];
            }
        }
        a
    }

    /// Natural loops, each before those around it.
    pub fn loops(&self) -> Vec<Inside> {
        let mut found: Vec<Inside> = Vec::new();
        for first in 0..self.blocks.len() {
            let back = self.before[first].iter().copied().filter(|&b| self.common(b, first) == first);
            let blocks = self.reaching(back.collect(), first);
            if blocks.len() > 1 || self.before[first].contains(&first) {
                found.push(Inside { first, blocks });
            }
        }
        found.sort_by_key(|l| l.blocks.len());
        found
    }

    /// The blocks from which these are reached without `first`, and `first`.
    fn reaching(&self, mut open: Vec<usize>, first: usize) -> FxHashSet<usize> {
        let mut found = FxHashSet::from_iter([first]);
        while let Some(block) = open.pop() {
            if found.insert(block) {
                open.extend(&self.before[block]);
            }
        }
        found
    }

    pub unsafe fn block_of(&self, op: LLVMValueRef) -> Option<usize> {
        unsafe { self.index.get(&LLVMGetInstructionParent(op)).copied() }
    }

    /// The most registers that are alive at once, if each value has its own from its op to its last
    /// reader. What a kernel is given is not counted: it lies in memory of its own.
    pub unsafe fn most_alive(&self) -> u32 {
        let mut behind_of: Vec<FxHashSet<LLVMValueRef>> = vec![FxHashSet::default(); self.blocks.len()];
        let (mut most, mut changed) = (0, true);
        while std::mem::take(&mut changed) {
            most = 0;
            for i in (0..self.blocks.len()).rev() {
                let mut alive = behind_of[i].clone();
                let mut filled: u32 = alive.iter().map(|&v| unsafe { registers(v) }).sum();
                for op in unsafe { ops(self.blocks[i]) }.rev() {
                    unsafe {
                        if alive.remove(&op) {
                            filled -= registers(op);
                        }
                        if LLVMIsAPHINode(op).is_null() {
                            for v in operands(op).filter(|&v| !LLVMIsAInstruction(v).is_null()) {
                                filled += if alive.insert(v) { registers(v) } else { 0 };
                            }
                        }
                    }
                    most = most.max(filled);
                }
                for &before in &self.before[i] {
                    let handed = unsafe { handed(self.blocks[before], self.blocks[i]) };
                    for v in alive.iter().copied().chain(handed) {
                        changed |= behind_of[before].insert(v);
                    }
                }
            }
        }
        most
    }
}

/// What the first values of a block are if control comes from another one.
unsafe fn handed(from: LLVMBasicBlockRef, to: LLVMBasicBlockRef) -> Vec<LLVMValueRef> {
    unsafe {
        let phis = ops(to).take_while(|&op| !LLVMIsAPHINode(op).is_null());
        let of = |phi: LLVMValueRef| {
            let k = (0..LLVMCountIncoming(phi)).find(|&k| LLVMGetIncomingBlock(phi, k) == from)?;
            let value = LLVMGetIncomingValue(phi, k);
            (!LLVMIsAInstruction(value).is_null()).then_some(value)
        };
        phis.filter_map(of).collect()
    }
}
