//! Barriers, wave operations and `printf` on a GPU.
//!
//! The lanes that take part in a wave operation are those of its mask, which the pass `wave-masks`
//! makes; the machine waits for exactly these. Which lanes it runs together is never asked: they
//! may be in different iterations of a loop. Scans, and reductions of a wave that is not complete,
//! go over them in rising order, as the reference evaluation does; a complete wave is reduced by
//! halves, and integers of 32 bits by one instruction where there is one.

use crate::assembler::Llvm;
use crate::gpu::Gpu;
use crate::ir::{FloatCc, IntCc, Ir, Opcode, Value};
use crate::{lanes, peers, transpose};
use caustic_codegen::{Emit, Flat, Lane};
use caustic_dialects::combine::{combine_def, identity};
use caustic_dialects::gpu;
use caustic_dialects::simt::{self, WaveKind, WaveOp};
use caustic_ir::eval::Val;
use caustic_ir::{Diagnostic, OpId, Type};
use caustic_native::Leaf;

pub(crate) type Gpus<'a, 'm> = Emit<'m, Llvm<'a, 'm, Gpu>>;

pub fn converge<'m>(emit: &mut Gpus<'_, 'm>, op: OpId) -> Result<(), Diagnostic> {
    if gpu::Barrier::is(emit.body, op) {
        emit.a.unit.ir.intrinsic("llvm.nvvm.barrier0", &[], &[]);
        return Ok(());
    }
    let wave = WaveOp::of(emit.body, op).ok_or_else(|| emit.internal("a malformed wave operation"))?;
    let brought = simt::brought(emit.body, op);
    let operands: Vec<Flat<Value>> = brought.iter().map(|&v| emit.get(v)).collect::<Result<_, _>>()?;
    if wave.kind == WaveKind::SumsByKey {
        return peers::sums_by_key(emit, op, &operands);
    }
    if wave.kind == WaveKind::Transpose {
        return transpose::transpose(emit, op, &operands);
    }
    let ty = brought.first().map_or_else(Type::i1, |&v| emit.ty(v));
    let leaf = Leaf::of(ty.elem()).ok_or_else(|| emit.internal("a wave operation on what is no number"))?;
    let own = operands.first().cloned().unwrap_or_default();
    let function = emit.a.function;
    let second = match (operands.get(1), brought.get(1)) {
        (Some(scalars), Some(&v)) => Some((scalars[0], emit.leaf_of(v)?)),
        _ => None,
    };
    let width = operands.get(2).and_then(|w| w.first().copied());
    let mask = mask(emit, op)?;
    let mut w = Waves { ir: &mut emit.a.unit.ir, function, leaf };
    let me = w.me();
    let malformed = "a wave operation without an operand";
    let results: Vec<Flat<Value>> = match wave.kind {
        WaveKind::Reduce(kind) => {
            let reduced = own.iter().map(|&v| w.reduce(&kind, ty, mask, v)).collect::<Option<_>>();
            vec![reduced.ok_or_else(|| Diagnostic::internal(emit.loc, "no such reduction"))?]
        }
        WaveKind::Scan { op: kind, inclusive } => {
            let scanned = own.iter().map(|&v| w.fold(&kind, ty, mask, v, Some((me, inclusive)))).collect::<Option<_>>();
            vec![scanned.ok_or_else(|| Diagnostic::internal(emit.loc, "no such scan"))?]
        }
        WaveKind::ReadFirst => {
            let first = w.first(mask);
            vec![own.iter().map(|&v| w.of_lane(mask, v, first)).collect()]
        }
        WaveKind::ReadLane => {
            let (lane, lane_leaf) = second.ok_or_else(|| Diagnostic::internal(emit.loc, malformed))?;
            let lane = lanes::resize(w.ir, lane_leaf, Leaf::I32, lane, true);
            vec![w.read_lane(mask, lane, &own)]
        }
        WaveKind::Shuffle(mode) => {
            let ((offset, _), width) = second.zip(width).ok_or_else(|| Diagnostic::internal(emit.loc, malformed))?;
            let (found, valid) = w.shuffle(&mode, mask, me, offset, width, &own);
            vec![found, Flat::from_slice(&[valid])]
        }
        WaveKind::Ballot => vec![Flat::from_slice(&[w.vote("ballot", mask, own[0])])],
        WaveKind::Vote { all } => vec![Flat::from_slice(&[w.vote(if all { "all" } else { "any" }, mask, own[0])])],
        WaveKind::AllEqual => vec![w.all_equal(mask, &own)],
        WaveKind::Match => vec![Flat::from_slice(&[peers::matching(&mut w, mask, &own)])],
        WaveKind::Elect => {
            let first = w.first(mask);
            vec![Flat::from_slice(&[w.ir.icmp(IntCc::LLVMIntEQ, me, first)])]
        }
        WaveKind::Sums => {
            let values: Vec<Value> = operands.iter().filter_map(|v| v.first().copied()).collect();
            let sum = w.sums(ty, mask, me, &values);
            vec![Flat::from_slice(&[sum.ok_or_else(|| Diagnostic::internal(emit.loc, "no such sum"))?])]
        }
        WaveKind::SumsByKey | WaveKind::Transpose => Vec::new(),
    };
    for (&result, scalars) in emit.body.results(op).iter().zip(results) {
        emit.set(result, scalars);
    }
    Ok(())
}

/// A bit for each lane that takes part in a wave operation.
pub(crate) fn mask(emit: &mut Gpus<'_, '_>, op: OpId) -> Result<Value, Diagnostic> {
    if emit.body.attr(op, simt::COMPLETE).is_some() {
        return Ok(emit.a.unit.ir.int(Leaf::I32, -1));
    }
    let mask = simt::mask_of(emit.body, op).ok_or_else(|| emit.internal("a wave operation without a mask"))?;
    emit.get(mask)?.first().copied().ok_or_else(|| emit.internal("an empty mask"))
}

/// Exchanges between the lanes of a wave, of scalars of one kind.
pub(crate) struct Waves<'a> {
    pub ir: &'a mut Ir,
    pub function: crate::ir::Function,
    pub leaf: Leaf,
}

impl Waves<'_> {
    pub(crate) fn int(&self, value: i64) -> Value {
        self.ir.int(Leaf::I32, value)
    }
    pub(crate) fn zero(&self) -> Value {
        self.ir.null(self.ir.ty(self.leaf))
    }
    /// A bit for each lane of a wave.
    pub(crate) fn all(&self) -> Value {
        self.int(-1)
    }
    pub(crate) fn me(&mut self) -> Value {
        let me = self.ir.intrinsic("llvm.nvvm.read.ptx.sreg.laneid", &[], &[]);
        self.ir.range(me, 0, 32);
        me
    }
    /// The first lane of a mask that is not empty.
    pub(crate) fn first(&mut self, mask: Value) -> Value {
        let (ty, defined) = (self.ir.ty(Leaf::I32), self.ir.int(Leaf::I1, 1));
        self.ir.intrinsic("llvm.cttz", &[ty], &[mask, defined])
    }
    fn is_active(&mut self, mask: Value, lane: Value) -> Value {
        let (wave, one, zero) = (self.int(32), self.int(1), self.int(0));
        let inside = self.ir.icmp(IntCc::LLVMIntULT, lane, wave);
        let lane = self.ir.select(inside, lane, zero);
        let bits = self.ir.binary(Opcode::LLVMLShr, mask, lane);
        let bit = self.ir.binary(Opcode::LLVMAnd, bits, one);
        let set = self.ir.icmp(IntCc::LLVMIntNE, bit, zero);
        self.ir.binary(Opcode::LLVMAnd, inside, set)
    }
    pub(crate) fn vote(&mut self, how: &str, mask: Value, predicate: Value) -> Value {
        self.ir.intrinsic(&format!("llvm.nvvm.vote.{how}.sync"), &[], &[mask, predicate])
    }

    /// What `lane` has; zero, if that lane is not active.
    fn read_lane(&mut self, mask: Value, lane: Value, own: &[Value]) -> Flat<Value> {
        let there = self.is_active(mask, lane);
        let mut pick = |&v: &Value| {
            let (found, zero) = (self.of_lane(mask, v, lane), self.zero());
            self.ir.select(there, found, zero)
        };
        own.iter().map(&mut pick).collect()
    }

    /// What the lane at `offset` has in this lane's part of the wave, of `width` lanes; whether
    /// there is such a lane. What is its own otherwise.
    fn shuffle(
        &mut self,
        mode: &str,
        mask: Value,
        me: Value,
        offset: Value,
        width: Value,
        own: &[Value],
    ) -> (Flat<Value>, Value) {
        let lane = match mode {
            "xor" => self.ir.binary(Opcode::LLVMXor, me, offset),
            "up" => self.ir.binary(Opcode::LLVMSub, me, offset),
            "down" => self.ir.binary(Opcode::LLVMAdd, me, offset),
            _ => offset,
        };
        let (zero, one) = (self.int(0), self.int(1));
        let sensible = self.ir.icmp(IntCc::LLVMIntSGT, width, zero);
        let divisor = self.ir.select(sensible, width, one);
        // A negative lane is in no part; as a number without sign it is beyond all.
        let mine = self.ir.binary(Opcode::LLVMUDiv, me, divisor);
        let theirs = self.ir.binary(Opcode::LLVMUDiv, lane, divisor);
        let same = self.ir.icmp(IntCc::LLVMIntEQ, mine, theirs);
        let there = self.is_active(mask, lane);
        let valid = self.ir.binary(Opcode::LLVMAnd, same, there);
        let valid = self.ir.binary(Opcode::LLVMAnd, valid, sensible);
        let mut pick = |&v: &Value| {
            let found = self.of_lane(mask, v, lane);
            self.ir.select(valid, found, v)
        };
        (own.iter().map(&mut pick).collect(), valid)
    }

    /// Whether all lanes have what the first has.
    fn all_equal(&mut self, mask: Value, own: &[Value]) -> Flat<Value> {
        let first = self.first(mask);
        let mut agree = |&v: &Value| {
            let theirs = self.of_lane(mask, v, first);
            let same = self.same(v, theirs);
            self.vote("all", mask, same)
        };
        own.iter().map(&mut agree).collect()
    }

    /// The value that `lane` has; any, if that lane is not active.
    pub(crate) fn of_lane(&mut self, mask: Value, value: Value, lane: Value) -> Value {
        self.exchange("llvm.nvvm.shfl.sync.idx.i32", mask, value, lane)
    }

    fn exchange(&mut self, intrinsic: &str, mask: Value, value: Value, lane: Value) -> Value {
        let (clamp, int) = (self.int(31), self.leaf.bits_leaf());
        let int_ty = self.ir.ty(int);
        let bits = if self.leaf.is_float() { self.ir.cast(Opcode::LLVMBitCast, value, int_ty) } else { value };
        let mut words = Vec::new();
        if int == Leaf::I64 {
            let half = self.ir.int(Leaf::I64, 32);
            let high = self.ir.binary(Opcode::LLVMLShr, bits, half);
            words.push(lanes::resize(self.ir, Leaf::I64, Leaf::I32, bits, false));
            words.push(lanes::resize(self.ir, Leaf::I64, Leaf::I32, high, false));
        } else {
            words.push(lanes::resize(self.ir, int, Leaf::I32, bits, false));
        }
        let words: Vec<Value> =
            words.into_iter().map(|word| self.ir.intrinsic(intrinsic, &[], &[mask, word, lane, clamp])).collect();
        let bits = match words[..] {
            [low, high] => {
                let half = self.ir.int(Leaf::I64, 32);
                let low = lanes::resize(self.ir, Leaf::I32, Leaf::I64, low, false);
                let high = lanes::resize(self.ir, Leaf::I32, Leaf::I64, high, false);
                let high = self.ir.binary(Opcode::LLVMShl, high, half);
                self.ir.binary(Opcode::LLVMOr, low, high)
            }
            _ => lanes::resize(self.ir, Leaf::I32, int, words[0], false),
        };
        let ty = self.ir.ty(self.leaf);
        if self.leaf.is_float() { self.ir.cast(Opcode::LLVMBitCast, bits, ty) } else { bits }
    }

    pub(crate) fn combine(&mut self, kind: &str, ty: Type, x: Value, y: Value) -> Option<Value> {
        let def = combine_def(kind, ty.elem())?;
        let from = [self.leaf; 2];
        let lane = Lane { name: def.name, args: &[x, y], from: &from, to: self.leaf, predicate: -1 };
        lanes::lane::<Gpu>(self.ir, &lane)
    }

    /// Numbers are equal, as by `==`.
    pub(crate) fn same(&mut self, x: Value, y: Value) -> Value {
        match self.leaf.is_float() {
            true => self.ir.fcmp(FloatCc::LLVMRealOEQ, x, y),
            false => self.ir.icmp(IntCc::LLVMIntEQ, x, y),
        }
    }

    /// One value where the wave is complete, made by the first function, and another where it is
    /// not.
    fn by_completeness(
        &mut self,
        mask: Value,
        complete: impl FnOnce(&mut Self) -> Option<Value>,
        partial: impl FnOnce(&mut Self) -> Option<Value>,
    ) -> Option<Value> {
        let all = self.all();
        if mask == all {
            return complete(self);
        }
        let is_complete = self.ir.icmp(IntCc::LLVMIntEQ, mask, all);
        let (whole, part, done) = (self.block(), self.block(), self.block());
        let scalar = self.ir.ty(self.leaf);
        let result = self.ir.phi(done, scalar);
        self.ir.branch(is_complete, (whole, &[]), (part, &[]));
        self.ir.switch_to(whole);
        let value = complete(self)?;
        self.ir.jump(done, &[value]);
        self.ir.switch_to(part);
        let value = partial(self)?;
        self.ir.jump(done, &[value]);
        self.ir.switch_to(done);
        Some(result)
    }

    /// In a complete wave: the value combined with that of the lane whose number differs in this
    /// bit.
    fn with_neighbour(&mut self, kind: &str, ty: Type, value: Value, sent: Value, bit: i64) -> Option<Value> {
        let (all, distance) = (self.all(), self.int(bit));
        let other = self.exchange("llvm.nvvm.shfl.sync.bfly.i32", all, sent, distance);
        self.combine(kind, ty, value, other)
    }

    /// The integers of the active lanes combined, by the machine's instruction for that.
    fn redux(&mut self, kind: &str, mask: Value, value: Value) -> Option<Value> {
        if !self.ir.redux || self.leaf != Leaf::I32 {
            return None;
        }
        let name = match kind {
            "add" | "and" | "or" | "xor" => kind,
            "minsi" => "min",
            "minui" => "umin",
            "maxsi" => "max",
            "maxui" => "umax",
            _ => return None,
        };
        Some(self.ir.intrinsic(&format!("llvm.nvvm.redux.sync.{name}"), &[], &[value, mask]))
    }

    fn reduce(&mut self, kind: &str, ty: Type, mask: Value, value: Value) -> Option<Value> {
        if let Some(combined) = self.redux(kind, mask, value) {
            return Some(combined);
        }
        let halves = |w: &mut Self| {
            [16, 8, 4, 2, 1].into_iter().try_fold(value, |sum, bit| w.with_neighbour(kind, ty, sum, sum, bit))
        };
        self.by_completeness(mask, halves, |w| w.fold(kind, ty, mask, value, None))
    }

    /// Of each lane the one sum that it gets. Lanes that differ in the highest bit of their number
    /// share the values out between them, each adds the other's part of its half, then those that
    /// differ in the next: of n values n / 2, then n / 4, … are exchanged.
    fn sums(&mut self, ty: Type, mask: Value, me: Value, values: &[Value]) -> Option<Value> {
        if let [one] = values
            && let Some(sum) = self.redux("add", mask, *one)
        {
            return Some(sum);
        }
        let zero = self.zero();
        let mut padded = values.to_vec();
        padded.resize(values.len().next_power_of_two(), zero);
        let halves = |w: &mut Self| {
            let mut rest = padded;
            for bit in [16, 8, 4, 2, 1] {
                if let [one] = rest[..] {
                    rest = vec![w.with_neighbour("add", ty, one, one, bit)?];
                    continue;
                }
                let upper = rest.split_off(rest.len() / 2);
                let (number, none) = (w.int(bit), w.int(0));
                let number = w.ir.binary(Opcode::LLVMAnd, me, number);
                let is_upper = w.ir.icmp(IntCc::LLVMIntNE, number, none);
                let shared = rest.iter().zip(&upper).map(|(&low, &high)| {
                    let (kept, sent) = (w.ir.select(is_upper, high, low), w.ir.select(is_upper, low, high));
                    w.with_neighbour("add", ty, kept, sent, bit)
                });
                rest = shared.collect::<Option<_>>()?;
            }
            rest.first().copied()
        };
        // One sum after the other, of which each lane takes its own.
        let each = |w: &mut Self| {
            let lanes = w.int(simt::lanes_of_sum(values.len()) as i64);
            let number = w.ir.binary(Opcode::LLVMUDiv, me, lanes);
            values.iter().enumerate().try_fold(zero, |chosen, (i, &value)| {
                let sum = w.fold("add", ty, mask, value, None)?;
                let i = w.int(i as i64);
                let mine = w.ir.icmp(IntCc::LLVMIntEQ, number, i);
                Some(w.ir.select(mine, sum, chosen))
            })
        };
        self.by_completeness(mask, halves, each)
    }

    pub(crate) fn block(&mut self) -> crate::ir::Block {
        self.ir.block(self.function)
    }

    /// Where a combination of any values begins: what changes none of them, or else any number, for
    /// which the first value is taken as it is.
    fn start(&mut self, kind: &str, ty: Type) -> Option<(Value, bool)> {
        Some(match identity(kind, ty.elem())? {
            // Zero would change -0.
            Val::Float(_) if kind == "add" => (self.ir.float(self.leaf, -0.0), true),
            Val::Float(v) => (self.ir.float(self.leaf, v), false),
            other => (self.ir.int(self.leaf, other.as_int()), true),
        })
    }

    /// The values of the active lanes combined in rising order; of those before lane `until`, and
    /// of its own if that says so.
    fn fold(&mut self, kind: &str, ty: Type, mask: Value, value: Value, until: Option<(Value, bool)>) -> Option<Value> {
        let (start, changes_nothing) = self.start(kind, ty)?;
        let (scalar, word, bit) = (self.ir.ty(self.leaf), self.ir.ty(Leaf::I32), self.ir.ty(Leaf::I1));
        let (body, done) = (self.block(), self.block());
        let [rest, sum, any] = [word, scalar, bit].map(|ty| self.ir.phi(body, ty));
        let result = self.ir.phi(done, scalar);
        let begun = self.ir.int(Leaf::I1, i64::from(changes_nothing));
        self.ir.jump(body, &[mask, start, begun]);
        self.ir.switch_to(body);
        let lane = self.first(rest);
        let theirs = self.of_lane(mask, value, lane);
        let both = self.combine(kind, ty, sum, theirs)?;
        // The first value as it is: not even -0 is changed by being combined with the identity.
        let mut next = self.ir.select(any, both, theirs);
        let begun;
        if let Some((me, inclusive)) = until {
            let cc = if inclusive { IntCc::LLVMIntULE } else { IntCc::LLVMIntULT };
            let takes = self.ir.icmp(cc, lane, me);
            next = self.ir.select(takes, next, sum);
            begun = self.ir.binary(Opcode::LLVMOr, any, takes);
        } else {
            begun = self.ir.int(Leaf::I1, 1);
        }
        let (rest, more) = self.without_first(rest);
        self.ir.branch(more, (body, &[rest, next, begun]), (done, &[next]));
        self.ir.switch_to(done);
        Some(result)
    }

    /// The sums of values over the active lanes, in rising order, exchanged in one loop.
    pub(crate) fn sums_of_all(&mut self, ty: Type, mask: Value, values: &[Value]) -> Option<Vec<Value>> {
        let (start, _) = self.start("add", ty)?;
        let (scalar, word) = (self.ir.ty(self.leaf), self.ir.ty(Leaf::I32));
        let (body, done) = (self.block(), self.block());
        let rest = self.ir.phi(body, word);
        let sums: Vec<Value> = values.iter().map(|_| self.ir.phi(body, scalar)).collect();
        let results: Vec<Value> = values.iter().map(|_| self.ir.phi(done, scalar)).collect();
        self.ir.jump(body, &[&[mask][..], &vec![start; values.len()]].concat());
        self.ir.switch_to(body);
        let lane = self.first(rest);
        let mut next = Vec::new();
        for (&sum, &value) in sums.iter().zip(values) {
            let theirs = self.of_lane(mask, value, lane);
            next.push(self.combine("add", ty, sum, theirs)?);
        }
        let (rest, more) = self.without_first(rest);
        self.ir.branch(more, (body, &[&[rest], &next[..]].concat()), (done, &next));
        self.ir.switch_to(done);
        Some(results)
    }

    /// A mask without its first lane, and whether any is left.
    fn without_first(&mut self, mask: Value) -> (Value, Value) {
        let (one, zero) = (self.int(1), self.int(0));
        let less = self.ir.binary(Opcode::LLVMSub, mask, one);
        let rest = self.ir.binary(Opcode::LLVMAnd, mask, less);
        (rest, self.ir.icmp(IntCc::LLVMIntNE, rest, zero))
    }
}

/// `vprintf`, with the arguments one after the other in memory as C passes them.
pub fn printf<'m>(emit: &mut Gpus<'_, 'm>, op: OpId) -> Result<(), Diagnostic> {
    let mut format = gpu::Printf(op).format(emit.body).unwrap_or("").to_string();
    // As on the CPU, each call prints a line.
    if !format.ends_with('\n') {
        format.push('\n');
    }
    let mut scalars = Vec::new();
    for &operand in emit.body.operands(op) {
        let leaf = emit.leaf_of(operand)?;
        scalars.extend(emit.get(operand)?.into_iter().map(|v| (leaf, v)));
    }
    let function = emit.a.function;
    let ir = &mut emit.a.unit.ir;
    let memory = ir.alloca(function, scalars.len() as u64 * 8, 8);
    let mut at = 0u64;
    for (leaf, value) in scalars {
        let (value, size) = match leaf {
            Leaf::F64 | Leaf::I64 => (value, 8),
            Leaf::F16 | Leaf::F32 => {
                let double = ir.ty(Leaf::F64);
                (ir.cast(Opcode::LLVMFPExt, value, double), 8)
            }
            leaf => (lanes::resize(ir, leaf, Leaf::I32, value, leaf != Leaf::I1), 4),
        };
        at = at.next_multiple_of(size);
        let offset = ir.int(Leaf::I64, at as i64);
        let place = ir.at(memory, offset);
        ir.store(value, place, size as u32);
        at += size;
    }
    let format = ir.text(&format);
    let (pointer, int) = (ir.ty(Leaf::Addr), ir.ty(Leaf::I32));
    let ty = ir.function_type(&[pointer, pointer], int, false);
    let f = ir.declare("vprintf", ty);
    ir.call(f, &[format, memory]);
    Ok(())
}
