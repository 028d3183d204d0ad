//! The instructions of Cranelift, as emission asks for them.
//!
//! An f16 is an f32 in registers that holds a value of f16; an i1 is a byte, 0 or 1. A single
//! scalar result of a function is returned in a register, several go to memory in words of eight
//! bytes.

use crate::machine::Clif;
use crate::module::{Callee, ModuleCx};
use crate::rare;
use caustic_codegen::{Assembler, Compare, Flat, IntOp, Lane, Memory};
use caustic_ir::{Diagnostic, Loc, Module, Name};
use caustic_native::{Failure, Helper, Leaf, Leaves, Tables};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, AtomicRmwOp, Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, Signature, StackSlotData,
    StackSlotKind, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Switch};
use cranelift_module::{Linkage, Module as _};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Memory that is there: every address that compiled code uses was checked or made by us. Nothing
/// is said about alignment, since the contents of uniforms have none.
pub const MEM: MemFlagsData = MemFlagsData::new().with_notrap();

/// Loads of the context, which does not change while a function runs.
const CONTEXT: MemFlagsData = MemFlagsData::trusted().with_readonly().with_can_move();

pub struct Clifs<'a, 'm> {
    pub b: FunctionBuilder<'a>,
    pub cx: &'a mut ModuleCx<'m>,
    context: Value,
    /// Where the results go, if they do not fit the machine's return registers.
    ret: Option<Value>,
    results: Leaves,
    helpers: FxHashMap<Helper, FuncRef>,
    callees: FxHashMap<u32, FuncRef>,
}

fn jump_args(values: &[Value]) -> SmallVec<[BlockArg; 8]> {
    values.iter().map(|&v| BlockArg::Value(v)).collect()
}

fn flags(memory: Memory) -> MemFlagsData {
    if memory == Memory::Constant { CONTEXT } else { MEM }
}

impl<'a, 'm> Clifs<'a, 'm> {
    /// Starts the function; the scalars of its parameters.
    pub fn new(mut b: FunctionBuilder<'a>, cx: &'a mut ModuleCx<'m>, callee: &Callee) -> (Clifs<'a, 'm>, Flat<Value>) {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let all: Flat<Value> = b.block_params(entry).iter().copied().collect();
        let mut next = all.into_iter();
        let context = next.next().unwrap_or_else(|| Value::from_u32(0));
        let ret = if callee.returns_in_memory() { next.next() } else { None };
        let results = callee.results.clone();
        let (helpers, callees) = (FxHashMap::default(), FxHashMap::default());
        (Clifs { b, cx, context, ret, results, helpers, callees }, next.collect())
    }

    pub fn finish(mut self) {
        self.b.seal_all_blocks();
        let config = self.cx.frontend_config();
        self.b.finalize(config);
    }

    fn helper_ref(&mut self, helper: Helper) -> FuncRef {
        if let Some(&known) = self.helpers.get(&helper) {
            return known;
        }
        let cx = &mut *self.cx;
        let id = match cx.helper_ids.get(&helper) {
            Some(&id) => Some(id),
            None => {
                let id = if helper.is_rare() {
                    let sig = rare::signature(helper);
                    cx.jit.declare_function(&rare::symbol(helper), Linkage::Local, &sig).ok()
                } else {
                    let sig = helper_signature(helper, cx.call_conv);
                    cx.jit.declare_function(helper.symbol(), Linkage::Import, &sig).ok()
                };
                cx.helper_ids.extend(id.map(|id| (helper, id)));
                id
            }
        };
        // Declaring fails only if the name is taken with another signature; names of helpers and
        // functions differ.
        let f = id.map_or(FuncRef::from_u32(u32::MAX - 1), |id| cx.jit.declare_func_in_func(id, self.b.func));
        self.helpers.insert(helper, f);
        f
    }

    pub fn helper1(&mut self, helper: Helper, args: &[Value]) -> Value {
        self.helper(helper, args).unwrap_or(self.context)
    }
}

/// The signature of a helper itself.
pub fn helper_signature(helper: Helper, call_conv: CallConv) -> Signature {
    let mut sig = Signature::new(call_conv);
    sig.params.extend(helper.params().iter().map(|&t| AbiParam::new(t.clif())));
    sig.returns.extend(helper.result().map(|r| AbiParam::new(r.clif())));
    sig
}

impl<'m> Assembler<'m> for Clifs<'_, 'm> {
    type Value = Value;
    type Block = Block;

    const HOSTED: bool = true;

    fn module(&self) -> &'m Module {
        self.cx.module
    }
    fn tables(&mut self) -> &mut Tables {
        &mut self.cx.tables
    }
    fn interruptible(&self) -> bool {
        self.cx.interruptible
    }

    // ----- blocks

    fn block(&mut self) -> Block {
        self.b.create_block()
    }
    fn cold_block(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }
    fn param(&mut self, block: Block, leaf: Leaf) -> Value {
        self.b.append_block_param(block, leaf.clif())
    }
    fn switch_to(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }
    fn jump(&mut self, to: Block, args: &[Value]) {
        self.b.ins().jump(to, &jump_args(args));
    }
    fn branch(&mut self, condition: Value, then: Block, then_args: &[Value], other: Block, other_args: &[Value]) {
        self.b.ins().brif(condition, then, &jump_args(then_args), other, &jump_args(other_args));
    }
    fn switch(&mut self, value: Value, cases: &[(i64, Block)], default: Block) {
        let mut switch = Switch::new();
        for &(case, block) in cases {
            switch.set_entry(case as u64 as u128, block);
        }
        switch.emit(&mut self.b, value, default);
    }

    // ----- values

    fn int(&mut self, leaf: Leaf, value: i64) -> Value {
        let ty = leaf.clif();
        let mask = if ty.bits() >= 64 { u64::MAX } else { (1 << ty.bits()) - 1 };
        let value = if leaf == Leaf::I1 { value & 1 } else { value };
        self.b.ins().iconst(ty, (value as u64 & mask) as i64)
    }
    fn float(&mut self, leaf: Leaf, value: f64) -> Value {
        match leaf {
            Leaf::F64 => self.b.ins().f64const(value),
            _ => self.b.ins().f32const(value as f32),
        }
    }
    fn null(&mut self) -> Value {
        self.int(Leaf::I64, 0)
    }
    fn binary(&mut self, op: IntOp, _: Leaf, x: Value, y: Value) -> Value {
        match op {
            IntOp::Add => self.b.ins().iadd(x, y),
            IntOp::Sub => self.b.ins().isub(x, y),
            IntOp::Mul => self.b.ins().imul(x, y),
            IntOp::And => self.b.ins().band(x, y),
            IntOp::Shl => self.b.ins().ishl(x, y),
            IntOp::Shr => self.b.ins().ushr(x, y),
            IntOp::Min => self.b.ins().umin(x, y),
        }
    }
    fn compare(&mut self, how: Compare, _: Leaf, x: Value, y: Value) -> Value {
        let cc = match how {
            Compare::Equal => IntCC::Equal,
            Compare::SignedLess => IntCC::SignedLessThan,
            Compare::SignedLessEqual => IntCC::SignedLessThanOrEqual,
            Compare::UnsignedLess => IntCC::UnsignedLessThan,
        };
        self.b.ins().icmp(cc, x, y)
    }
    fn select(&mut self, condition: Value, x: Value, y: Value) -> Value {
        self.b.ins().select(condition, x, y)
    }
    fn resize(&mut self, from: Leaf, to: Leaf, x: Value, signed: bool) -> Value {
        let x = if from == Leaf::I1 && signed && to != Leaf::I1 { self.b.ins().ineg(x) } else { x };
        let (a, b) = (from.clif(), to.clif());
        let x = if a.bits() < b.bits() {
            if signed { self.b.ins().sextend(b, x) } else { self.b.ins().uextend(b, x) }
        } else if a.bits() > b.bits() {
            self.b.ins().ireduce(b, x)
        } else {
            x
        };
        if to == Leaf::I1 && from != Leaf::I1 { self.b.ins().band_imm_u(x, 1) } else { x }
    }
    fn lane(&mut self, lane: &Lane<'_, Value>) -> Option<Value> {
        self.arith_lane(lane).or_else(|| self.cast_lane(lane)).or_else(|| self.math_lane(lane))
    }
    fn widen(&mut self, leaf: Leaf, value: Value) -> Value {
        if leaf == Leaf::F64 { value } else { self.b.ins().fpromote(types::F64, value) }
    }
    fn narrow(&mut self, leaf: Leaf, value: Value) -> Value {
        if leaf == Leaf::F64 { value } else { self.b.ins().fdemote(types::F32, value) }
    }
    fn word_of(&mut self, leaf: Leaf, value: Value) -> Value {
        match leaf {
            Leaf::F16 | Leaf::F32 | Leaf::F64 => {
                let wide = self.widen(leaf, value);
                self.b.ins().bitcast(types::I64, MemFlagsData::new(), wide)
            }
            leaf => self.resize(leaf, Leaf::I64, value, leaf != Leaf::I1),
        }
    }
    fn scalar_of(&mut self, leaf: Leaf, word: Value) -> Value {
        match leaf {
            Leaf::F16 | Leaf::F32 | Leaf::F64 => {
                let wide = self.b.ins().bitcast(types::F64, MemFlagsData::new(), word);
                self.narrow(leaf, wide)
            }
            leaf => self.resize(Leaf::I64, leaf, word, false),
        }
    }
    fn with_bits(&mut self, leaf: Leaf, bits: Value) -> Value {
        let (int, flags) = (leaf.bits_leaf(), MemFlagsData::new());
        match leaf {
            Leaf::F16 => {
                let bits = self.resize(int, Leaf::I32, bits, false);
                self.helper1(Helper::F16FromBits, &[bits])
            }
            Leaf::F32 | Leaf::F64 => self.b.ins().bitcast(leaf.clif(), flags, bits),
            _ => bits,
        }
    }
    fn to_bits(&mut self, leaf: Leaf, value: Value) -> Value {
        let (int, flags) = (leaf.bits_leaf(), MemFlagsData::new());
        match leaf {
            Leaf::F16 => {
                let bits = self.helper1(Helper::F16ToBits, &[value]);
                self.resize(Leaf::I32, int, bits, false)
            }
            Leaf::F32 | Leaf::F64 => self.b.ins().bitcast(int.clif(), flags, value),
            _ => value,
        }
    }

    // ----- memory

    fn offset(&mut self, address: Value, bytes: i64, _: Memory) -> Value {
        if bytes == 0 { address } else { self.b.ins().iadd_imm_s(address, bytes) }
    }
    fn element(&mut self, address: Value, index: Value, stride: u64, _: Memory) -> Value {
        let distance = if stride == 1 { index } else { self.b.ins().imul_imm_s(index, stride as i64) };
        self.b.ins().iadd(address, distance)
    }
    fn align_down(&mut self, address: Value, size: u64) -> Value {
        self.b.ins().band_imm_s(address, -(size as i64))
    }
    fn load(&mut self, leaf: Leaf, address: Value, offset: i64, memory: Memory) -> Value {
        let (at, flags) = (offset as i32, flags(memory));
        match leaf {
            Leaf::F16 => {
                let bits = self.b.ins().uload16(types::I32, MEM, address, at);
                self.helper1(Helper::F16FromBits, &[bits])
            }
            Leaf::I1 => {
                // Any byte but 0 is true: the host may write what it likes.
                let byte = self.b.ins().load(types::I8, MEM, address, at);
                self.b.ins().icmp_imm_u(IntCC::NotEqual, byte, 0)
            }
            leaf => self.b.ins().load(leaf.clif(), flags, address, at),
        }
    }
    fn store(&mut self, leaf: Leaf, value: Value, address: Value, offset: i64, _: Memory) {
        let at = offset as i32;
        if leaf == Leaf::F16 {
            let bits = self.helper1(Helper::F16ToBits, &[value]);
            self.b.ins().istore16(MEM, bits, address, at);
        } else {
            self.b.ins().store(MEM, value, address, at);
        }
    }
    fn fill_zero(&mut self, address: Value, size: u64, _: u64) {
        if size == 0 {
            return;
        }
        if size <= 64 && size.is_multiple_of(8) {
            let zero = self.int(Leaf::I64, 0);
            for at in (0..size).step_by(8) {
                self.b.ins().store(MEM, zero, address, at as i32);
            }
            return;
        }
        let (zero, size) = (self.int(Leaf::I8, 0), self.int(Leaf::I64, size as i64));
        let config = self.cx.frontend_config();
        self.b.call_memset(config, address, zero, size);
    }
    fn copy(&mut self, to: Value, from: Value, size: u64, _: u64) {
        if size <= 64 && size.is_multiple_of(4) {
            let step = if size.is_multiple_of(8) { 8 } else { 4 };
            let ty = if step == 8 { types::I64 } else { types::I32 };
            // All loads before the stores: both may be the same place.
            let words: Vec<(u64, Value)> =
                (0..size).step_by(step).map(|at| (at, self.b.ins().load(ty, MEM, from, at as i32))).collect();
            for (at, word) in words {
                self.b.ins().store(MEM, word, to, at as i32);
            }
        } else if size > 0 {
            let size = self.int(Leaf::I64, size as i64);
            let config = self.cx.frontend_config();
            self.b.call_memmove(config, to, from, size);
        }
    }
    fn stack_memory(&mut self, size: u64) -> Value {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size.max(1) as u32, 4);
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }
    fn stack_pointer(&mut self) -> Value {
        self.b.ins().get_stack_pointer(types::I64)
    }
    fn fence(&mut self) {
        self.b.ins().fence();
    }
    fn load_shared(&mut self, address: Value) -> Value {
        // An ordinary load could be taken for that of an outer loop.
        self.b.ins().atomic_load(types::I32, MEM, address)
    }
    fn atomic_rmw(&mut self, kind: &str, leaf: Leaf, address: Value, value: Value) -> Option<Value> {
        let op = match kind {
            caustic_dialects::agg::EXCHANGE => AtomicRmwOp::Xchg,
            _ if leaf.is_float() => return None,
            "add" => AtomicRmwOp::Add,
            "and" => AtomicRmwOp::And,
            "or" => AtomicRmwOp::Or,
            "xor" => AtomicRmwOp::Xor,
            "minsi" => AtomicRmwOp::Smin,
            "minui" => AtomicRmwOp::Umin,
            "maxsi" => AtomicRmwOp::Smax,
            "maxui" => AtomicRmwOp::Umax,
            _ => return None,
        };
        let bits = self.to_bits(leaf, value);
        let old = self.b.ins().atomic_rmw(leaf.bits_leaf().clif(), MEM, op, address, bits);
        Some(self.with_bits(leaf, old))
    }
    fn atomic_cas(&mut self, leaf: Leaf, address: Value, expected: Value, value: Value) -> Value {
        let (expected, value) = (self.to_bits(leaf, expected), self.to_bits(leaf, value));
        let old = self.b.ins().atomic_cas(MEM, address, expected, value);
        self.with_bits(leaf, old)
    }

    // ----- functions

    fn context(&self) -> Value {
        self.context
    }
    fn call(&mut self, name: Name, loc: Loc, args: &[Value]) -> Result<(Value, Flat<Value>), Diagnostic> {
        let callee = self.cx.callee(name, loc)?;
        let f = match self.callees.get(&callee.id.as_u32()) {
            Some(&f) => f,
            None => {
                let f = self.cx.jit.declare_func_in_func(callee.id, self.b.func);
                self.callees.insert(callee.id.as_u32(), f);
                f
            }
        };
        let mut all: Flat<Value> = Flat::from_slice(&[self.context]);
        let memory = callee.returns_in_memory().then(|| self.stack_memory(callee.results.len() as u64 * 8));
        all.extend(memory);
        all.extend_from_slice(args);
        let inst = self.b.ins().call(f, &all);
        let returned: Flat<Value> = self.b.inst_results(inst).iter().copied().collect();
        let scalars = match memory {
            Some(at) => (callee.results.iter().enumerate())
                .map(|(i, leaf)| self.b.ins().load(leaf.clif(), MEM, at, (i * 8) as i32))
                .collect(),
            None => returned[1..].iter().copied().collect(),
        };
        Ok((returned[0], scalars))
    }
    fn ret(&mut self, values: Option<&[Value]>) {
        let status = self.b.ins().iconst(types::I32, values.is_none() as i64);
        let mut all: Flat<Value> = Flat::from_slice(&[status]);
        match (self.ret, values) {
            (Some(ret), Some(values)) => {
                for (i, &v) in values.iter().enumerate() {
                    self.b.ins().store(MEM, v, ret, (i * 8) as i32);
                }
            }
            (Some(_), None) => {}
            (None, Some(values)) => all.extend_from_slice(values),
            (None, None) => {
                for leaf in self.results.clone() {
                    all.push(if leaf.is_float() { self.float(leaf, 0.0) } else { self.int(leaf, 0) });
                }
            }
        }
        self.b.ins().return_(&all);
    }
    fn helper(&mut self, helper: Helper, args: &[Value]) -> Option<Value> {
        let callee = self.helper_ref(helper);
        let inst = self.b.ins().call(callee, args);
        if helper.is_rare() {
            return helper.result().map(|r| self.b.ins().load(r.clif(), MEM, self.context, rare::ANSWER));
        }
        self.b.inst_results(inst).first().copied()
    }
    fn fail(&mut self, failure: Failure, site: u32) {
        let (kind, site) = (self.int(Leaf::I32, failure as i64), self.int(Leaf::I32, site as i64));
        self.helper(Helper::Fail, &[self.context, kind, site]);
    }
}
