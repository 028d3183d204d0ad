//! The state of one function's code generation, and the basic moves: values, helpers, early exits.

use crate::machine::Clif;
use crate::module::{Callee, ModuleCx};
use caustic_ir::{Body, Diagnostic, Loc, OpId, Type, ValueId};
use caustic_native::Helper;
use caustic_native::ThreadCtx;
use caustic_native::flat::{self, Leaf, Leaves};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, FuncRef, InstBuilder, MemFlagsData, Signature, StackSlotData, StackSlotKind, Value,
    types,
};
use cranelift_frontend::FunctionBuilder;
use cranelift_module::{Linkage, Module as _};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The scalars of a value.
pub type Flat = SmallVec<[Value; 4]>;

/// Memory that is there: every address that compiled code uses was checked or made by us. Nothing is said about alignment, since
/// the contents of uniforms have none.
pub const MEM: MemFlagsData = MemFlagsData::new().with_notrap();

/// Loads of the context, which does not change while a function runs.
pub const CONTEXT: MemFlagsData = MemFlagsData::trusted().with_readonly().with_can_move();

pub struct Emit<'a, 'm> {
    pub b: FunctionBuilder<'a>,
    pub cx: &'a mut ModuleCx<'m>,
    pub body: &'m Body,
    values: Vec<Option<Flat>>,
    pub ctx: Value,
    /// Where the results go, if they do not fit the machine's return registers.
    pub ret: Option<Value>,
    pub results: Leaves,
    /// Where an early exit goes.
    trap: Option<Block>,
    helpers: FxHashMap<Helper, FuncRef>,
    callees: FxHashMap<u32, FuncRef>,
    /// What is to be given back when the function ends: emitted before each ordinary return.
    pub cleanup: Vec<Cleanup>,
    /// Location of the op being emitted.
    pub loc: Loc,
}

#[derive(Clone, Copy)]
pub enum Cleanup {
    /// A slot's tapes.
    Release { at: Value, desc: i64 },
    /// A slot's memory on the heap.
    Free { at: Value, size: u64 },
}

pub fn jump_args(values: &[Value]) -> SmallVec<[BlockArg; 8]> {
    values.iter().map(|&v| BlockArg::Value(v)).collect()
}

impl<'a, 'm> Emit<'a, 'm> {
    /// Starts the function: the entry block is there, with the parameters' values.
    pub fn new(
        mut b: FunctionBuilder<'a>,
        cx: &'a mut ModuleCx<'m>,
        body: &'m Body,
        params: &[ValueId],
        callee: &Callee,
        loc: Loc,
    ) -> Emit<'a, 'm> {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let all: Flat = b.block_params(entry).iter().copied().collect();
        let mut next = all.iter().copied();
        let ctx = next.next().unwrap_or_else(|| Value::from_u32(0));
        let ret = if callee.returns_in_memory() { next.next() } else { None };
        let mut values = vec![None; body.num_values()];
        for (&param, leaves) in params.iter().zip(callee.params.iter()) {
            values[param.index()] = Some(next.by_ref().take(leaves.len()).collect());
        }
        Emit {
            b,
            cx,
            body,
            values,
            ctx,
            ret,
            results: callee.results.clone(),
            trap: None,
            helpers: FxHashMap::default(),
            callees: FxHashMap::default(),
            cleanup: Vec::new(),
            loc,
        }
    }

    // ----- values

    pub fn ty(&self, value: ValueId) -> Type {
        self.body.ty(value)
    }
    pub fn get(&self, value: ValueId) -> Result<Flat, Diagnostic> {
        self.values[value.index()]
            .clone()
            .ok_or_else(|| Diagnostic::internal(self.loc, "an operand is used before it is computed"))
    }
    /// The value as its only scalar.
    pub fn get1(&self, value: ValueId) -> Result<Value, Diagnostic> {
        match self.values[value.index()].as_deref() {
            Some([one]) => Ok(*one),
            _ => Err(Diagnostic::internal(self.loc, "an operand is not the scalar that it should be")),
        }
    }
    pub fn set(&mut self, value: ValueId, scalars: Flat) {
        self.values[value.index()] = Some(scalars);
    }
    pub fn set_result(&mut self, op: OpId, scalars: Flat) {
        if let Some(&result) = self.body.results(op).first() {
            self.set(result, scalars);
        }
    }
    pub fn get_all(&self, values: &[ValueId]) -> Result<Flat, Diagnostic> {
        let mut out = Flat::new();
        for &v in values {
            out.extend(self.get(v)?);
        }
        Ok(out)
    }
    pub fn leaves(&self, ty: Type) -> Result<Leaves, Diagnostic> {
        flat::leaves_at(ty, self.loc)
    }
    /// Adds block parameters for values of these types and binds the values to them.
    pub fn bind_params(&mut self, block: Block, values: &[ValueId]) -> Result<(), Diagnostic> {
        for &v in values {
            let leaves = self.leaves(self.ty(v))?;
            let scalars = leaves.iter().map(|l| self.b.append_block_param(block, l.clif())).collect();
            self.set(v, scalars);
        }
        Ok(())
    }
    /// A diagnostic about the op being emitted that should not have come here.
    pub fn internal(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::internal(self.loc, message)
    }
    pub fn site(&mut self) -> Value {
        let site = self.cx.tables.site(self.loc);
        self.b.ins().iconst(types::I32, site as i64)
    }

    // ----- constants

    pub fn iconst(&mut self, leaf: Leaf, value: i64) -> Value {
        let ty = leaf.clif();
        let mask = if ty.bits() >= 64 { u64::MAX } else { (1 << ty.bits()) - 1 };
        self.b.ins().iconst(ty, (value as u64 & mask) as i64)
    }
    pub fn i64(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }
    pub fn fconst(&mut self, leaf: Leaf, value: f64) -> Value {
        match leaf {
            Leaf::F64 => self.b.ins().f64const(value),
            _ => self.b.ins().f32const(value as f32),
        }
    }
    pub fn zero(&mut self, leaf: Leaf) -> Value {
        if leaf.is_float() { self.fconst(leaf, 0.0) } else { self.iconst(leaf, 0) }
    }
    pub fn zeros(&mut self, leaves: &[Leaf]) -> Flat {
        leaves.iter().map(|&l| self.zero(l)).collect()
    }

    // ----- the context

    pub fn context_word(&mut self, offset: usize) -> Value {
        self.b.ins().load(types::I64, CONTEXT, self.ctx, offset as i32)
    }
    /// Address of at least `size` zero bytes.
    pub fn zero_memory(&mut self, size: u64) -> Value {
        self.cx.tables.need_zeros(size);
        self.context_word(std::mem::offset_of!(ThreadCtx, zeros))
    }

    // ----- helpers and early exits

    pub fn helper(&mut self, helper: Helper, args: &[Value]) -> Option<Value> {
        let callee = match self.helpers.get(&helper) {
            Some(&f) => f,
            None => {
                let f = self.cx.helper(helper, self.b.func);
                self.helpers.insert(helper, f);
                f
            }
        };
        let inst = self.b.ins().call(callee, args);
        self.b.inst_results(inst).first().copied()
    }
    /// A helper that has a result.
    pub fn helper1(&mut self, helper: Helper, args: &[Value]) -> Value {
        self.helper(helper, args).unwrap_or(self.ctx)
    }
    pub fn callee(&mut self, callee: &Callee) -> FuncRef {
        if let Some(&f) = self.callees.get(&callee.id.as_u32()) {
            return f;
        }
        let f = self.cx.jit.declare_func_in_func(callee.id, self.b.func);
        self.callees.insert(callee.id.as_u32(), f);
        f
    }
    pub fn trap_block(&mut self) -> Block {
        match self.trap {
            Some(block) => block,
            None => {
                let block = self.b.create_block();
                self.b.set_cold_block(block);
                self.trap = Some(block);
                block
            }
        }
    }
    /// Leaves the function at once if `failed` is not zero.
    pub fn exit_if(&mut self, failed: Value) {
        let (trap, go_on) = (self.trap_block(), self.b.create_block());
        self.b.ins().brif(failed, trap, &[], go_on, &[]);
        self.b.switch_to_block(go_on);
    }
    /// Returns what the function computed.
    pub fn finish(&mut self, scalars: &[Value]) {
        for cleanup in std::mem::take(&mut self.cleanup) {
            match cleanup {
                Cleanup::Release { at, desc } => {
                    let desc = self.i64(desc);
                    self.helper(Helper::Release, &[self.ctx, at, desc]);
                }
                Cleanup::Free { at, size } => {
                    let size = self.i64(size as i64);
                    self.helper(Helper::Free, &[self.ctx, at, size]);
                }
            }
        }
        let status = self.b.ins().iconst(types::I32, 0);
        match self.ret {
            Some(ret) => {
                for (i, &v) in scalars.iter().enumerate() {
                    self.b.ins().store(MEM, v, ret, (i * 8) as i32);
                }
                self.b.ins().return_(&[status]);
            }
            None => {
                let mut all: Flat = SmallVec::from_slice(&[status]);
                all.extend_from_slice(scalars);
                self.b.ins().return_(&all);
            }
        }
    }
    /// Writes the early exit, if there is one.
    pub fn finish_trap(&mut self) {
        let Some(block) = self.trap else { return };
        self.b.switch_to_block(block);
        let mut all: Flat = SmallVec::from_slice(&[self.b.ins().iconst(types::I32, 1)]);
        if self.ret.is_none() {
            let leaves = self.results.clone();
            all.extend(self.zeros(&leaves));
        }
        self.b.ins().return_(&all);
    }
    /// Memory of the native stack for the function's duration.
    pub fn stack_memory(&mut self, size: u64) -> Value {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size.max(1) as u32, 4);
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_addr(types::I64, slot, 0)
    }
}

impl ModuleCx<'_> {
    fn helper(&mut self, helper: Helper, func: &mut cranelift_codegen::ir::Function) -> FuncRef {
        let id = match self.helper_ids.get(&helper) {
            Some(&id) => Some(id),
            None => {
                let mut sig = Signature::new(self.call_conv);
                sig.params.extend(helper.params().iter().map(|&t| AbiParam::new(t.clif())));
                sig.returns.extend(helper.result().map(|r| AbiParam::new(r.clif())));
                let id = self.jit.declare_function(helper.symbol(), Linkage::Import, &sig).ok();
                self.helper_ids.extend(id.map(|id| (helper, id)));
                id
            }
        };
        // Declaring fails only if the name is taken with another signature; names of helpers and functions differ.
        id.map_or(FuncRef::from_u32(u32::MAX - 1), |id| self.jit.declare_func_in_func(id, func))
    }
}
