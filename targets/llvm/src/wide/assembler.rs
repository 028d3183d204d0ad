//! Instructions for several threads at once.
//!
//! What is the same for all threads is a scalar, written by the assembler for one thread; the rest
//! are vectors. `mask` says which threads take part. Values of those that do not are whatever the
//! instructions give, never poison, and are not used.
//!
//! While one thread after the other runs some code, `lane` is its number and every value that is
//! used is that thread's scalar.

use super::Group;
use super::updates::Update;
use super::value::{Line, Val};
use crate::assembler::Llvm;
use crate::host::Host;
use crate::ir::{Block, IntCc, Opcode, Ty, Value};
use crate::{elementary, lanes, math};
use caustic_codegen::{Assembler, Code, Compare, Emit, Flat, IntOp, Lane, Memory, Only};
use caustic_dialects::arith as a;
use caustic_dialects::math as m;
use caustic_ir::{Diagnostic, Loc, Module, Name, OpId};
use caustic_native::{Failure, Helper, Leaf, Tables, ThreadCtx};
use std::mem::offset_of;
use std::rc::Rc;

pub struct Wide<'a, 'm> {
    pub s: Llvm<'a, 'm, Host>,
    pub group: &'a mut Group<'m>,
    /// Threads that run together.
    pub lanes: usize,
    /// Number within the group of the first of them.
    pub first: Value,
    /// Those that take part; `None` is all.
    pub mask: Option<Value>,
    pub saved: Vec<Option<Value>>,
    /// Each scalar of the function's results, and whether it varies.
    pub results: Rc<[(Leaf, bool)]>,
    /// The only one, where code is for one.
    pub lane: Option<Value>,
    /// Whether every [`Line`] is one here; false if some are not.
    pub in_line: Option<bool>,
    /// Those that are to be made before anything else.
    pub(super) updates: Vec<Update>,
    /// Memory of the stack that they use.
    pub(super) slots: Vec<Value>,
}

impl<'m> Wide<'_, 'm> {
    /// The scalar of the thread that runs, or the one that all have.
    pub fn one(&mut self, x: Val) -> Value {
        if !x.varying {
            return x.v;
        }
        let lane = match self.lane {
            Some(lane) => lane,
            None => self.first_active(),
        };
        self.s.unit.ir.element(x.v, lane)
    }
    pub fn vector(&mut self, x: Val) -> Value {
        if x.varying { x.v } else { self.s.unit.ir.splat(x.v, self.lanes) }
    }
    pub fn wide<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        // Like `Ir::wide`, for code that needs more than the builder.
        let lanes = self.lanes;
        let before = self.s.unit.ir.set_width(lanes);
        let built = build(self);
        self.s.unit.ir.set_width(before);
        built
    }
    fn uniform(&self, xs: &[Val]) -> bool {
        self.lane.is_some() || xs.iter().all(|x| !x.varying)
    }
    pub fn wide_ty(&self, leaf: Leaf) -> Ty {
        let ir = &self.s.unit.ir;
        ir.vector(ir.scalar(leaf), self.lanes)
    }
    pub fn context_value(&self) -> Value {
        self.s.context()
    }
    pub fn i64(&self, value: i64) -> Value {
        self.s.unit.ir.int(Leaf::I64, value)
    }

    // ----- masks

    /// Those that take part, as a vector.
    pub fn active(&mut self) -> Value {
        match self.mask {
            Some(mask) => mask,
            None => {
                let one = self.s.unit.ir.flag(true);
                self.s.unit.ir.constants(&vec![one; self.lanes])
            }
        }
    }
    pub fn and_mask(&mut self, condition: Value) -> Value {
        match self.mask {
            Some(mask) => self.s.unit.ir.binary(Opcode::LLVMAnd, mask, condition),
            None => condition,
        }
    }
    pub fn not(&mut self, condition: Value) -> Value {
        let ones = self.s.unit.ir.wide(self.lanes, |ir| ir.int(Leaf::I1, -1));
        self.s.unit.ir.binary(Opcode::LLVMXor, condition, ones)
    }
    /// A mask as the bits of an integer.
    pub fn mask_bits(&mut self, mask: Value) -> Value {
        let ty = self.s.unit.ir.bits(self.lanes);
        self.s.unit.ir.cast(Opcode::LLVMBitCast, mask, ty)
    }
    pub fn any(&mut self, mask: Value) -> Value {
        let bits = self.mask_bits(mask);
        let zero = self.s.unit.ir.constant_int(self.s.unit.ir.bits(self.lanes), 0);
        self.s.unit.ir.icmp(IntCc::LLVMIntNE, bits, zero)
    }
    /// The number of the lowest bit that is set, an i64; below the number of threads even if there
    /// is none.
    pub(super) fn lowest(&mut self, bits: Value) -> Value {
        let ir = &mut self.s.unit.ir;
        let (ty, word, flag) = (ir.bits(self.lanes), ir.scalar(Leaf::I64), ir.flag(false));
        let number = ir.intrinsic("llvm.cttz", &[ty], &[bits, flag]);
        let number = ir.cast(Opcode::LLVMZExt, number, word);
        let last = ir.int(Leaf::I64, self.lanes as i64 - 1);
        ir.intrinsic("llvm.umin", &[word], &[number, last])
    }
    pub fn first_active(&mut self) -> Value {
        match self.mask {
            None => self.i64(0),
            Some(mask) => {
                let bits = self.mask_bits(mask);
                self.lowest(bits)
            }
        }
    }
    pub fn last_active(&mut self) -> Value {
        let Some(mask) = self.mask else { return self.i64(self.lanes as i64 - 1) };
        let bits = self.mask_bits(mask);
        let ir = &mut self.s.unit.ir;
        let (ty, word, flag) = (ir.bits(self.lanes), ir.scalar(Leaf::I64), ir.flag(false));
        let zeros = ir.intrinsic("llvm.ctlz", &[ty], &[bits, flag]);
        let zeros = ir.cast(Opcode::LLVMZExt, zeros, word);
        let last = ir.int(Leaf::I64, self.lanes as i64 - 1);
        let zeros = ir.intrinsic("llvm.umin", &[word], &[zeros, last]);
        ir.binary(Opcode::LLVMSub, last, zeros)
    }
    /// Tells helpers which thread calls.
    fn set_caller(&mut self, lane: Value) {
        let context = self.s.context();
        let ir = &mut self.s.unit.ir;
        let caller = ir.binary(Opcode::LLVMAdd, self.first, lane);
        self.s.store(Leaf::I64, caller, context, offset_of!(ThreadCtx, caller) as i64, Memory::Words);
    }

    // ----- lines

    /// `first`, `first + step`, …
    pub fn line(&mut self, leaf: Leaf, first: Value, step: i64, valid: Option<Value>) -> Val {
        let steps: Vec<Value> =
            (0..self.lanes as i64).map(|i| self.s.unit.ir.int(leaf, i.wrapping_mul(step))).collect();
        let ir = &mut self.s.unit.ir;
        let (all, steps) = (ir.splat(first, self.lanes), ir.constants(&steps));
        let v = ir.binary(Opcode::LLVMAdd, all, steps);
        Val { v, varying: true, line: Some(Line { first, step, valid, whole: false }), all: None }
    }
    pub fn both(&mut self, x: Option<Value>, y: Option<Value>) -> Option<Value> {
        match (x, y) {
            (Some(x), Some(y)) => Some(self.s.unit.ir.binary(Opcode::LLVMAnd, x, y)),
            (x, y) => x.or(y),
        }
    }
    /// A condition that holds only if a line does not go beyond the leaf's range, taken without
    /// sign or with one.
    pub fn no_wrap(&mut self, leaf: Leaf, line: Line, signed: bool) -> Option<Value> {
        let reach = line.step.checked_mul(self.lanes as i64 - 1)?;
        if reach == 0 || reach.unsigned_abs() >= 1 << (leaf.bits() - 2) {
            return None;
        }
        let ir = &mut self.s.unit.ir;
        let reach = ir.int(leaf, reach);
        let last = ir.binary(Opcode::LLVMAdd, line.first, reach);
        let (low, high) = if line.step > 0 { (line.first, last) } else { (last, line.first) };
        Some(ir.icmp(if signed { IntCc::LLVMIntSLE } else { IntCc::LLVMIntULE }, low, high))
    }
    /// What `binary` of a line and what is the same for all, or another line, is.
    fn line_of(&mut self, op: IntOp, leaf: Leaf, x: Val, y: Val) -> Option<Line> {
        let scalar = |v: Val| (!v.varying).then_some(Line { first: v.v, step: 0, valid: None, whole: false });
        let (lx, ly) = (x.line.or_else(|| scalar(x))?, y.line.or_else(|| scalar(y))?);
        let opcode = match op {
            IntOp::Add => Opcode::LLVMAdd,
            IntOp::Sub => Opcode::LLVMSub,
            IntOp::Mul => Opcode::LLVMMul,
            IntOp::Shl => Opcode::LLVMShl,
            _ => return None,
        };
        let step = match op {
            IntOp::Add => lx.step.checked_add(ly.step)?,
            IntOp::Sub => lx.step.checked_sub(ly.step)?,
            IntOp::Mul if ly.step == 0 => lx.step.checked_mul(self.s.unit.ir.as_int(ly.first)?)?,
            IntOp::Mul if lx.step == 0 => ly.step.checked_mul(self.s.unit.ir.as_int(lx.first)?)?,
            IntOp::Shl if ly.step == 0 => {
                let amount =
                    self.s.unit.ir.as_int(ly.first).filter(|&a| (0..i64::from(leaf.bits()).min(32)).contains(&a))?;
                lx.step.checked_mul(1 << amount)?
            }
            _ => return None,
        };
        if step.unsigned_abs() >= 1 << (leaf.bits() - 2).min(40) {
            return None;
        }
        let valid = self.both(lx.valid, ly.valid);
        let first = self.s.unit.ir.binary(opcode, lx.first, ly.first);
        Some(Line { first, step, valid, whole: false })
    }
    fn resized(&mut self, from: Leaf, to: Leaf, line: Line, signed: bool) -> Option<Line> {
        let mut valid = line.valid;
        if to.bits() > from.bits() {
            let fits = self.no_wrap(from, line, signed)?;
            valid = self.both(valid, Some(fits));
        }
        let first = lanes::resize(&mut self.s.unit.ir, from, to, line.first, signed);
        Some(Line { first, valid, ..line })
    }

    // ----- elementwise ops

    /// One thread after the other, without a loop, those that do not take part as well.
    fn unrolled(&mut self, lane: &Lane<'_, Val>) -> Option<Val> {
        let mut result: Option<Value> = None;
        for i in 0..self.lanes {
            let at = self.i64(i as i64);
            let args: Flat<Value> =
                lane.args.iter().map(|x| if x.varying { self.s.unit.ir.element(x.v, at) } else { x.v }).collect();
            let one = Lane { name: lane.name, args: &args, from: lane.from, to: lane.to, predicate: lane.predicate };
            let one = self.s.lane(&one)?;
            let so_far = match result {
                Some(so_far) => so_far,
                None => {
                    let ty = self.wide_ty(lane.to);
                    self.s.unit.ir.null(ty)
                }
            };
            result = Some(self.s.unit.ir.with_element(so_far, one, at));
        }
        result.map(Val::varying)
    }

    fn lines_of_lane(&mut self, lane: &Lane<'_, Val>) -> Option<Line> {
        match (lane.name, lane.args) {
            (a::AddI::NAME, &[x, y]) => self.line_of(IntOp::Add, lane.to, x, y),
            (a::SubI::NAME, &[x, y]) => self.line_of(IntOp::Sub, lane.to, x, y),
            (a::MulI::NAME, &[x, y]) => self.line_of(IntOp::Mul, lane.to, x, y),
            (a::ShLI::NAME, &[x, y]) => self.line_of(IntOp::Shl, lane.to, x, y),
            (a::ExtSI::NAME | a::IndexCast::NAME, &[x]) => self.resized(lane.from[0], lane.to, x.line?, true),
            (a::ExtUI::NAME | a::TruncI::NAME | a::IndexCastUI::NAME, &[x]) => {
                self.resized(lane.from[0], lane.to, x.line?, false)
            }
            (a::Bitcast::NAME, &[x]) if lane.from[0] == lane.to => x.line,
            _ => None,
        }
    }
}

/// Whether an op has no vector form that gives what the scalar one does.
fn one_by_one(lane: &Lane<'_, Val>) -> bool {
    let half = lane.to == Leaf::F16 || lane.from.contains(&Leaf::F16);
    let ours = elementary::has(lane.name) && matches!(lane.to, Leaf::F32 | Leaf::F16);
    math::function(lane.name).is_some() && !ours
        || lane.name == a::RemF::NAME
        || half && matches!(lane.name, a::SIToFP::NAME | a::UIToFP::NAME | a::TruncF::NAME | m::Fma::NAME)
}

impl<'m> Assembler<'m> for Wide<'_, 'm> {
    type Value = Val;
    type Block = Block;

    const HOSTED: bool = true;
    const ZEROS: bool = false;

    fn module(&self) -> &'m Module {
        self.s.unit.module
    }
    fn tables(&mut self) -> &mut Tables {
        &mut self.s.unit.tables
    }
    fn interruptible(&self) -> bool {
        self.s.unit.interruptible
    }
    fn special(emit: &mut Emit<'m, Self>, op: OpId) -> Result<bool, Diagnostic> {
        Ok(super::ids::id(emit, op) || super::quotients::by_reciprocal(emit, op)? || super::waves::op(emit, op)?)
    }

    // ----- blocks: jumps are the same for all threads

    fn block(&mut self) -> Block {
        self.s.block()
    }
    fn cold_block(&mut self) -> Block {
        self.s.cold_block()
    }
    fn param(&mut self, block: Block, leaf: Leaf) -> Val {
        Val::uniform(self.s.param(block, leaf))
    }
    fn switch_to(&mut self, block: Block) {
        self.s.switch_to(block);
    }
    fn written_at(&mut self, loc: Loc) {
        self.s.written_at(loc);
    }
    fn jump(&mut self, to: Block, args: &[Val]) {
        let args: Flat<Value> = args.iter().map(|&x| self.one(x)).collect();
        self.s.jump(to, &args);
    }
    fn branch(&mut self, condition: Val, then: Block, then_args: &[Val], other: Block, other_args: &[Val]) {
        let condition = self.one(condition);
        let then_args: Flat<Value> = then_args.iter().map(|&x| self.one(x)).collect();
        let other_args: Flat<Value> = other_args.iter().map(|&x| self.one(x)).collect();
        self.s.branch(condition, then, &then_args, other, &other_args);
    }
    fn switch(&mut self, value: Val, cases: &[(i64, Block)], default: Block) {
        let value = self.one(value);
        self.s.switch(value, cases, default);
    }

    // ----- several threads at once

    fn alone(&self) -> bool {
        self.lane.is_some()
    }
    fn together(&self) -> u64 {
        self.lanes as u64
    }
    fn own_bits(&mut self) -> Val {
        if let Some(lane) = self.lane {
            let one = self.i64(1);
            return Val::uniform(self.s.unit.ir.binary(Opcode::LLVMShl, one, lane));
        }
        let active = self.active();
        let bits = self.mask_bits(active);
        let word = self.s.unit.ir.scalar(Leaf::I64);
        Val::uniform(self.s.unit.ir.cast(Opcode::LLVMZExt, bits, word))
    }
    fn is_common(&self, value: Val) -> bool {
        self.uniform(&[value])
    }
    fn load_common(&mut self, leaf: Leaf, address: Val, offset: i64) -> Val {
        if address.varying && self.lane.is_none() {
            return self.load(leaf, address, offset, Memory::Local);
        }
        // The first thread's, who has it whether or not it takes part.
        let at = self.moved(address, offset, Memory::Local);
        Val::uniform(self.s.load(leaf, at.v, 0, Memory::Local))
    }
    fn any_of(&mut self, condition: Val) -> Val {
        if self.uniform(&[condition]) {
            return Val::uniform(self.one(condition));
        }
        let mask = self.and_mask(condition.v);
        Val::uniform(self.any(mask))
    }
    fn enter(&mut self, condition: Val) -> Val {
        self.saved.push(self.mask);
        if self.uniform(&[condition]) {
            return Val::uniform(self.one(condition));
        }
        let mask = self.and_mask(condition.v);
        self.mask = Some(mask);
        Val::uniform(self.any(mask))
    }
    fn leave(&mut self) {
        if let Some(mask) = self.saved.pop() {
            self.mask = mask;
        }
    }
    fn may_exit(&self) -> bool {
        self.lane.is_none()
    }
    fn each(
        emit: &mut Emit<'m, Self>,
        only: Option<Only<Val>>,
        leaves: &[Leaf],
        code: Code<'_, 'm, Self, Flat<Val>>,
    ) -> Result<Flat<Val>, Diagnostic> {
        if emit.a.lane.is_some() {
            return emit.for_one(only, leaves, code);
        }
        let w = &mut emit.a;
        let join = w.block();
        let tys: Flat<Ty> = leaves.iter().map(|&leaf| w.wide_ty(leaf)).collect();
        let zeros: Flat<Value> = tys.iter().map(|&ty| w.s.unit.ir.null(ty)).collect();
        let mut skipped: Vec<Block> = Vec::new();
        // Most often it is known for all at once that nobody is meant.
        if let Some(Only::Unless(condition)) = only {
            let nobody = if condition.varying { condition.all } else { Some(condition.v) };
            if let Some(nobody) = nobody {
                let look = if condition.varying { w.block() } else { w.cold_block() };
                skipped.push(w.s.unit.ir.here());
                w.s.branch(nobody, join, &[], look, &[]);
                w.switch_to(look);
            }
        }
        let meant = match only {
            None => w.active(),
            Some(Only::If(condition)) => {
                let condition = w.vector(condition);
                w.and_mask(condition)
            }
            Some(Only::Unless(condition)) => {
                let condition = w.vector(condition);
                let condition = w.not(condition);
                w.and_mask(condition)
            }
        };
        let cold = matches!(only, Some(Only::Unless(_)));
        let any = w.any(meant);
        let head = if cold { w.cold_block() } else { w.block() };
        skipped.push(w.s.unit.ir.here());
        w.s.branch(any, head, &[], join, &[]);
        w.switch_to(head);
        let bits = w.mask_bits(meant);
        let looped = w.block();
        let entered = w.s.unit.ir.here();
        w.s.jump(looped, &[]);
        w.switch_to(looped);
        let bits_ty = w.s.unit.ir.bits(w.lanes);
        let left = w.s.unit.ir.phi_here(bits_ty, &[(bits, entered)]);
        let so_far: Flat<Value> =
            tys.iter().zip(&zeros).map(|(&ty, &zero)| w.s.unit.ir.phi_here(ty, &[(zero, entered)])).collect();
        let lane = w.lowest(left);
        w.set_caller(lane);
        w.lane = Some(lane);
        let in_line = w.in_line.take();
        let values = code(emit);
        let w = &mut emit.a;
        let values: Flat<Value> = values?.iter().map(|&x| w.one(x)).collect();
        (w.lane, w.in_line) = (None, in_line);
        let done: Flat<Value> =
            so_far.iter().zip(&values).map(|(&so_far, &v)| w.s.unit.ir.with_element(so_far, v, lane)).collect();
        let ir = &mut w.s.unit.ir;
        let (one, zero) = (ir.constant_int(bits_ty, 1), ir.constant_int(bits_ty, 0));
        let less = ir.binary(Opcode::LLVMSub, left, one);
        let rest = ir.binary(Opcode::LLVMAnd, left, less);
        let again = ir.icmp(IntCc::LLVMIntNE, rest, zero);
        let end = ir.here();
        ir.add_incoming(left, rest, end);
        for (&phi, &value) in so_far.iter().zip(&done) {
            ir.add_incoming(phi, value, end);
        }
        w.s.branch(again, looped, &[], join, &[]);
        w.switch_to(join);
        let mut results = Flat::new();
        for ((&ty, &zero), &value) in tys.iter().zip(&zeros).zip(&done) {
            let mut incoming: Vec<(Value, Block)> = skipped.iter().map(|&block| (zero, block)).collect();
            incoming.push((value, end));
            results.push(Val::varying(w.s.unit.ir.phi_here(ty, &incoming)));
        }
        Ok(results)
    }
    fn when(emit: &mut Emit<'m, Self>, condition: Val, code: Code<'_, 'm, Self, ()>) -> Result<(), Diagnostic> {
        if emit.a.uniform(&[condition]) {
            return emit.when(condition, code);
        }
        let join = emit.a.block();
        if let Some(all) = condition.all {
            let (fast, slow) = (emit.a.block(), emit.a.block());
            emit.a.s.branch(all, fast, &[], slow, &[]);
            emit.a.switch_to(fast);
            let before = emit.a.in_line.replace(true);
            code(emit)?;
            emit.a.in_line = before;
            emit.a.s.jump(join, &[]);
            emit.a.switch_to(slow);
        }
        let there = emit.a.block();
        let any = emit.a.enter(condition);
        emit.a.branch(any, there, &[], join, &[]);
        emit.a.switch_to(there);
        let before = emit.a.in_line;
        if condition.all.is_some() {
            emit.a.in_line = Some(false);
        }
        code(emit)?;
        emit.a.in_line = before;
        emit.a.leave();
        emit.a.s.jump(join, &[]);
        emit.a.switch_to(join);
        Ok(())
    }

    // ----- values

    fn int(&mut self, leaf: Leaf, value: i64) -> Val {
        Val::uniform(self.s.int(leaf, value))
    }
    fn float(&mut self, leaf: Leaf, value: f64) -> Val {
        Val::uniform(self.s.float(leaf, value))
    }
    fn null(&mut self) -> Val {
        Val::uniform(self.s.null())
    }
    fn binary(&mut self, op: IntOp, leaf: Leaf, x: Val, y: Val) -> Val {
        if self.uniform(&[x, y]) {
            let (x, y) = (self.one(x), self.one(y));
            return Val::uniform(self.s.binary(op, leaf, x, y));
        }
        let line = self.line_of(op, leaf, x, y);
        // What holds for both if something does.
        let all = (op == IntOp::And && leaf == Leaf::I1).then(|| {
            let part = |v: Val| if v.varying { v.all } else { Some(v.v) };
            part(x).zip(part(y)).map(|(x, y)| self.s.unit.ir.binary(Opcode::LLVMAnd, x, y))
        });
        let (x, y) = (self.vector(x), self.vector(y));
        let v = self.wide(|w| w.s.binary(op, leaf, x, y));
        Val { line, all: all.flatten(), ..Val::varying(v) }
    }
    fn compare(&mut self, how: Compare, leaf: Leaf, x: Val, y: Val) -> Val {
        if self.uniform(&[x, y]) {
            let (x, y) = (self.one(x), self.one(y));
            return Val::uniform(self.s.compare(how, leaf, x, y));
        }
        let all = match (how, x.line) {
            (Compare::UnsignedLess, Some(line)) if !y.varying && line.step > 0 => {
                self.no_wrap(leaf, line, false).map(|ordered| {
                    let reach = self.s.unit.ir.int(leaf, line.step * (self.lanes as i64 - 1));
                    let last = self.s.unit.ir.binary(Opcode::LLVMAdd, line.first, reach);
                    let below = self.s.unit.ir.icmp(IntCc::LLVMIntULT, last, y.v);
                    let all = self.s.unit.ir.binary(Opcode::LLVMAnd, ordered, below);
                    self.both(line.valid, Some(all)).unwrap_or(all)
                })
            }
            _ => None,
        };
        let (x, y) = (self.vector(x), self.vector(y));
        let v = self.wide(|w| w.s.compare(how, leaf, x, y));
        Val { all, ..Val::varying(v) }
    }
    fn select(&mut self, condition: Val, x: Val, y: Val) -> Val {
        if self.uniform(&[condition, x, y]) {
            let (condition, x, y) = (self.one(condition), self.one(x), self.one(y));
            return Val::uniform(self.s.select(condition, x, y));
        }
        let line = match (condition.all, x.line) {
            (Some(all), Some(line)) if condition.varying => {
                let valid = self.both(line.valid, Some(all));
                Some(Line { valid, ..line })
            }
            _ => None,
        };
        let (x, y) = (self.vector(x), self.vector(y));
        Val { line, ..Val::varying(self.s.select(condition.v, x, y)) }
    }
    fn resize(&mut self, from: Leaf, to: Leaf, x: Val, signed: bool) -> Val {
        if self.uniform(&[x]) {
            let x = self.one(x);
            return Val::uniform(self.s.resize(from, to, x, signed));
        }
        let line = x.line.and_then(|line| self.resized(from, to, line, signed));
        let v = self.wide(|w| w.s.resize(from, to, x.v, signed));
        Val { line, ..Val::varying(v) }
    }
    fn lane(&mut self, lane: &Lane<'_, Val>) -> Option<Val> {
        if self.uniform(lane.args) {
            let args: Flat<Value> = lane.args.iter().map(|&x| self.one(x)).collect();
            let one = Lane { name: lane.name, args: &args, from: lane.from, to: lane.to, predicate: lane.predicate };
            return self.s.lane(&one).map(Val::uniform);
        }
        if one_by_one(lane) {
            return match self.vector_function(lane) {
                Some(value) => Some(value),
                None => self.unrolled(lane),
            };
        }
        let line = self.lines_of_lane(lane);
        let args: Flat<Value> = lane.args.iter().map(|&x| self.vector(x)).collect();
        let all = Lane { name: lane.name, args: &args, from: lane.from, to: lane.to, predicate: lane.predicate };
        let v = self.wide(|w| w.s.lane(&all))?;
        Some(Val { line, ..Val::varying(v) })
    }
    fn widen(&mut self, leaf: Leaf, value: Val) -> Val {
        self.map(value, |s, v| s.widen(leaf, v))
    }
    fn narrow(&mut self, leaf: Leaf, value: Val) -> Val {
        self.map(value, |s, v| s.narrow(leaf, v))
    }
    fn word_of(&mut self, leaf: Leaf, value: Val) -> Val {
        self.map(value, |s, v| s.word_of(leaf, v))
    }
    fn scalar_of(&mut self, leaf: Leaf, word: Val) -> Val {
        self.map(word, |s, v| s.scalar_of(leaf, v))
    }
    fn with_bits(&mut self, leaf: Leaf, bits: Val) -> Val {
        self.map(bits, |s, v| s.with_bits(leaf, v))
    }
    fn to_bits(&mut self, leaf: Leaf, value: Val) -> Val {
        self.map(value, |s, v| s.to_bits(leaf, v))
    }

    // ----- memory

    fn offset(&mut self, address: Val, bytes: i64, memory: Memory) -> Val {
        self.moved(address, bytes, memory)
    }
    fn element(&mut self, address: Val, index: Val, stride: u64, memory: Memory) -> Val {
        self.indexed(address, index, stride, memory)
    }
    fn align_down(&mut self, address: Val, size: u64) -> Val {
        self.map(address, |s, address| s.align_down(address, size))
    }
    fn load(&mut self, leaf: Leaf, address: Val, offset: i64, memory: Memory) -> Val {
        self.load_any(leaf, address, offset, memory, None)
    }
    fn load_if(&mut self, leaf: Leaf, address: Val, offset: i64, memory: Memory, exists: Val) -> Val {
        self.load_any(leaf, address, offset, memory, Some(exists))
    }
    fn load_parts(
        &mut self,
        parts: &[(u64, Leaf)],
        address: Val,
        offset: i64,
        memory: Memory,
        exists: Option<Val>,
    ) -> Flat<Val> {
        self.load_beside(parts, address, offset, memory, exists)
    }
    fn store(&mut self, leaf: Leaf, value: Val, address: Val, offset: i64, memory: Memory) {
        self.store_any(leaf, value, address, offset, memory);
    }
    fn store_parts(&mut self, parts: &[(u64, Leaf)], values: &[Val], address: Val, offset: i64, memory: Memory) {
        self.store_beside(parts, values, address, offset, memory);
    }
    fn moves_bytes(&self) -> bool {
        false
    }
    fn fill_zero(&mut self, address: Val, size: u64, align: u64) {
        let address = self.one(address);
        self.s.fill_zero(address, size * self.lanes as u64, align);
    }
    fn copy(&mut self, to: Val, from: Val, size: u64, align: u64) {
        let (to, from) = (self.one(to), self.one(from));
        self.s.copy(to, from, size * self.lanes as u64, align);
    }
    fn local_size(&self, size: u64) -> u64 {
        size.saturating_mul(self.lanes as u64)
    }
    fn stack_memory(&mut self, size: u64) -> Val {
        Val::uniform(self.s.stack_memory(size))
    }
    fn stack_pointer(&mut self) -> Val {
        Val::uniform(self.s.stack_pointer())
    }
    fn fence(&mut self) {
        self.s.fence();
    }
    fn load_shared(&mut self, address: Val) -> Val {
        let address = self.one(address);
        Val::uniform(self.s.load_shared(address))
    }
    fn note_update(&mut self, kind: &str, leaf: Leaf, address: Val, exists: Option<Val>, value: Val) -> bool {
        self.note(kind, leaf, address, exists, value)
    }
    fn settle(&mut self) {
        self.make_updates();
    }
    fn atomic_rmw(&mut self, kind: &str, leaf: Leaf, address: Val, value: Val) -> Option<Val> {
        let (address, value) = (self.one(address), self.one(value));
        self.s.atomic_rmw(kind, leaf, address, value).map(Val::uniform)
    }
    fn atomic_cas(&mut self, leaf: Leaf, address: Val, expected: Val, value: Val) -> Val {
        let (address, expected, value) = (self.one(address), self.one(expected), self.one(value));
        Val::uniform(self.s.atomic_cas(leaf, address, expected, value))
    }

    // ----- functions

    fn context(&self) -> Val {
        Val::uniform(self.s.context())
    }
    fn call(&mut self, name: Name, loc: Loc, args: &[Val]) -> Result<(Val, Flat<Val>), Diagnostic> {
        self.call_wide(name, loc, args)
    }
    fn ret(&mut self, values: Option<&[Val]>) {
        self.return_wide(values);
    }
    fn helper(&mut self, helper: Helper, args: &[Val]) -> Option<Val> {
        let args: Flat<Value> = args.iter().map(|&x| self.one(x)).collect();
        self.s.helper(helper, &args).map(Val::uniform)
    }
    fn fail(&mut self, failure: Failure, site: u32) {
        let lane = self.first_active();
        self.set_caller(lane);
        self.s.fail(failure, site);
    }
}

impl<'a, 'm> Wide<'a, 'm> {
    fn map(&mut self, x: Val, build: impl FnOnce(&mut Llvm<'a, 'm, Host>, Value) -> Value) -> Val {
        if self.uniform(&[x]) {
            let x = self.one(x);
            return Val::uniform(build(&mut self.s, x));
        }
        Val::varying(self.wide(|w| build(&mut w.s, x.v)))
    }
}
