//! The state of one function's emission, and the basic moves: values, helpers, early exits.

use crate::assembler::{Assembler, Code, Compare, Flat, IntOp, Memory, Only};
use crate::ops::pinned::Pin;
use caustic_ir::{Body, Diagnostic, Loc, Name, OpId, Type, ValueId};
use caustic_native::flat::{self, Leaves};
use caustic_native::{Failure, Helper, Leaf, ThreadCtx};
use rustc_hash::FxHashMap;

pub struct Emit<'m, A: Assembler<'m>> {
    pub a: A,
    pub body: &'m Body,
    values: Vec<Option<Flat<A::Value>>>,
    results: Leaves,
    /// Where an early exit goes.
    trap: Option<A::Block>,
    /// What is to be given back when the function ends: emitted before each ordinary return.
    pub(crate) cleanup: Vec<Cleanup<A::Value>>,
    /// The function's own slots with tapes, and what is known of these in loops.
    pub(crate) tape_slots: Vec<ValueId>,
    pub(crate) pins: Vec<Pin<A::Value>>,
    /// The evaluation that an op calls, by address; the lanes of one op share it.
    pub(crate) scalar_calls: FxHashMap<OpId, i64>,
    /// Location of the op being emitted.
    pub loc: Loc,
}

#[derive(Clone, Copy)]
pub(crate) enum Cleanup<V> {
    /// A slot's tapes.
    Release { at: V, desc: i64 },
    /// A slot's memory on the heap.
    Free { at: V, size: u64 },
}

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    /// Starts the function: the assembler stands in its entry block, where the parameters have
    /// these values.
    pub fn new(a: A, body: &'m Body, params: &[(ValueId, Flat<A::Value>)], results: Leaves, loc: Loc) -> Emit<'m, A> {
        let mut values = vec![None; body.num_values()];
        for (param, scalars) in params {
            values[param.index()] = Some(scalars.clone());
        }
        Emit {
            a,
            body,
            values,
            results,
            trap: None,
            cleanup: Vec::new(),
            tape_slots: Vec::new(),
            pins: Vec::new(),
            scalar_calls: FxHashMap::default(),
            loc,
        }
    }

    // ----- values

    /// The op to be emitted next.
    pub fn begin(&mut self, op: OpId) {
        self.loc = self.body.loc(op);
        self.a.written_at(self.loc);
    }
    pub fn ty(&self, value: ValueId) -> Type {
        self.body.ty(value)
    }
    pub fn get(&self, value: ValueId) -> Result<Flat<A::Value>, Diagnostic> {
        self.values[value.index()]
            .clone()
            .ok_or_else(|| Diagnostic::internal(self.loc, "an operand is used before it is computed"))
    }
    /// The value as its only scalar.
    pub fn get1(&self, value: ValueId) -> Result<A::Value, Diagnostic> {
        match self.values[value.index()].as_deref() {
            Some([one]) => Ok(*one),
            _ => Err(Diagnostic::internal(self.loc, "an operand is not the scalar that it should be")),
        }
    }
    pub fn set(&mut self, value: ValueId, scalars: Flat<A::Value>) {
        self.values[value.index()] = Some(scalars);
    }
    pub fn set_result(&mut self, op: OpId, scalars: Flat<A::Value>) {
        if let Some(&result) = self.body.results(op).first() {
            self.set(result, scalars);
        }
    }
    pub fn get_all(&self, values: &[ValueId]) -> Result<Flat<A::Value>, Diagnostic> {
        let mut out = Flat::new();
        for &v in values {
            out.extend(self.get(v)?);
        }
        Ok(out)
    }
    pub fn leaves(&self, ty: Type) -> Result<Leaves, Diagnostic> {
        flat::leaves_at(ty, self.loc)
    }
    /// The kind of a value's scalars, which are all the same.
    pub fn leaf_of(&self, value: ValueId) -> Result<Leaf, Diagnostic> {
        Leaf::of(self.ty(value).elem()).ok_or_else(|| self.internal(format!("no scalar: {}", self.ty(value))))
    }
    /// Adds block parameters for values of these types and binds the values to them.
    pub(crate) fn bind_params(&mut self, block: A::Block, values: &[ValueId]) -> Result<(), Diagnostic> {
        for &v in values {
            let leaves = self.leaves(self.ty(v))?;
            let scalars = leaves.iter().map(|&l| self.a.param(block, l)).collect();
            self.set(v, scalars);
        }
        Ok(())
    }
    /// A diagnostic about the op being emitted that should not have come here.
    pub fn internal(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::internal(self.loc, message)
    }
    /// The number of the op's location, for messages.
    pub(crate) fn site(&mut self) -> A::Value {
        let loc = self.loc;
        let site = self.a.tables().site(loc);
        self.a.int(Leaf::I32, site as i64)
    }
    /// Number of a resource, the first one of an array.
    pub(crate) fn resource(&mut self, name: Name, loc: Loc) -> Result<usize, Diagnostic> {
        let module = self.a.module();
        self.a.tables().global(module, name, loc)
    }

    // ----- arithmetic

    pub(crate) fn i64(&mut self, value: i64) -> A::Value {
        self.a.int(Leaf::I64, value)
    }
    pub(crate) fn zero(&mut self, leaf: Leaf) -> A::Value {
        self.a.zero(leaf)
    }
    pub(crate) fn zeros(&mut self, leaves: &[Leaf]) -> Flat<A::Value> {
        leaves.iter().map(|&l| self.zero(l)).collect()
    }
    /// Of i64.
    pub(crate) fn arith(&mut self, op: IntOp, x: A::Value, y: A::Value) -> A::Value {
        self.a.binary(op, Leaf::I64, x, y)
    }
    pub(crate) fn arith_imm(&mut self, op: IntOp, x: A::Value, y: i64) -> A::Value {
        let y = self.i64(y);
        self.arith(op, x, y)
    }
    pub(crate) fn add_imm(&mut self, x: A::Value, y: i64) -> A::Value {
        self.arith_imm(IntOp::Add, x, y)
    }
    /// Of conditions.
    pub(crate) fn and(&mut self, x: A::Value, y: A::Value) -> A::Value {
        self.a.binary(IntOp::And, Leaf::I1, x, y)
    }
    /// `x <= y` without sign, of i64.
    pub(crate) fn at_most(&mut self, x: A::Value, y: A::Value) -> A::Value {
        let least = self.arith(IntOp::Min, x, y);
        self.a.compare(Compare::Equal, Leaf::I64, least, x)
    }
    fn is_null(&mut self, address: A::Value) -> A::Value {
        let null = self.a.null();
        self.a.compare(Compare::Equal, Leaf::Addr, address, null)
    }

    // ----- the context

    /// A field of what tells a thread who it is.
    pub fn context_field(&mut self, leaf: Leaf, offset: usize) -> A::Value {
        let context = self.a.context();
        self.a.load(leaf, context, offset as i64, Memory::Constant)
    }
    /// Address of at least `size` zero bytes.
    pub(crate) fn zero_memory(&mut self, size: u64) -> A::Value {
        self.a.tables().need_zeros(size);
        self.context_field(Leaf::Addr, std::mem::offset_of!(ThreadCtx, zeros))
    }

    // ----- helpers and early exits

    /// A helper that has a result. An address that it takes or gives is a word of 64 bits to it.
    pub(crate) fn helper1(&mut self, helper: Helper, args: &[A::Value]) -> A::Value {
        let context = self.a.context();
        self.a.helper(helper, args).unwrap_or(context)
    }
    fn trap_block(&mut self) -> A::Block {
        match self.trap {
            Some(block) => block,
            None => {
                let block = self.a.cold_block();
                self.trap = Some(block);
                block
            }
        }
    }
    /// [`Assembler::each`] for a single thread.
    pub fn for_one(
        &mut self,
        only: Option<Only<A::Value>>,
        leaves: &[Leaf],
        code: Code<'_, 'm, A, Flat<A::Value>>,
    ) -> Result<Flat<A::Value>, Diagnostic> {
        let Some(only) = only else { return code(self) };
        let join = self.a.block();
        let results: Flat<A::Value> = leaves.iter().map(|&leaf| self.a.param(join, leaf)).collect();
        let zeros = self.zeros(leaves);
        let there = match only {
            Only::If(condition) => {
                let there = self.a.block();
                self.a.branch(condition, there, &[], join, &zeros);
                there
            }
            Only::Unless(condition) => {
                let there = self.a.cold_block();
                self.a.branch(condition, join, &zeros, there, &[]);
                there
            }
        };
        self.a.switch_to(there);
        let values = code(self)?;
        self.a.jump(join, &values);
        self.a.switch_to(join);
        Ok(results)
    }
    /// [`Assembler::when`] for a single thread.
    pub fn when(&mut self, condition: A::Value, code: Code<'_, 'm, A, ()>) -> Result<(), Diagnostic> {
        let (there, join) = (self.a.block(), self.a.block());
        self.a.branch(condition, there, &[], join, &[]);
        self.a.switch_to(there);
        code(self)?;
        self.a.jump(join, &[]);
        self.a.switch_to(join);
        Ok(())
    }
    /// Leaves the function at once if `failed` is not zero.
    pub(crate) fn exit_if(&mut self, failed: A::Value) {
        if !self.a.may_exit() {
            return;
        }
        let (trap, go_on) = (self.trap_block(), self.a.block());
        self.a.branch(failed, trap, &[], go_on, &[]);
        self.a.switch_to(go_on);
    }
    /// The same for the i32 of a helper that says whether it failed.
    pub fn exit_if_status(&mut self, status: A::Value) {
        let failed = self.a.resize(Leaf::I32, Leaf::I1, status, false);
        self.exit_if(failed);
    }
    pub(crate) fn exit_if_null(&mut self, address: A::Value) {
        let failed = self.is_null(address);
        self.exit_if(failed);
    }
    pub fn fail_if(&mut self, condition: A::Value, failure: Failure) {
        let (cold, go_on) = (self.a.cold_block(), self.a.block());
        self.a.branch(condition, cold, &[], go_on, &[]);
        self.a.switch_to(cold);
        let loc = self.loc;
        let site = self.a.tables().site(loc);
        self.a.fail(failure, site);
        let trap = self.trap_block();
        self.a.jump(trap, &[]);
        self.a.switch_to(go_on);
    }
    /// Returns what the function computed.
    pub fn finish(&mut self, scalars: &[A::Value]) {
        for cleanup in std::mem::take(&mut self.cleanup) {
            let context = self.a.context();
            match cleanup {
                Cleanup::Release { at, desc } => {
                    let (desc, together) = (self.i64(desc), self.a.together());
                    if together > 1 {
                        let together = self.i64(together as i64);
                        self.a.helper(Helper::ReleaseWide, &[context, at, desc, together]);
                    } else {
                        self.a.helper(Helper::Release, &[context, at, desc]);
                    }
                }
                Cleanup::Free { at, size } => {
                    let size = self.i64(size as i64);
                    self.a.helper(Helper::Free, &[context, at, size]);
                }
            }
        }
        self.a.ret(Some(scalars));
    }
    /// Writes the early exit, if there is one.
    pub fn finish_trap(&mut self) {
        if let Some(block) = self.trap {
            self.a.switch_to(block);
            self.a.ret(None);
        }
    }
    pub fn results(&self) -> &Leaves {
        &self.results
    }
}
