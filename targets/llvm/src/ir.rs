//! Building LLVM IR: a thin layer over LLVM's C interface.
//!
//! An instruction takes scalars and vectors of them alike, as LLVM's own builder does; inkwell's
//! typed values would ask for everything twice. What is built is checked by LLVM's verifier before
//! it is used ([`crate::optimize`]).
//!
//! `unsafe`: handles are only made here, belong to the module that owns this [`Ir`], and are not
//! used after it is gone.

use crate::debug::{Debug, Lines};
use crate::transpose::Exchange;
use caustic_ir::Loc;
use caustic_native::Leaf;
use caustic_runtime::Floats;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMAtomicOrdering, LLVMCallConv, LLVMIntPredicate, LLVMLinkage};
pub use inkwell::llvm_sys::{
    LLVMAtomicRMWBinOp as Rmw, LLVMIntPredicate as IntCc, LLVMOpcode as Opcode, LLVMRealPredicate as FloatCc,
};
use inkwell::llvm_sys::{
    LLVMFastMathAllowContract, LLVMFastMathAllowReassoc, LLVMFastMathAllowReciprocal, LLVMFastMathApproxFunc,
    LLVMFastMathNoSignedZeros,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::CString;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub LLVMValueRef);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty(pub LLVMTypeRef);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub LLVMBasicBlockRef);

/// A function and its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    pub value: Value,
    pub ty: Ty,
}

/// An empty name.
const NONE: *const std::ffi::c_char = c"".as_ptr();

/// A module being built, and the place where instructions go.
pub struct Ir {
    pub context: LLVMContextRef,
    pub module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    /// Only for phis and allocas, which stand where the builder does not.
    side: LLVMBuilderRef,
    /// The phis of a block, in order.
    phis: FxHashMap<Block, Vec<Value>>,
    cold: FxHashSet<Block>,
    kinds: FxHashMap<&'static str, u32>,
    /// How many scalars [`Ir::ty`] and the constants stand for: one, or as many as a vector has.
    width: usize,
    /// Whether floats may be computed in other ways that are as good: in another order, multiplied
    /// and added at once, by reciprocals.
    pub floats: Floats,
    /// Whether one instruction combines the integers of a wave.
    pub redux: bool,
    pub exchange: Exchange,
    debug: Option<Debug>,
}

impl Drop for Ir {
    fn drop(&mut self) {
        // SAFETY: made in `new`, used by nobody else.
        unsafe {
            LLVMDisposeBuilder(self.builder);
            LLVMDisposeBuilder(self.side);
        }
    }
}

fn text(s: &str) -> CString {
    CString::new(s.replace('\0', "")).unwrap_or_default()
}

impl Ir {
    /// # Safety
    /// Both live as long as this.
    pub unsafe fn new(context: LLVMContextRef, module: LLVMModuleRef) -> Ir {
        // SAFETY: the caller's.
        let (builder, side) = unsafe { (LLVMCreateBuilderInContext(context), LLVMCreateBuilderInContext(context)) };
        Ir {
            context,
            module,
            builder,
            side,
            phis: FxHashMap::default(),
            cold: FxHashSet::default(),
            kinds: FxHashMap::default(),
            width: 1,
            floats: Floats::Exact,
            redux: false,
            exchange: Exchange { memory: None, of_wave: 0, waves: 0 },
            debug: None,
        }
    }

    /// Builds with vectors of that many scalars in place of scalars.
    pub fn wide<T>(&mut self, width: usize, build: impl FnOnce(&mut Ir) -> T) -> T {
        let before = self.set_width(width);
        let built = build(self);
        self.set_width(before);
        built
    }
    pub fn set_width(&mut self, width: usize) -> usize {
        std::mem::replace(&mut self.width, width)
    }

    pub fn width(&self) -> usize {
        self.width
    }

    // ----- types

    pub fn ty(&self, leaf: Leaf) -> Ty {
        let scalar = self.scalar(leaf);
        if self.width == 1 { scalar } else { self.vector(scalar, self.width) }
    }
    pub fn vector(&self, elem: Ty, count: usize) -> Ty {
        // SAFETY: a scalar or a pointer.
        Ty(unsafe { LLVMVectorType(elem.0, count as u32) })
    }
    /// An integer of that many bits.
    pub fn bits(&self, count: usize) -> Ty {
        // SAFETY: the context is alive.
        Ty(unsafe { LLVMIntTypeInContext(self.context, count as u32) })
    }
    pub fn scalar(&self, leaf: Leaf) -> Ty {
        let c = self.context;
        // SAFETY: the context is alive.
        Ty(unsafe {
            match leaf {
                Leaf::I1 => LLVMInt1TypeInContext(c),
                Leaf::I8 => LLVMInt8TypeInContext(c),
                Leaf::I16 => LLVMInt16TypeInContext(c),
                Leaf::I32 => LLVMInt32TypeInContext(c),
                Leaf::I64 => LLVMInt64TypeInContext(c),
                Leaf::F16 => LLVMHalfTypeInContext(c),
                Leaf::F32 => LLVMFloatTypeInContext(c),
                Leaf::F64 => LLVMDoubleTypeInContext(c),
                Leaf::Addr => LLVMPointerTypeInContext(c, 0),
            }
        })
    }
    pub fn pointer(&self, space: u32) -> Ty {
        // SAFETY: as above.
        Ty(unsafe { LLVMPointerTypeInContext(self.context, space) })
    }
    pub fn void(&self) -> Ty {
        // SAFETY: as above.
        Ty(unsafe { LLVMVoidTypeInContext(self.context) })
    }
    pub fn record(&self, parts: &[Ty]) -> Ty {
        let mut parts: Vec<LLVMTypeRef> = parts.iter().map(|t| t.0).collect();
        // SAFETY: as above; the list is copied.
        Ty(unsafe { LLVMStructTypeInContext(self.context, parts.as_mut_ptr(), parts.len() as u32, 0) })
    }
    pub fn array(&self, elem: Ty, count: u64) -> Ty {
        // SAFETY: as above.
        Ty(unsafe { LLVMArrayType2(elem.0, count) })
    }
    pub fn function_type(&self, params: &[Ty], result: Ty, variadic: bool) -> Ty {
        let mut params: Vec<LLVMTypeRef> = params.iter().map(|t| t.0).collect();
        // SAFETY: as above.
        Ty(unsafe { LLVMFunctionType(result.0, params.as_mut_ptr(), params.len() as u32, variadic as i32) })
    }

    // ----- constants

    pub fn int(&self, leaf: Leaf, value: i64) -> Value {
        // SAFETY: an integer type.
        self.repeated(Value(unsafe { LLVMConstInt(self.scalar(leaf).0, value as u64, 1) }))
    }
    /// What is no vector beside vectors either.
    pub fn flag(&self, value: bool) -> Value {
        // SAFETY: as above.
        Value(unsafe { LLVMConstInt(self.scalar(Leaf::I1).0, value as u64, 0) })
    }
    pub fn float(&self, leaf: Leaf, value: f64) -> Value {
        // SAFETY: a float type.
        self.repeated(Value(unsafe { LLVMConstReal(self.scalar(leaf).0, value) }))
    }
    fn repeated(&self, constant: Value) -> Value {
        if self.width == 1 { constant } else { self.constants(&vec![constant; self.width]) }
    }
    /// A vector of constants.
    pub fn constants(&self, parts: &[Value]) -> Value {
        let mut parts: Vec<LLVMValueRef> = parts.iter().map(|v| v.0).collect();
        // SAFETY: constants of one type.
        Value(unsafe { LLVMConstVector(parts.as_mut_ptr(), parts.len() as u32) })
    }
    pub fn constant_int(&self, ty: Ty, value: u64) -> Value {
        // SAFETY: an integer type.
        Value(unsafe { LLVMConstInt(ty.0, value, 0) })
    }
    pub fn null(&self, ty: Ty) -> Value {
        // SAFETY: every type that is used has a zero.
        Value(unsafe { LLVMConstNull(ty.0) })
    }
    /// An integer with every bit set.
    pub fn all_ones(&self, ty: Ty) -> Value {
        // SAFETY: an integer type.
        Value(unsafe { LLVMConstAllOnes(ty.0) })
    }
    pub fn undef(&self, ty: Ty) -> Value {
        // SAFETY: as above.
        Value(unsafe { LLVMGetUndef(ty.0) })
    }

    // ----- functions and blocks

    /// Declares a function, or finds it.
    pub fn declare(&mut self, name: &str, ty: Ty) -> Function {
        let name = text(name);
        // SAFETY: the module is alive.
        let value = unsafe {
            let known = LLVMGetNamedFunction(self.module, name.as_ptr());
            if known.is_null() { LLVMAddFunction(self.module, name.as_ptr(), ty.0) } else { known }
        };
        Function { value: Value(value), ty }
    }
    /// The function of that name, if there is one.
    pub fn declared(&self, name: &str) -> Option<Function> {
        let name = text(name);
        // SAFETY: the module is alive.
        unsafe {
            let value = LLVMGetNamedFunction(self.module, name.as_ptr());
            (!value.is_null()).then(|| Function { value: Value(value), ty: Ty(LLVMGlobalGetValueType(value)) })
        }
    }
    /// Nobody outside of the module calls the function, which is called as one of C.
    pub fn private(&self, f: Function) {
        // SAFETY: a function of this module.
        unsafe { LLVMSetLinkage(f.value.0, LLVMLinkage::LLVMInternalLinkage) };
    }
    /// Memory that is zero and stays so.
    pub fn zeros(&mut self, bytes: u64) -> Value {
        let ty = self.array(self.ty(Leaf::I8), bytes.max(16));
        // SAFETY: the module is alive.
        unsafe {
            let memory = LLVMAddGlobal(self.module, ty.0, c"caustic.zeros".as_ptr());
            LLVMSetLinkage(memory, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetInitializer(memory, LLVMConstNull(ty.0));
            LLVMSetGlobalConstant(memory, 1);
            LLVMSetAlignment(memory, 16);
            Value(memory)
        }
    }
    /// Numbers in memory that nobody writes, made when they are first asked for.
    pub fn table(&mut self, name: &str, contents: impl FnOnce() -> Vec<f64>) -> Value {
        let name = text(name);
        // SAFETY: the module is alive; the constants are of the array's type.
        unsafe {
            let known = LLVMGetNamedGlobal(self.module, name.as_ptr());
            if !known.is_null() {
                return Value(known);
            }
            let double = self.scalar(Leaf::F64);
            let mut numbers: Vec<LLVMValueRef> = contents().iter().map(|&n| LLVMConstReal(double.0, n)).collect();
            let ty = self.array(double, numbers.len() as u64);
            let memory = LLVMAddGlobal(self.module, ty.0, name.as_ptr());
            LLVMSetLinkage(memory, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetInitializer(memory, LLVMConstArray2(double.0, numbers.as_mut_ptr(), numbers.len() as u64));
            LLVMSetGlobalConstant(memory, 1);
            Value(memory)
        }
    }
    pub fn param(&self, f: Function, index: usize) -> Value {
        // SAFETY: the caller knows the function's type.
        Value(unsafe { LLVMGetParam(f.value.0, index as u32) })
    }
    /// An attribute by name; at -1 of the function, 0 of the result, `i` of parameter `i - 1`.
    pub fn attribute(&self, f: Function, at: i32, name: &str, value: u64) {
        // SAFETY: the name is an attribute's or the kind is 0, which is left out.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            if kind != 0 {
                let attribute = LLVMCreateEnumAttribute(self.context, kind, value);
                LLVMAddAttributeAtIndex(f.value.0, at as u32, attribute);
            }
        }
    }
    pub fn text_attribute(&self, f: Function, name: &str, value: &str) {
        let (n, v) = (name.len() as u32, value.len() as u32);
        // SAFETY: the texts are copied.
        unsafe {
            let attribute = LLVMCreateStringAttribute(self.context, name.as_ptr().cast(), n, value.as_ptr().cast(), v);
            LLVMAddAttributeAtIndex(f.value.0, u32::MAX, attribute);
        }
    }
    /// Nobody outside of the module calls the function.
    pub fn internal(&self, f: Function) {
        // SAFETY: a function of this module.
        unsafe {
            LLVMSetLinkage(f.value.0, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetFunctionCallConv(f.value.0, LLVMCallConv::LLVMFastCallConv as u32);
        }
    }
    /// The function is what a host launches.
    pub fn kernel(&self, f: Function) {
        const PTX_KERNEL: u32 = 71;
        // SAFETY: a function of this module.
        unsafe { LLVMSetFunctionCallConv(f.value.0, PTX_KERNEL) };
        let (one, name) = (self.int(Leaf::I32, 1), self.metadata_text("kernel"));
        // SAFETY: constants; the names are copied.
        unsafe {
            let node = self.metadata(&[LLVMValueAsMetadata(f.value.0), name, LLVMValueAsMetadata(one.0)]);
            let node = LLVMMetadataAsValue(self.context, node);
            LLVMAddNamedMetadataOperand(self.module, c"nvvm.annotations".as_ptr(), node);
        }
    }
    /// The parameter is a copy of `size` bytes.
    pub fn by_value(&self, f: Function, index: usize, size: u64, align: u64) {
        let ty = self.array(self.ty(Leaf::I8), size);
        // SAFETY: the name is an attribute's, the parameter a pointer.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(c"byval".as_ptr(), 5);
            let attribute = LLVMCreateTypeAttribute(self.context, kind, ty.0);
            LLVMAddAttributeAtIndex(f.value.0, index as u32 + 1, attribute);
        }
        self.attribute(f, index as i32 + 1, "align", align.max(8));
    }
    /// Memory of the threads of a group, as an ordinary address.
    pub fn shared(&mut self, name: &str, bytes: u64) -> Value {
        const SPACE: u32 = 3;
        let ty = self.array(self.ty(Leaf::I8), bytes.next_multiple_of(16));
        let name = text(name);
        // SAFETY: the module is alive.
        let memory = unsafe {
            let memory = LLVMAddGlobalInAddressSpace(self.module, ty.0, name.as_ptr(), SPACE);
            LLVMSetLinkage(memory, LLVMLinkage::LLVMInternalLinkage);
            LLVMSetInitializer(memory, LLVMGetUndef(ty.0));
            LLVMSetAlignment(memory, 16);
            Value(memory)
        };
        let pointer = self.ty(Leaf::Addr);
        self.cast(Opcode::LLVMAddrSpaceCast, memory, pointer)
    }
    /// The i32 is at least `low` and less than `high`.
    pub fn range(&mut self, value: Value, low: i64, high: i64) {
        let [low, high] = [low, high].map(|v| {
            // SAFETY: a constant.
            unsafe { LLVMValueAsMetadata(self.int(Leaf::I32, v).0) }
        });
        let range = self.metadata(&[low, high]);
        self.annotate(value, "range", range);
    }
    /// The block hardly ever runs: branches to it say so.
    pub fn mark_cold(&mut self, block: Block) {
        self.cold.insert(block);
    }
    pub fn block(&mut self, f: Function) -> Block {
        // SAFETY: a function of this module.
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context, f.value.0, NONE) })
    }
    pub fn here(&self) -> Block {
        // SAFETY: the builder stands in a block whenever this is asked.
        Block(unsafe { LLVMGetInsertBlock(self.builder) })
    }
    pub fn switch_to(&mut self, block: Block) {
        // SAFETY: a block of this module.
        unsafe { LLVMPositionBuilderAtEnd(self.builder, block.0) }
        if let Some(place) = self.debug.as_mut().and_then(|debug| debug.enter(block.0)) {
            // What the builder at the side made last was in another function.
            // SAFETY: places of the block's function, or none.
            unsafe {
                LLVMSetCurrentDebugLocation2(self.builder, place);
                LLVMSetCurrentDebugLocation2(self.side, std::ptr::null_mut());
            }
        }
    }

    // ----- source lines

    /// From here on code says where it is from. Before any is built.
    pub fn keep_lines(&mut self, lines: Lines, entry: Loc) {
        // SAFETY: both outlive this, and so what this owns.
        self.debug = Some(unsafe { Debug::new(self.context, self.module, lines, entry) });
    }
    /// The function's code is that of `name`, written at `loc`. Before it is built.
    pub fn describe(&mut self, f: Function, name: &str, loc: Loc) {
        if let Some(debug) = &mut self.debug {
            debug.describe(f, name, loc);
        }
    }
    /// What is built next was written at `loc`.
    pub fn written_at(&mut self, loc: Loc) {
        if let Some(debug) = &mut self.debug {
            // SAFETY: a place of the function that is being built, or none.
            unsafe { LLVMSetCurrentDebugLocation2(self.builder, debug.at(loc)) }
        }
    }

    // ----- code
    /// A value that each jump to the block brings.
    pub fn phi(&mut self, block: Block, ty: Ty) -> Value {
        // SAFETY: as above; phis stand first in their block.
        let phi = unsafe {
            let after = LLVMGetFirstInstruction(block.0);
            let mut at = after;
            while !at.is_null() && !LLVMIsAPHINode(at).is_null() {
                at = LLVMGetNextInstruction(at);
            }
            if at.is_null() {
                LLVMPositionBuilderAtEnd(self.side, block.0);
            } else {
                LLVMPositionBuilderBefore(self.side, at);
            }
            Value(LLVMBuildPhi(self.side, ty.0, NONE))
        };
        self.phis.entry(block).or_default().push(phi);
        phi
    }
    /// A phi at the place of the builder, before any other instruction of the block.
    pub fn phi_here(&mut self, ty: Ty, incoming: &[(Value, Block)]) -> Value {
        let (mut values, mut blocks): (Vec<_>, Vec<_>) = incoming.iter().map(|(v, b)| (v.0, b.0)).unzip();
        // SAFETY: each value dominates the end of its block.
        unsafe {
            let phi = LLVMBuildPhi(self.builder, ty.0, NONE);
            LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), values.len() as u32);
            Value(phi)
        }
    }
    pub fn add_incoming(&mut self, phi: Value, value: Value, block: Block) {
        let (mut value, mut block) = (value.0, block.0);
        // SAFETY: as above.
        unsafe { LLVMAddIncoming(phi.0, &mut value, &mut block, 1) }
    }
    fn bring(&mut self, to: Block, args: &[Value]) {
        let from = self.here();
        for (phi, arg) in self.phis.get(&to).into_iter().flatten().zip(args) {
            let (mut value, mut block) = (arg.0, from.0);
            // SAFETY: the value dominates the end of the block that jumps.
            unsafe { LLVMAddIncoming(phi.0, &mut value, &mut block, 1) }
        }
    }
    pub fn jump(&mut self, to: Block, args: &[Value]) {
        self.bring(to, args);
        // SAFETY: as above.
        unsafe { LLVMBuildBr(self.builder, to.0) };
    }
    pub fn branch(&mut self, condition: Value, then: (Block, &[Value]), other: (Block, &[Value])) -> Value {
        self.bring(then.0, then.1);
        self.bring(other.0, other.1);
        // SAFETY: as above.
        let branch = Value(unsafe { LLVMBuildCondBr(self.builder, condition.0, then.0.0, other.0.0) });
        let weights = match (self.cold.contains(&then.0), self.cold.contains(&other.0)) {
            (true, false) => (1, 2000),
            (false, true) => (2000, 1),
            _ => return branch,
        };
        let [then, other] = [weights.0, weights.1].map(|w| {
            let w = self.constant_int(self.bits(32), w);
            // SAFETY: a constant.
            unsafe { LLVMValueAsMetadata(w.0) }
        });
        let weights = self.metadata(&[self.metadata_text("branch_weights"), then, other]);
        self.annotate(branch, "prof", weights);
        branch
    }
    /// The loop that the branch ends has few iterations: doing several at once is more work than it
    /// saves. `property` says how it is not unrolled.
    pub fn short_loop(&mut self, branch: Value, property: &str) {
        let [runtime, vector] = [property, "llvm.loop.vectorize.enable"].map(|property| self.metadata_text(property));
        let no = self.int(Leaf::I1, 0);
        // SAFETY: a constant.
        let no = unsafe { LLVMValueAsMetadata(no.0) };
        let properties = [self.metadata(&[runtime]), self.metadata(&[vector, no])];
        // A loop's name is a list that begins with itself.
        // SAFETY: the place is taken by the list and freed with that.
        let name = unsafe {
            let place = LLVMTemporaryMDNode(self.context, std::ptr::null_mut(), 0);
            let name = self.metadata(&[place, properties[0], properties[1]]);
            LLVMMetadataReplaceAllUsesWith(place, name);
            name
        };
        self.annotate(branch, "llvm.loop", name);
    }
    pub fn switch(&mut self, value: Value, cases: &[(i64, Block)], default: Block) {
        // SAFETY: the cases are distinct integers of the value's type.
        unsafe {
            let switch = LLVMBuildSwitch(self.builder, value.0, default.0, cases.len() as u32);
            for &(case, block) in cases {
                LLVMAddCase(switch, LLVMConstInt(LLVMTypeOf(value.0), case as u64, 1), block.0);
            }
        }
    }
    pub fn ret(&mut self, value: Option<Value>) {
        // SAFETY: of the function's result type.
        unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.builder, value.0),
                None => LLVMBuildRetVoid(self.builder),
            }
        };
    }

    // ----- instructions

    pub fn binary(&mut self, op: Opcode, x: Value, y: Value) -> Value {
        // SAFETY: both are of the same type.
        let value = Value(unsafe { LLVMBuildBinOp(self.builder, op, x.0, y.0, NONE) });
        self.relax(value);
        value
    }
    /// What may be done with a float that was computed, where that is allowed. Nothing is assumed
    /// about NaN and infinities: they are ordinary values of threads that do not take part.
    fn relax(&mut self, value: Value) {
        const FAST: u32 = LLVMFastMathAllowReassoc
            | LLVMFastMathNoSignedZeros
            | LLVMFastMathAllowReciprocal
            | LLVMFastMathAllowContract
            | LLVMFastMathApproxFunc;
        let flags = match self.floats {
            Floats::Exact => return,
            Floats::Contracted => LLVMFastMathAllowContract,
            Floats::Fast => FAST,
        };
        // SAFETY: asked first whether it can carry flags; constants, into which an instruction may
        // have been folded, cannot.
        unsafe {
            if !LLVMIsAInstruction(value.0).is_null() && LLVMCanValueUseFastMathFlags(value.0) != 0 {
                LLVMSetFastMathFlags(value.0, flags);
            }
        }
    }
    pub fn fneg(&mut self, x: Value) -> Value {
        // SAFETY: a float.
        Value(unsafe { LLVMBuildFNeg(self.builder, x.0, NONE) })
    }
    pub fn icmp(&mut self, cc: LLVMIntPredicate, x: Value, y: Value) -> Value {
        // SAFETY: as above.
        Value(unsafe { LLVMBuildICmp(self.builder, cc, x.0, y.0, NONE) })
    }
    pub fn fcmp(&mut self, cc: FloatCc, x: Value, y: Value) -> Value {
        // SAFETY: as above.
        Value(unsafe { LLVMBuildFCmp(self.builder, cc, x.0, y.0, NONE) })
    }
    pub fn cast(&mut self, op: Opcode, x: Value, to: Ty) -> Value {
        // SAFETY: the callers know that the cast exists.
        Value(unsafe { LLVMBuildCast(self.builder, op, x.0, to.0, NONE) })
    }
    pub fn select(&mut self, condition: Value, x: Value, y: Value) -> Value {
        // SAFETY: as above.
        Value(unsafe { LLVMBuildSelect(self.builder, condition.0, x.0, y.0, NONE) })
    }
    /// A scalar of a vector.
    pub fn element(&mut self, vector: Value, index: Value) -> Value {
        // SAFETY: a vector, an integer.
        Value(unsafe { LLVMBuildExtractElement(self.builder, vector.0, index.0, NONE) })
    }
    pub fn with_element(&mut self, vector: Value, scalar: Value, index: Value) -> Value {
        // SAFETY: as above.
        Value(unsafe { LLVMBuildInsertElement(self.builder, vector.0, scalar.0, index.0, NONE) })
    }
    /// These scalars of two vectors, one after the other.
    pub fn shuffle(&mut self, x: Value, y: Value, picks: &[usize]) -> Value {
        let picks: Vec<Value> = picks.iter().map(|&p| self.constant_int(self.bits(32), p as u64)).collect();
        let mask = self.constants(&picks);
        // SAFETY: both of one type; the picks are within.
        Value(unsafe { LLVMBuildShuffleVector(self.builder, x.0, y.0, mask.0, NONE) })
    }
    /// A vector of one scalar.
    pub fn splat(&mut self, scalar: Value, count: usize) -> Value {
        // SAFETY: a scalar's type.
        unsafe {
            if LLVMIsConstant(scalar.0) != 0 {
                return self.constants(&vec![scalar; count]);
            }
        }
        let ty = self.vector(self.type_of(scalar), count);
        let zero = self.null(ty);
        let at = self.constant_int(self.bits(32), 0);
        let one = self.with_element(zero, scalar, at);
        self.shuffle(one, zero, &vec![0; count])
    }
    /// The value of a constant of floats.
    pub fn as_float(&self, value: Value) -> Option<f64> {
        let mut inexact = 0;
        // SAFETY: a value, which is looked into if it is such a constant.
        unsafe {
            let constant = LLVMIsAConstantFP(value.0);
            (!constant.is_null()).then(|| LLVMConstRealGetDouble(constant, &mut inexact))
        }
    }
    /// A constant integer's value, with its sign.
    pub fn as_int(&self, value: Value) -> Option<i64> {
        // SAFETY: a value of this module.
        unsafe { (!LLVMIsAConstantInt(value.0).is_null()).then(|| LLVMConstIntGetSExtValue(value.0)) }
    }
    pub fn type_of(&self, value: Value) -> Ty {
        // SAFETY: a value of this module.
        Ty(unsafe { LLVMTypeOf(value.0) })
    }
    /// Some value in place of one that is not defined, the same for all who use it.
    pub fn freeze(&mut self, x: Value) -> Value {
        // SAFETY: any value.
        Value(unsafe { LLVMBuildFreeze(self.builder, x.0, NONE) })
    }
    pub fn extract(&mut self, aggregate: Value, index: usize) -> Value {
        // SAFETY: the record has that many parts.
        Value(unsafe { LLVMBuildExtractValue(self.builder, aggregate.0, index as u32, NONE) })
    }
    pub fn insert(&mut self, aggregate: Value, part: Value, index: usize) -> Value {
        // SAFETY: as above.
        Value(unsafe { LLVMBuildInsertValue(self.builder, aggregate.0, part.0, index as u32, NONE) })
    }
    pub fn call(&mut self, f: Function, args: &[Value]) -> Value {
        let mut args: Vec<LLVMValueRef> = args.iter().map(|v| v.0).collect();
        // SAFETY: the arguments are of the function's parameter types.
        unsafe {
            let call = LLVMBuildCall2(self.builder, f.ty.0, f.value.0, args.as_mut_ptr(), args.len() as u32, NONE);
            LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f.value.0));
            Value(call)
        }
    }
    /// An intrinsic that is overloaded on `types`.
    pub fn intrinsic(&mut self, name: &str, types: &[Ty], args: &[Value]) -> Value {
        let mut types: Vec<LLVMTypeRef> = types.iter().map(|t| t.0).collect();
        // SAFETY: the names are LLVM's, which is tested by every use.
        let f = unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let f = LLVMGetIntrinsicDeclaration(self.module, id, types.as_mut_ptr(), types.len());
            Function { value: Value(f), ty: Ty(LLVMGlobalGetValueType(f)) }
        };
        let value = self.call(f, args);
        self.relax(value);
        value
    }

    /// Text in memory, with a zero at its end.
    pub fn text(&mut self, s: &str) -> Value {
        let s = text(s);
        // SAFETY: the text is copied.
        Value(unsafe { LLVMBuildGlobalStringPtr(self.builder, s.as_ptr(), NONE) })
    }

    // ----- memory

    /// Memory of the stack, made at the start of the function.
    pub fn alloca(&mut self, f: Function, size: u64, align: u32) -> Value {
        let ty = self.array(self.ty(Leaf::I8), size.max(1));
        // SAFETY: the entry block exists, and allocas may stand first in it.
        unsafe {
            let entry = LLVMGetEntryBasicBlock(f.value.0);
            let first = LLVMGetFirstInstruction(entry);
            if first.is_null() {
                LLVMPositionBuilderAtEnd(self.side, entry);
            } else {
                LLVMPositionBuilderBefore(self.side, first);
            }
            let alloca = LLVMBuildAlloca(self.side, ty.0, NONE);
            LLVMSetAlignment(alloca, align);
            Value(alloca)
        }
    }
    /// `pointer + bytes`, where the result is in the same object or not used.
    pub fn at(&mut self, pointer: Value, bytes: Value) -> Value {
        let mut index = bytes.0;
        // SAFETY: bytes are counted.
        Value(unsafe { LLVMBuildGEP2(self.builder, self.scalar(Leaf::I8).0, pointer.0, &mut index, 1, NONE) })
    }
    pub fn load(&mut self, ty: Ty, pointer: Value, align: u32) -> Value {
        // SAFETY: a pointer.
        unsafe {
            let load = LLVMBuildLoad2(self.builder, ty.0, pointer.0, NONE);
            LLVMSetAlignment(load, align);
            Value(load)
        }
    }
    pub fn store(&mut self, value: Value, pointer: Value, align: u32) -> Value {
        // SAFETY: as above.
        unsafe {
            let store = LLVMBuildStore(self.builder, value.0, pointer.0);
            LLVMSetAlignment(store, align);
            Value(store)
        }
    }
    pub fn atomic_load(&mut self, ty: Ty, pointer: Value, align: u32) -> Value {
        let load = self.load(ty, pointer, align);
        // SAFETY: a load.
        unsafe { LLVMSetOrdering(load.0, LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic) };
        load
    }
    pub fn memset(&mut self, pointer: Value, size: u64, align: u32) {
        let (zero, size) = (self.int(Leaf::I8, 0), self.int(Leaf::I64, size as i64));
        // SAFETY: as above.
        unsafe { LLVMBuildMemSet(self.builder, pointer.0, zero.0, size.0, align) };
    }
    pub fn memmove(&mut self, to: Value, from: Value, size: u64, align: u32) {
        let size = self.int(Leaf::I64, size as i64);
        // SAFETY: as above.
        unsafe { LLVMBuildMemMove(self.builder, to.0, align, from.0, align, size.0) };
    }
    pub fn fence(&mut self) {
        // SAFETY: always possible.
        unsafe { LLVMBuildFence(self.builder, LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent, 0, NONE) };
    }
    pub fn atomic_rmw(&mut self, op: Rmw, pointer: Value, value: Value) -> Value {
        // SAFETY: the pointer is aligned to the value's size.
        Value(unsafe {
            LLVMBuildAtomicRMW(self.builder, op, pointer.0, value.0, LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic, 0)
        })
    }
    /// The bits before.
    pub fn atomic_cas(&mut self, pointer: Value, expected: Value, value: Value) -> Value {
        let order = LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
        // SAFETY: as above.
        let pair =
            Value(unsafe { LLVMBuildAtomicCmpXchg(self.builder, pointer.0, expected.0, value.0, order, order, 0) });
        self.extract(pair, 0)
    }

    // ----- metadata

    pub fn metadata(&self, parts: &[LLVMMetadataRef]) -> LLVMMetadataRef {
        let mut parts = parts.to_vec();
        // SAFETY: the list is copied.
        unsafe { LLVMMDNodeInContext2(self.context, parts.as_mut_ptr(), parts.len()) }
    }
    pub fn metadata_text(&self, s: &str) -> LLVMMetadataRef {
        // SAFETY: the text is copied.
        unsafe { LLVMMDStringInContext2(self.context, s.as_ptr().cast(), s.len()) }
    }
    /// Says something about an instruction.
    pub fn annotate(&mut self, instruction: Value, kind: &'static str, what: LLVMMetadataRef) {
        let context = self.context;
        let kind = *self.kinds.entry(kind).or_insert_with(|| {
            // SAFETY: the text is copied.
            unsafe { LLVMGetMDKindIDInContext(context, kind.as_ptr().cast(), kind.len() as u32) }
        });
        // SAFETY: constants, into which an instruction may have been folded, carry nothing.
        unsafe {
            if !LLVMIsAInstruction(instruction.0).is_null() {
                LLVMSetMetadata(instruction.0, kind, LLVMMetadataAsValue(context, what));
            }
        }
    }
}
