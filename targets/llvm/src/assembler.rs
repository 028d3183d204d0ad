//! LLVM's instructions, as emission asks for them.
//!
//! An i1 and an f16 are LLVM's own types in registers; an i1 in memory is a byte. A function takes
//! its context and the scalars of its parameters and returns a record: whether it stopped early,
//! and the scalars of its results.

use crate::ir::{Block, FloatCc, Function, IntCc, Ir, Opcode, Rmw, Ty, Value};
use crate::lanes;
use caustic_codegen::{Assembler, Compare, Emit, Flat, IntOp, Lane, Memory, Rounds};
use caustic_dialects::reflect::resource_type;
use caustic_dialects::{agg, func};
use caustic_ir::{CancelToken, Diagnostic, Loc, Module, Name, OpId, SymbolOp};
use caustic_native::flat::{self, Leaves};
use caustic_native::{Failure, Helper, Leaf, Tables, Word};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use rustc_hash::FxHashMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// What differs between the machines that LLVM compiles for.
pub trait Machine: Sized + 'static {
    /// Whether there is a host to call while the code runs.
    const HOSTED: bool;
    /// Whether the instruction for the lesser of two floats, of which one may be no number, takes
    /// -0 for less than 0.
    const ORDERS_ZEROS: bool = false;
    /// [`Assembler::ADDS_TO_ADDRESSES`].
    const ADDS_TO_ADDRESSES: bool = false;
    /// Whether it has an instruction for the reciprocal of a root, good to 2 ulps.
    const ROOTS: bool = false;

    /// A function of floats that LLVM has no instruction for.
    fn math(unit: &mut Ir, name: &'static str, leaf: Leaf, args: &[Value]) -> Option<Value>;
    /// An f64 rounded to an f16.
    fn round_to_f16(ir: &mut Ir, value: Value) -> Value;
    /// Stops the thread.
    fn fail(ir: &mut Ir, context: Value, failure: Failure, site: u32);
    /// Code for ops that the machine does in its own way.
    fn special<'m>(_emit: &mut Emit<'m, Llvm<'_, 'm, Self>>, _op: OpId) -> Result<bool, Diagnostic> {
        Ok(false)
    }
    /// What the address of a scalar in a resource is a multiple of. On most machines nothing:
    /// contents of uniforms and views start anywhere.
    fn align(_leaf: Leaf) -> u32 {
        1
    }
    /// Attributes of every function.
    fn attributes(ir: &Ir, f: Function);
}

/// A function as compiled code calls it.
#[derive(Clone)]
pub struct Callee {
    pub function: Function,
    pub params: Arc<[Leaves]>,
    pub results: Leaves,
    /// The record that it returns.
    pub record: Ty,
}

/// A module being compiled.
pub struct Unit<'m> {
    pub module: &'m Module,
    pub ir: Ir,
    pub tables: Tables,
    pub interruptible: bool,
    /// Asked before each function.
    pub cancel: CancelToken,
    callees: FxHashMap<Name, Callee>,
    /// For each resource the scopes of what is in it and of what is not.
    scopes: Vec<(LLVMMetadataRef, LLVMMetadataRef)>,
    /// The resources by number that a program cannot write.
    read_only: Vec<bool>,
    empty: Option<LLVMMetadataRef>,
}

impl<'m> Unit<'m> {
    pub fn new(module: &'m Module, ir: Ir, interruptible: bool, cancel: CancelToken) -> Unit<'m> {
        Unit {
            module,
            ir,
            tables: Tables::default(),
            interruptible,
            cancel,
            callees: FxHashMap::default(),
            scopes: Vec::new(),
            read_only: Vec::new(),
            empty: None,
        }
    }

    pub fn symbol(&self, name: Name, loc: Loc) -> Result<&'m SymbolOp, Diagnostic> {
        match self.module.get(name) {
            Some(symbol) if std::ptr::eq(symbol.def, func::Func::DEF) => Ok(symbol),
            Some(symbol) => Err(Diagnostic::internal(loc, format!("`{}` @{name} cannot be called", symbol.def.name))
                .with_note("the passes before code generation have to replace it by a function")),
            None => Err(Diagnostic::invalid_ir(loc, format!("there is no function @{name}"))),
        }
    }

    /// The function, declared if it was not yet.
    pub fn callee<M: Machine>(&mut self, name: Name, loc: Loc) -> Result<Callee, Diagnostic> {
        if let Some(known) = self.callees.get(&name) {
            return Ok(known.clone());
        }
        let symbol = self.symbol(name, loc)?;
        let (inputs, outputs) =
            symbol.function_type().ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, "a function without a type"))?;
        let params: Arc<[Leaves]> = inputs.iter().map(|&t| flat::leaves_at(t, symbol.loc)).collect::<Result<_, _>>()?;
        let mut results = Leaves::new();
        for &ty in outputs {
            results.extend(flat::leaves_at(ty, symbol.loc)?);
        }
        let ir = &mut self.ir;
        let parts: Vec<Ty> = std::iter::once(ir.ty(Leaf::I1)).chain(results.iter().map(|&l| ir.ty(l))).collect();
        let record = ir.record(&parts);
        let mut inputs = vec![ir.ty(Leaf::Addr)];
        inputs.extend(params.iter().flatten().map(|&l| ir.ty(l)));
        let ty = ir.function_type(&inputs, record, false);
        // The prefix keeps the program's names apart from those of libraries and of the compiler's
        // own functions, `caustic.…`.
        let function = ir.declare(&format!("program.{name}"), ty);
        ir.internal(function);
        M::attributes(ir, function);
        ir.describe(function, &name, symbol.loc);
        // Nothing in the context changes while the function runs, and nobody else has its address.
        ir.attribute(function, 1, "noalias", 0);
        ir.attribute(function, 1, "nonnull", 0);
        let callee = Callee { function, params, results, record };
        self.callees.insert(name, callee.clone());
        Ok(callee)
    }

    /// Writes the code of a function of the module.
    pub fn build<M: Machine>(&mut self, name: Name, check_depth: bool) -> Result<(), Diagnostic> {
        self.cancel.check()?;
        let symbol = self.symbol(name, Loc::unknown())?;
        let callee = self.callee::<M>(name, symbol.loc)?;
        let entry = symbol
            .body
            .entry()
            .ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, format!("the function @{name} has no code")))?;
        let f = callee.function;
        // Allocas stand in a block of their own, so that whatever comes first can be jumped to.
        let start = self.ir.block(f);
        self.ir.switch_to(start);
        let mut next = 1;
        let mut params = Vec::new();
        for (&param, leaves) in symbol.body.args(entry).iter().zip(callee.params.iter()) {
            let scalars: Flat<Value> = (0..leaves.len()).map(|i| self.ir.param(f, next + i)).collect();
            next += leaves.len();
            params.push((param, scalars));
        }
        let (results, record) = (callee.results, callee.record);
        let a = Llvm::<M>::new(self, f, record);
        Emit::new(a, &symbol.body, &params, results, symbol.loc).function(entry, check_depth)
    }

    /// The context changes where the compiler sees it: nothing is said about what lies in it.
    pub fn context_changes(&mut self) {
        self.empty = None;
    }

    /// What is in different resources is in different memory.
    fn resource_scopes(&mut self, number: usize) -> Option<(LLVMMetadataRef, LLVMMetadataRef)> {
        self.scopes.get(number).copied()
    }

    /// Before any code is written: which resources there are.
    pub fn name_resources(&mut self, names: impl Iterator<Item = Name>) -> Result<(), Diagnostic> {
        for name in names {
            self.tables.global(self.module, name, Loc::unknown())?;
        }
        let ir = &self.ir;
        let domain = ir.metadata(&[ir.metadata_text("resources")]);
        let count = self.tables.global_entries.len();
        let scopes: Vec<LLVMMetadataRef> =
            (0..count).map(|i| ir.metadata(&[ir.metadata_text(&format!("resource {i}")), domain])).collect();
        self.scopes = (0..count)
            .map(|i| {
                let others: Vec<_> =
                    scopes.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, scope)| *scope).collect();
                (ir.metadata(&[scopes[i]]), ir.metadata(&others))
            })
            .collect();
        self.empty = Some(ir.metadata(&[]));
        let type_of = |name: Name| self.module.get(name).and_then(resource_type);
        let is_written = |name: Name| type_of(name).and_then(agg::as_buffer).is_none_or(|(_, written)| written);
        self.read_only = self.tables.global_entries.iter().map(|entry| !is_written(entry.symbol)).collect();
        Ok(())
    }
}

pub struct Llvm<'a, 'm, M: Machine> {
    pub unit: &'a mut Unit<'m>,
    pub function: Function,
    context: Value,
    pub record: Ty,
    machine: PhantomData<M>,
}

impl<'a, 'm, M: Machine> Llvm<'a, 'm, M> {
    /// For a function whose first parameter is the context.
    pub fn new(unit: &'a mut Unit<'m>, function: Function, record: Ty) -> Llvm<'a, 'm, M> {
        let context = unit.ir.param(function, 0);
        Llvm { unit, function, context, record, machine: PhantomData }
    }
}

impl<M: Machine> Llvm<'_, '_, M> {
    fn place(&mut self, address: Value, offset: i64) -> Value {
        if offset == 0 {
            return address;
        }
        let bytes = self.unit.ir.int(Leaf::I64, offset);
        self.unit.ir.at(address, bytes)
    }

    pub fn annotate(&mut self, access: Value, memory: Memory) {
        match memory {
            // Without a host the context is the thread's own.
            Memory::Constant if M::HOSTED => {
                if let Some(empty) = self.unit.empty {
                    self.unit.ir.annotate(access, "invariant.load", empty);
                }
            }
            Memory::Resource(Some(number)) => {
                if let Some((inside, outside)) = self.unit.resource_scopes(number) {
                    self.unit.ir.annotate(access, "alias.scope", inside);
                    self.unit.ir.annotate(access, "noalias", outside);
                }
                // Read through the cache of constants, however the address was made.
                if let Some(empty) =
                    self.unit.empty.filter(|_| !M::HOSTED && self.unit.read_only.get(number) == Some(&true))
                {
                    self.unit.ir.annotate(access, "invariant.load", empty);
                }
            }
            Memory::Constant | Memory::Local | Memory::Words | Memory::Resource(None) => {}
        }
    }
}

/// How far an address of a scalar can be relied on.
fn align_of<M: Machine>(leaf: Leaf, memory: Memory) -> u32 {
    match memory {
        Memory::Local | Memory::Words | Memory::Constant => leaf.size().min(8) as u32,
        Memory::Resource(_) => M::align(leaf),
    }
}

impl<'m, M: Machine> Assembler<'m> for Llvm<'_, 'm, M> {
    type Value = Value;
    type Block = Block;

    const HOSTED: bool = M::HOSTED;
    const ADDS_TO_ADDRESSES: bool = M::ADDS_TO_ADDRESSES;

    fn module(&self) -> &'m Module {
        self.unit.module
    }
    fn tables(&mut self) -> &mut Tables {
        &mut self.unit.tables
    }
    fn interruptible(&self) -> bool {
        self.unit.interruptible
    }
    fn special(emit: &mut Emit<'m, Self>, op: OpId) -> Result<bool, Diagnostic> {
        M::special(emit, op)
    }
    fn written_at(&mut self, loc: Loc) {
        self.unit.ir.written_at(loc);
    }

    // ----- blocks

    fn block(&mut self) -> Block {
        self.unit.ir.block(self.function)
    }
    fn cold_block(&mut self) -> Block {
        let block = self.block();
        self.unit.ir.mark_cold(block);
        block
    }
    fn param(&mut self, block: Block, leaf: Leaf) -> Value {
        let ty = self.unit.ir.ty(leaf);
        self.unit.ir.phi(block, ty)
    }
    fn switch_to(&mut self, block: Block) {
        self.unit.ir.switch_to(block);
    }
    fn jump(&mut self, to: Block, args: &[Value]) {
        self.unit.ir.jump(to, args);
    }
    fn branch(&mut self, condition: Value, then: Block, then_args: &[Value], other: Block, other_args: &[Value]) {
        self.unit.ir.branch(condition, (then, then_args), (other, other_args));
    }
    fn again(
        &mut self,
        condition: Value,
        body: Block,
        args: &[Value],
        exit: Block,
        exit_args: &[Value],
        rounds: Rounds,
    ) {
        let branch = self.unit.ir.branch(condition, (body, args), (exit, exit_args));
        match rounds {
            Rounds::Few => self.unit.ir.short_loop(branch, "llvm.loop.unroll.runtime.disable"),
            Rounds::All => self.unit.ir.short_loop(branch, "llvm.loop.unroll.full"),
            Rounds::None => self.unit.ir.short_loop(branch, "llvm.loop.unroll.disable"),
            Rounds::Any => {}
        }
    }
    fn switch(&mut self, value: Value, cases: &[(i64, Block)], default: Block) {
        self.unit.ir.switch(value, cases, default);
    }

    // ----- values

    fn int(&mut self, leaf: Leaf, value: i64) -> Value {
        self.unit.ir.int(leaf, value)
    }
    fn float(&mut self, leaf: Leaf, value: f64) -> Value {
        self.unit.ir.float(leaf, value)
    }
    fn null(&mut self) -> Value {
        let ty = self.unit.ir.ty(Leaf::Addr);
        self.unit.ir.null(ty)
    }
    fn binary(&mut self, op: IntOp, leaf: Leaf, x: Value, y: Value) -> Value {
        let op = match op {
            IntOp::Add => Opcode::LLVMAdd,
            IntOp::Sub => Opcode::LLVMSub,
            IntOp::Mul => Opcode::LLVMMul,
            IntOp::And => Opcode::LLVMAnd,
            IntOp::Shl => Opcode::LLVMShl,
            IntOp::Shr => Opcode::LLVMLShr,
            IntOp::Min => {
                let ty = self.unit.ir.ty(leaf);
                return self.unit.ir.intrinsic("llvm.umin", &[ty], &[x, y]);
            }
        };
        self.unit.ir.binary(op, x, y)
    }
    fn compare(&mut self, how: Compare, _: Leaf, x: Value, y: Value) -> Value {
        let cc = match how {
            Compare::Equal => IntCc::LLVMIntEQ,
            Compare::SignedLess => IntCc::LLVMIntSLT,
            Compare::SignedLessEqual => IntCc::LLVMIntSLE,
            Compare::UnsignedLess => IntCc::LLVMIntULT,
        };
        self.unit.ir.icmp(cc, x, y)
    }
    fn select(&mut self, condition: Value, x: Value, y: Value) -> Value {
        self.unit.ir.select(condition, x, y)
    }
    fn resize(&mut self, from: Leaf, to: Leaf, x: Value, signed: bool) -> Value {
        lanes::resize(&mut self.unit.ir, from, to, x, signed)
    }
    fn lane(&mut self, lane: &Lane<'_, Value>) -> Option<Value> {
        lanes::lane::<M>(&mut self.unit.ir, lane)
    }
    fn widen(&mut self, leaf: Leaf, value: Value) -> Value {
        let ty = self.unit.ir.ty(Leaf::F64);
        if leaf == Leaf::F64 { value } else { self.unit.ir.cast(Opcode::LLVMFPExt, value, ty) }
    }
    fn narrow(&mut self, leaf: Leaf, value: Value) -> Value {
        lanes::narrow::<M>(&mut self.unit.ir, leaf, value)
    }
    fn word_of(&mut self, leaf: Leaf, value: Value) -> Value {
        let word = self.unit.ir.ty(Leaf::I64);
        match leaf {
            Leaf::Addr => self.unit.ir.cast(Opcode::LLVMPtrToInt, value, word),
            leaf if leaf.is_float() => {
                let wide = self.widen(leaf, value);
                self.unit.ir.cast(Opcode::LLVMBitCast, wide, word)
            }
            leaf => self.resize(leaf, Leaf::I64, value, leaf != Leaf::I1),
        }
    }
    fn scalar_of(&mut self, leaf: Leaf, word: Value) -> Value {
        match leaf {
            Leaf::Addr => {
                let ty = self.unit.ir.ty(leaf);
                self.unit.ir.cast(Opcode::LLVMIntToPtr, word, ty)
            }
            leaf if leaf.is_float() => {
                let double = self.unit.ir.ty(Leaf::F64);
                let wide = self.unit.ir.cast(Opcode::LLVMBitCast, word, double);
                self.narrow(leaf, wide)
            }
            leaf => self.resize(Leaf::I64, leaf, word, false),
        }
    }
    fn with_bits(&mut self, leaf: Leaf, bits: Value) -> Value {
        let ty = self.unit.ir.ty(leaf);
        if leaf.is_float() { self.unit.ir.cast(Opcode::LLVMBitCast, bits, ty) } else { bits }
    }
    fn to_bits(&mut self, leaf: Leaf, value: Value) -> Value {
        let ty = self.unit.ir.ty(leaf.bits_leaf());
        if leaf.is_float() { self.unit.ir.cast(Opcode::LLVMBitCast, value, ty) } else { value }
    }

    // ----- memory

    fn offset(&mut self, address: Value, bytes: i64, _: Memory) -> Value {
        self.place(address, bytes)
    }
    fn element(&mut self, address: Value, index: Value, stride: u64, _: Memory) -> Value {
        let stride_value = self.unit.ir.int(Leaf::I64, stride as i64);
        let bytes = if stride == 1 { index } else { self.unit.ir.binary(Opcode::LLVMMul, index, stride_value) };
        self.unit.ir.at(address, bytes)
    }
    fn align_down(&mut self, address: Value, size: u64) -> Value {
        if size == 1 {
            return address;
        }
        let (pointer, word) = (self.unit.ir.ty(Leaf::Addr), self.unit.ir.ty(Leaf::I64));
        let mask = self.unit.ir.int(Leaf::I64, -(size as i64));
        self.unit.ir.intrinsic("llvm.ptrmask", &[pointer, word], &[address, mask])
    }
    fn load(&mut self, leaf: Leaf, address: Value, offset: i64, memory: Memory) -> Value {
        let at = self.place(address, offset);
        if leaf == Leaf::I1 {
            // Any byte but 0 is true: the host may write what it likes.
            let byte = self.unit.ir.ty(Leaf::I8);
            let byte = self.unit.ir.load(byte, at, 1);
            self.annotate(byte, memory);
            let zero = self.unit.ir.int(Leaf::I8, 0);
            return self.unit.ir.icmp(IntCc::LLVMIntNE, byte, zero);
        }
        let ty = self.unit.ir.ty(leaf);
        let value = self.unit.ir.load(ty, at, align_of::<M>(leaf, memory));
        self.annotate(value, memory);
        value
    }
    fn store(&mut self, leaf: Leaf, value: Value, address: Value, offset: i64, memory: Memory) {
        let at = self.place(address, offset);
        let value = if leaf == Leaf::I1 { self.resize(Leaf::I1, Leaf::I8, value, false) } else { value };
        let store = self.unit.ir.store(value, at, align_of::<M>(leaf, memory));
        self.annotate(store, memory);
    }
    fn is_aligned(&self) -> bool {
        M::align(Leaf::I64) == Leaf::I64.size() as u32
    }
    fn fill_zero(&mut self, address: Value, size: u64, align: u64) {
        if size > 0 {
            self.unit.ir.memset(address, size, align as u32);
        }
    }
    fn copy(&mut self, to: Value, from: Value, size: u64, align: u64) {
        if size > 0 {
            self.unit.ir.memmove(to, from, size, align as u32);
        }
    }
    fn stack_memory(&mut self, size: u64) -> Value {
        self.unit.ir.alloca(self.function, size, 16)
    }
    fn stack_pointer(&mut self) -> Value {
        let (pointer, word) = (self.unit.ir.ty(Leaf::Addr), self.unit.ir.ty(Leaf::I64));
        let zero = self.unit.ir.int(Leaf::I32, 0);
        let frame = self.unit.ir.intrinsic("llvm.frameaddress", &[pointer], &[zero]);
        self.unit.ir.cast(Opcode::LLVMPtrToInt, frame, word)
    }
    fn fence(&mut self) {
        self.unit.ir.fence();
    }
    fn load_shared(&mut self, address: Value) -> Value {
        let ty = self.unit.ir.ty(Leaf::I32);
        self.unit.ir.atomic_load(ty, address, 4)
    }
    fn atomic_rmw(&mut self, kind: &str, leaf: Leaf, address: Value, value: Value) -> Option<Value> {
        let op = match kind {
            agg::EXCHANGE => Rmw::LLVMAtomicRMWBinOpXchg,
            "addf" | "add" if matches!(leaf, Leaf::F32 | Leaf::F64) => {
                return Some(self.unit.ir.atomic_rmw(Rmw::LLVMAtomicRMWBinOpFAdd, address, value));
            }
            _ if leaf.is_float() => return None,
            "add" => Rmw::LLVMAtomicRMWBinOpAdd,
            "and" => Rmw::LLVMAtomicRMWBinOpAnd,
            "or" => Rmw::LLVMAtomicRMWBinOpOr,
            "xor" => Rmw::LLVMAtomicRMWBinOpXor,
            "minsi" => Rmw::LLVMAtomicRMWBinOpMin,
            "minui" => Rmw::LLVMAtomicRMWBinOpUMin,
            "maxsi" => Rmw::LLVMAtomicRMWBinOpMax,
            "maxui" => Rmw::LLVMAtomicRMWBinOpUMax,
            _ => return None,
        };
        let bits = self.to_bits(leaf, value);
        let old = self.unit.ir.atomic_rmw(op, address, bits);
        Some(self.with_bits(leaf, old))
    }
    fn atomic_cas(&mut self, leaf: Leaf, address: Value, expected: Value, value: Value) -> Value {
        let (expected, value) = (self.to_bits(leaf, expected), self.to_bits(leaf, value));
        let old = self.unit.ir.atomic_cas(address, expected, value);
        self.with_bits(leaf, old)
    }

    // ----- functions

    fn context(&self) -> Value {
        self.context
    }
    fn call(&mut self, name: Name, loc: Loc, args: &[Value]) -> Result<(Value, Flat<Value>), Diagnostic> {
        let callee = self.unit.callee::<M>(name, loc)?;
        let mut all = vec![self.context];
        all.extend_from_slice(args);
        let record = self.unit.ir.call(callee.function, &all);
        let stopped = self.unit.ir.extract(record, 0);
        let results = (0..callee.results.len()).map(|i| self.unit.ir.extract(record, i + 1)).collect();
        Ok((stopped, results))
    }
    fn ret(&mut self, values: Option<&[Value]>) {
        let ir = &mut self.unit.ir;
        let mut record = ir.undef(self.record);
        let stopped = ir.int(Leaf::I1, values.is_none() as i64);
        record = ir.insert(record, stopped, 0);
        for (i, &value) in values.into_iter().flatten().enumerate() {
            record = ir.insert(record, value, i + 1);
        }
        ir.ret(Some(record));
    }
    fn helper(&mut self, helper: Helper, args: &[Value]) -> Option<Value> {
        let ir = &mut self.unit.ir;
        let word = |word: Word| {
            ir.ty(match word {
                Word::I32 => Leaf::I32,
                Word::I64 => Leaf::I64,
                Word::F32 => Leaf::F32,
                Word::F64 => Leaf::F64,
                Word::Addr => Leaf::Addr,
            })
        };
        let params: Vec<Ty> = helper.params().iter().map(|&w| word(w)).collect();
        let result = helper.result().map_or(ir.void(), word);
        let ty = ir.function_type(&params, result, false);
        let f = ir.declare(helper.symbol(), ty);
        M::attributes(ir, f);
        // What helpers work on lies where compiled code never looks, but for what they are handed.
        const HIDDEN: u64 = 3 << 2;
        const HANDED: u64 = 3;
        match helper {
            Helper::Alloc => {
                ir.attribute(f, 0, "noalias", 0);
                ir.attribute(f, -1, "memory", HIDDEN | HANDED);
            }
            Helper::Free => {
                ir.attribute(f, 2, "nocapture", 0);
                ir.attribute(f, -1, "memory", HIDDEN | HANDED);
            }
            // The context says which thread calls, and is told that it trapped.
            Helper::OutOfRange | Helper::BadIndex | Helper::Fail => ir.attribute(f, -1, "memory", HIDDEN | HANDED),
            _ => {}
        }
        let value = ir.call(f, args);
        helper.result().map(|_| value)
    }
    fn fail(&mut self, failure: Failure, site: u32) {
        M::fail(&mut self.unit.ir, self.context, failure, site);
    }
}

/// Conditions of floats by their predicate.
pub fn float_condition(predicate: caustic_dialects::arith::FloatPredicate) -> Option<FloatCc> {
    use caustic_dialects::arith::FloatPredicate as P;
    Some(match predicate {
        P::False | P::True => return None,
        P::Oeq => FloatCc::LLVMRealOEQ,
        P::Ogt => FloatCc::LLVMRealOGT,
        P::Oge => FloatCc::LLVMRealOGE,
        P::Olt => FloatCc::LLVMRealOLT,
        P::Ole => FloatCc::LLVMRealOLE,
        P::One => FloatCc::LLVMRealONE,
        P::Ord => FloatCc::LLVMRealORD,
        P::Ueq => FloatCc::LLVMRealUEQ,
        P::Ugt => FloatCc::LLVMRealUGT,
        P::Uge => FloatCc::LLVMRealUGE,
        P::Ult => FloatCc::LLVMRealULT,
        P::Ule => FloatCc::LLVMRealULE,
        P::Une => FloatCc::LLVMRealUNE,
        P::Uno => FloatCc::LLVMRealUNO,
    })
}
