//! Wave operations whose threads all run together: what they give each other stays in vectors.
//!
//! Results are those of the reference evaluation, bit for bit: sums and products of floats are
//! taken in the order of the threads, what does not depend on the order by halves. Rare operations
//! and types are left to the helper ([`super::waves`]).

use super::assembler::Wide;
use super::value::Val;
use crate::host::Host;
use crate::ir::{FloatCc, IntCc, Opcode, Value};
use crate::lanes;
use caustic_codegen::{Assembler, Emit, Flat, Lane, Memory};
use caustic_dialects::combine::{combine_def, identity};
use caustic_dialects::simt::{self, WaveKind, WaveOp};
use caustic_ir::{Diagnostic, OpId, Type};
use caustic_native::{Leaf, ThreadCtx};
use std::mem::offset_of;

/// What each scalar of a result is made of.
#[derive(Clone, Copy)]
struct Scalar {
    ty: Type,
    leaf: Leaf,
    x: Val,
}

/// Code for a wave operation; false leaves it to the helper.
pub fn op<'m>(emit: &mut Emit<'m, Wide<'_, 'm>>, op: OpId, wave: &WaveOp) -> Result<bool, Diagnostic> {
    let body = emit.body;
    let operands = simt::brought(body, op);
    let Some(&result) = body.results(op).first() else { return Ok(false) };
    if !is_known(emit, op, wave)? {
        return Ok(false);
    }
    // Who has trapped waits for nobody.
    let context = emit.a.context();
    let trapped = emit.a.load(Leaf::I32, context, offset_of!(ThreadCtx, trapped) as i64, Memory::Words);
    emit.exit_if_status(trapped);
    let mut scalars: Flat<Val> = Flat::new();
    match &wave.kind {
        WaveKind::Elect => {
            let value = emit.a.elect();
            scalars.push(value);
        }
        kind => {
            let (ty, leaf) = (emit.ty(operands[0]).elem(), emit.leaf_of(operands[0])?);
            let lane = match operands.get(1) {
                Some(&lane) => {
                    let (leaf, lane) = (emit.leaf_of(lane)?, emit.get1(lane)?);
                    Some(emit.a.word_of(leaf, lane))
                }
                None => None,
            };
            for x in emit.get(operands[0])? {
                let scalar = Scalar { ty, leaf, x };
                let value = emit.a.exchanged(kind, scalar, lane);
                scalars.push(value.ok_or_else(|| emit.internal("a wave operation without code"))?);
            }
        }
    }
    emit.set(result, scalars);
    Ok(true)
}

fn is_known<'m>(emit: &Emit<'m, Wide<'_, 'm>>, op: OpId, wave: &WaveOp) -> Result<bool, Diagnostic> {
    let leaf = match simt::brought(emit.body, op).first() {
        Some(&value) => emit.leaf_of(value)?,
        None => Leaf::I1,
    };
    let number = matches!(leaf, Leaf::F32 | Leaf::F64 | Leaf::I8 | Leaf::I16 | Leaf::I32 | Leaf::I64);
    Ok(match wave.kind {
        WaveKind::Reduce(_) | WaveKind::Scan { .. } => number,
        WaveKind::AllEqual => number || leaf == Leaf::I1,
        WaveKind::ReadFirst | WaveKind::ReadLane | WaveKind::Ballot | WaveKind::Vote { .. } | WaveKind::Elect => true,
        WaveKind::Shuffle(_) | WaveKind::Match | WaveKind::Sums => false,
        WaveKind::SumsByKey | WaveKind::Transpose => false,
    })
}

impl Wide<'_, '_> {
    fn exchanged(&mut self, kind: &WaveKind, s: Scalar, lane: Option<Val>) -> Option<Val> {
        match kind {
            WaveKind::Reduce(op) => self.reduced(op, s),
            WaveKind::Scan { op, inclusive } => self.scanned(op, *inclusive, s),
            WaveKind::ReadFirst => Some(Val::uniform(self.one(s.x))),
            WaveKind::ReadLane => self.read_lane(s, lane?),
            WaveKind::Ballot => {
                let bits = self.holding(s.x);
                let (word, count) = (self.s.unit.ir.scalar(Leaf::I32), self.lanes);
                let op = if count == 32 { Opcode::LLVMBitCast } else { Opcode::LLVMZExt };
                Some(Val::uniform(self.s.unit.ir.cast(op, bits, word)))
            }
            WaveKind::Vote { all } => {
                let x = self.vector(s.x);
                let x = if *all { self.not(x) } else { x };
                let bits = self.holding(Val::varying(x));
                Some(self.is_any(bits, !all))
            }
            WaveKind::AllEqual => {
                let first = self.one(s.x);
                let first = self.s.unit.ir.splat(first, self.lanes);
                let x = self.vector(s.x);
                let ir = &mut self.s.unit.ir;
                let same = match s.leaf.is_float() {
                    true => ir.fcmp(FloatCc::LLVMRealOEQ, x, first),
                    false => ir.icmp(IntCc::LLVMIntEQ, x, first),
                };
                let other = self.not(same);
                let bits = self.holding(Val::varying(other));
                Some(self.is_any(bits, false))
            }
            _ => None,
        }
    }

    /// The bits of those that take part and for which this holds.
    fn holding(&mut self, condition: Val) -> Value {
        let condition = self.vector(condition);
        let here = self.and_mask(condition);
        self.mask_bits(here)
    }
    /// Whether any bit is set, or none.
    fn is_any(&mut self, bits: Value, wanted: bool) -> Val {
        let ir = &mut self.s.unit.ir;
        let zero = ir.null(ir.type_of(bits));
        Val::uniform(ir.icmp(if wanted { IntCc::LLVMIntNE } else { IntCc::LLVMIntEQ }, bits, zero))
    }
    fn numbers(&mut self) -> Value {
        let zero = self.i64(0);
        self.line(Leaf::I64, zero, 1, None).v
    }
    fn elect(&mut self) -> Val {
        let (first, numbers) = (self.first_active(), self.numbers());
        let first = self.s.unit.ir.splat(first, self.lanes);
        Val::varying(self.s.unit.ir.icmp(IntCc::LLVMIntEQ, numbers, first))
    }

    /// Numbers combined; of vectors as wide as `width`.
    fn combined(&mut self, op: &str, s: Scalar, width: usize, x: Value, y: Value) -> Option<Value> {
        let name = combine_def(op, s.ty)?.name;
        let lane = Lane { name, args: &[x, y], from: &[s.leaf; 2], to: s.leaf, predicate: -1 };
        self.s.unit.ir.wide(width, |ir| lanes::lane::<Host>(ir, &lane))
    }
    /// What threads that do not take part bring: it changes nothing, not even a zero's sign.
    fn neutral(&mut self, op: &str, s: Scalar) -> Option<Value> {
        let value = match op {
            "add" if s.leaf.is_float() => return Some(self.s.unit.ir.float(s.leaf, -0.0)),
            "minnumf" | "maxnumf" => return Some(self.s.unit.ir.float(s.leaf, f64::NAN)),
            _ => identity(op, s.ty)?,
        };
        Some(self.constant_of(s.leaf, &value))
    }
    fn constant_of(&mut self, leaf: Leaf, value: &caustic_ir::eval::Val) -> Value {
        match leaf.is_float() {
            true => self.s.unit.ir.float(leaf, value.as_float()),
            false => self.s.unit.ir.int(leaf, value.as_int()),
        }
    }
    /// The numbers of those that take part, and what changes nothing for the others.
    fn filled(&mut self, s: Scalar, neutral: Value) -> Value {
        let x = self.vector(s.x);
        let Some(mask) = self.mask else { return x };
        let neutral = self.s.unit.ir.splat(neutral, self.lanes);
        self.s.unit.ir.select(mask, x, neutral)
    }

    fn reduced(&mut self, op: &str, s: Scalar) -> Option<Val> {
        let neutral = self.neutral(op, s)?;
        let mut v = self.filled(s, neutral);
        let in_order = match op {
            "add" if s.leaf.is_float() => Some("llvm.vector.reduce.fadd"),
            "mul" if s.leaf.is_float() => Some("llvm.vector.reduce.fmul"),
            _ => None,
        };
        if let Some(name) = in_order {
            let ty = self.s.unit.ir.type_of(v);
            return Some(Val::uniform(self.s.unit.ir.intrinsic(name, &[ty], &[neutral, v])));
        }
        let mut width = self.lanes;
        while width > 2 {
            width /= 2;
            let [low, high] = [0, width].map(|first| (first..first + width).collect::<Vec<usize>>());
            let ir = &mut self.s.unit.ir;
            let (x, y) = (ir.shuffle(v, v, &low), ir.shuffle(v, v, &high));
            v = self.combined(op, s, width, x, y)?;
        }
        let [x, y] = [0, 1].map(|i| {
            let at = self.i64(i);
            self.s.unit.ir.element(v, at)
        });
        self.combined(op, s, 1, x, y).map(Val::uniform)
    }

    fn scanned(&mut self, op: &str, inclusive: bool, s: Scalar) -> Option<Val> {
        let neutral = self.neutral(op, s)?;
        let x = self.filled(s, neutral);
        let all = self.s.unit.ir.splat(neutral, self.lanes);
        let before = if s.leaf.is_float() && matches!(op, "add" | "mul") {
            // One after the other.
            let (mut sum, mut out) = (neutral, all);
            for i in 0..self.lanes {
                let at = self.i64(i as i64);
                if !inclusive {
                    out = self.s.unit.ir.with_element(out, sum, at);
                }
                let one = self.s.unit.ir.element(x, at);
                sum = self.combined(op, s, 1, sum, one)?;
                if inclusive {
                    out = self.s.unit.ir.with_element(out, sum, at);
                }
            }
            out
        } else {
            let shifted = |w: &mut Self, v: Value, by: usize| {
                let picks: Vec<usize> = (0..w.lanes).map(|i| if i < by { w.lanes } else { i - by }).collect();
                w.s.unit.ir.shuffle(v, all, &picks)
            };
            let mut v = x;
            let mut by = 1;
            while by < self.lanes {
                let earlier = shifted(self, v, by);
                v = self.combined(op, s, self.lanes, earlier, v)?;
                by *= 2;
            }
            if inclusive { v } else { shifted(self, v, 1) }
        };
        if inclusive {
            return Some(Val::varying(before));
        }
        // Nobody comes before the first.
        let none = identity(op, s.ty)?;
        let none = self.constant_of(s.leaf, &none);
        let (first, numbers) = (self.first_active(), self.numbers());
        let ir = &mut self.s.unit.ir;
        let (first, none) = (ir.splat(first, self.lanes), ir.splat(none, self.lanes));
        let later = ir.icmp(IntCc::LLVMIntUGT, numbers, first);
        Some(Val::varying(ir.select(later, before, none)))
    }

    /// The number that thread `lane` brings; zero if it does not take part.
    fn read_lane(&mut self, s: Scalar, lane: Val) -> Option<Val> {
        let here = self.active();
        let bits = self.mask_bits(here);
        let word = self.s.unit.ir.scalar(Leaf::I64);
        let bits = self.s.unit.ir.cast(Opcode::LLVMZExt, bits, word);
        let bits = Val::uniform(bits);
        let count = self.int(Leaf::I64, self.lanes as i64);
        let zero = self.int(Leaf::I64, 0);
        let inside = self.compare(caustic_codegen::Compare::UnsignedLess, Leaf::I64, lane, count);
        let at = self.select(inside, lane, zero);
        let bit = self.binary(caustic_codegen::IntOp::Shr, Leaf::I64, bits, at);
        let there = self.resize(Leaf::I64, Leaf::I1, bit, false);
        let there = self.binary(caustic_codegen::IntOp::And, Leaf::I1, inside, there);
        let nothing = self.zero(s.leaf);
        if !s.x.varying {
            return Some(self.select(there, s.x, nothing));
        }
        if !at.varying {
            let value = Val::uniform(self.s.unit.ir.element(s.x.v, at.v));
            return Some(self.select(there, value, nothing));
        }
        let memory = self.stack_memory(s.leaf.size() * self.lanes as u64);
        let kept = self.as_written(s.leaf, s.x.v);
        let align = s.leaf.size() as u32;
        self.s.unit.ir.store(kept, memory.v, align);
        let places = self.indexed(memory, at, s.leaf.size(), Memory::Words);
        let value = self.gather(s.leaf, places.v, Memory::Words, None);
        Some(self.select(there, Val::varying(value), nothing))
    }
}
