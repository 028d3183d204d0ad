//! Atomic updates: of integers by instructions; of floats, of which only exchanges come here, by
//! their bits.

use crate::assembly::Id;
use crate::bytes::Words;
use crate::emit::{Emit, Helper};
use crate::grammar::{Op, capability};
use crate::memory::Buffer;
use caustic_dialects::agg;
use caustic_ir::{Diagnostic, Name, OpId, Type};

impl Emit<'_> {
    pub fn atomic_op(&mut self, op: OpId, view: agg::AtomicView) -> Result<Id, Diagnostic> {
        let body = self.body;
        let (kind, buffer, index, args) = match view {
            agg::AtomicView::AtomicRmw(v) => {
                let kind = agg::atomic_kind(body, op).ok_or_else(|| self.internal("no such atomic update"))?;
                (kind, v.buffer(body), v.index(body), vec![v.value(body)])
            }
            agg::AtomicView::AtomicCas(v) => {
                ("cas", v.buffer(body), v.index(body), vec![v.expected(body), v.value(body)])
            }
        };
        let ty = body.ty(args[0]);
        let args = args.into_iter().map(|v| self.value(v)).collect::<Result<Vec<Id>, _>>()?;
        match self.buffer(buffer)? {
            Buffer::Nothing => self.null(ty),
            Buffer::Elements(name, elem) => {
                self.inside(op)?;
                self.resources.write(name);
                if !ty.is_float() && !is_small(ty) {
                    let place = self.element_place(op, (name, elem), index)?;
                    return self.update(kind, place.pointer, ty, &args);
                }
                let steps = self.buffer_steps(op)?;
                let (at, size) = (self.index_as(index, Type::i32())?, self.size(elem)?);
                let (uint, size) = (self.out.int(32), self.out.word(size as u32));
                let at = self.op(Op::IMul, uint, &[at, size]);
                let (at, _) = self.offset(at, (elem, &steps), Type::i32())?;
                self.update_at((name, at), kind, ty, &args)
            }
            of @ (Buffer::Bytes(_) | Buffer::Pointee(_)) => {
                let bytes = self.bytes(op, of, buffer, index)?;
                if !bytes.rest.is_empty() {
                    return Err(self.refuse("an atomic update of a part of a value in bytes"));
                }
                let function = match bytes.words {
                    Words::Resource(name) => self.atomic_function(name, kind, ty)?,
                    Words::Pointer => self.through_pointer(kind, ty)?,
                };
                let args: Vec<Id> = std::iter::once(bytes.at).chain(args).collect();
                Ok(self.call_helper(function, &args))
            }
        }
    }

    /// Updates a number at a byte, of which all bytes are inside.
    fn update_at(&mut self, (name, at): (Name, Id), kind: &str, ty: Type, args: &[Id]) -> Result<Id, Diagnostic> {
        if is_small(ty) {
            return self.update_part((name, at), kind, ty, args);
        }
        let pointer = self.bits_at(name, at, ty)?;
        self.update(kind, pointer, ty, args)
    }

    /// Updates a number of 8 or 16 bits: the word that it is in, again and again until no other
    /// thread has come between. Its neighbours stay as they are.
    fn update_part(&mut self, (name, at): (Name, Id), kind: &str, ty: Type, args: &[Id]) -> Result<Id, Diagnostic> {
        let bits = ty.scalar_bits().unwrap_or(16);
        let (uint, bool, small, held) = (self.out.int(32), self.out.bool(), self.out.int(bits), self.ty(ty)?);
        let (device, relaxed, mask) = (self.out.word(1), self.out.word(0), self.out.word((1 << bits) - 1));
        let (word, shift) = self.word_and_shift(at);
        let pointer = self.element((name, Type::i32()), word)?.pointer;
        let taken = self.op(Op::ShiftLeftLogical, uint, &[mask, shift]);
        let others = self.op(Op::Not, uint, &[taken]);
        self.until(&mut |e| {
            let whole = e.op(Op::AtomicLoad, uint, &[pointer, device, relaxed]);
            let raw = e.op(Op::ShiftRightLogical, uint, &[whole, shift]);
            let raw = e.op(Op::UConvert, small, &[raw]);
            let old = if held == small { raw } else { e.op(Op::Bitcast, held, &[raw]) };
            let as_bits = |e: &mut Self, id: Id| if held == small { id } else { e.op(Op::Bitcast, small, &[id]) };
            let new = match kind {
                "cas" => {
                    let (expected, value) = (as_bits(e, args[0]), as_bits(e, args[1]));
                    let same = e.op(Op::IEqual, bool, &[raw, expected]);
                    e.op(Op::Select, small, &[same, value, raw])
                }
                agg::EXCHANGE => as_bits(e, args[0]),
                _ => e.combined(kind, old, args[0], ty)?,
            };
            let new = e.op(Op::UConvert, uint, &[new]);
            let new = e.op(Op::ShiftLeftLogical, uint, &[new, shift]);
            let kept = e.op(Op::BitwiseAnd, uint, &[whole, others]);
            let both = e.op(Op::BitwiseOr, uint, &[kept, new]);
            let operands = [pointer, device, relaxed, relaxed, both, whole];
            let found = e.op(Op::AtomicCompareExchange, uint, &operands);
            Ok((e.op(Op::IEqual, bool, &[found, whole]), old))
        })
    }

    /// The pointer to the integer that has the bits of a number at a byte.
    fn bits_at(&mut self, name: Name, at: Id, ty: Type) -> Result<Id, Diagnostic> {
        let bits = ty.scalar_bits().unwrap_or(0);
        if bits == 64 && self.is_shared(name) {
            return Err(self.refuse("an atomic update of 64 bits in memory of a group that is words"));
        }
        let uint = self.out.int(32);
        let shift = self.out.word(if bits == 64 { 3 } else { 2 });
        let index = self.op(Op::ShiftRightLogical, uint, &[at, shift]);
        Ok(self.element((name, Type::int(bits)), index)?.pointer)
    }

    /// The function that updates a number at a byte of a buffer.
    pub fn atomic_function(&mut self, name: Name, kind: &str, ty: Type) -> Result<Helper, Diagnostic> {
        self.resources.write(name);
        let (uint, held) = (self.out.int(32), self.ty(ty)?);
        let size = self.size(ty)?;
        let params: &[Id] = if kind == "cas" { &[uint, held, held] } else { &[uint, held] };
        let title = format!("{}.{kind}.{ty}", self.resource_name(name));
        self.helper(format!("{kind} {name} {ty}"), &title, (params, held), |e, args| {
            let inside = e.bytes_inside(name, args[0], size)?;
            let zero = e.out.null(held);
            let value =
                e.value_if(inside, (held, zero), &mut |e| e.update_at((name, args[0]), kind, ty, &args[1..]))?;
            Ok(Some(value))
        })
    }

    /// Updates an integer, or the bits of a float, and gives what was there.
    fn update(&mut self, kind: &str, pointer: Id, ty: Type, args: &[Id]) -> Result<Id, Diagnostic> {
        let bits = match ty.scalar_bits() {
            Some(bits @ 32) => bits,
            Some(bits @ 64) => {
                self.out.capability(capability::INT64_ATOMICS);
                bits
            }
            _ => return Err(self.refuse("an atomic update of such a number")),
        };
        let (held, word) = (self.ty(ty)?, self.out.int(bits));
        let given = args;
        let mut args = args.to_vec();
        if ty.is_float() {
            args = args.into_iter().map(|v| self.op(Op::Bitcast, word, &[v])).collect();
        }
        let (device, relaxed) = (self.out.word(1), self.out.word(0));
        let inst = match kind {
            "cas" => {
                let operands = [pointer, device, relaxed, relaxed, args[1], args[0]];
                let old = self.op(Op::AtomicCompareExchange, word, &operands);
                return Ok(if ty.is_float() { self.op(Op::Bitcast, held, &[old]) } else { old });
            }
            agg::EXCHANGE => Op::AtomicExchange,
            "add" if !ty.is_float() => Op::AtomicIAdd,
            "and" => Op::AtomicAnd,
            "or" => Op::AtomicOr,
            "xor" => Op::AtomicXor,
            "minsi" => Op::AtomicSMin,
            "minui" => Op::AtomicUMin,
            "maxsi" => Op::AtomicSMax,
            "maxui" => Op::AtomicUMax,
            // Of floats in texels: in buffers a pass has written them so.
            _ => return self.update_again(kind, pointer, ty, given[0]),
        };
        let old = self.op(inst, word, &[pointer, device, relaxed, args[0]]);
        Ok(if ty.is_float() { self.op(Op::Bitcast, held, &[old]) } else { old })
    }

    /// Updates a number by comparison and exchange, again and again until no other thread has come
    /// between.
    fn update_again(&mut self, kind: &str, pointer: Id, ty: Type, value: Id) -> Result<Id, Diagnostic> {
        let (held, word, bool) = (self.ty(ty)?, self.out.int(ty.scalar_bits().unwrap_or(32)), self.out.bool());
        let (device, relaxed) = (self.out.word(1), self.out.word(0));
        let as_bits = |e: &mut Self, id: Id| if held == word { id } else { e.op(Op::Bitcast, word, &[id]) };
        self.until(&mut |e| {
            let raw = e.op(Op::AtomicLoad, word, &[pointer, device, relaxed]);
            let old = if held == word { raw } else { e.op(Op::Bitcast, held, &[raw]) };
            let new = e.combined(kind, old, value, ty)?;
            let new = as_bits(e, new);
            let found = e.op(Op::AtomicCompareExchange, word, &[pointer, device, relaxed, relaxed, new, raw]);
            Ok((e.op(Op::IEqual, bool, &[found, raw]), old))
        })
    }

    /// Counts a buffer's hidden counter, and gives the count before.
    pub fn count_op(&mut self, op: OpId) -> Result<Id, Diagnostic> {
        let v = agg::BufferCount(op);
        let Buffer::Elements(name, _) = self.buffer(v.buffer(self.body))? else {
            return Err(self.refuse("the counter of such a buffer"));
        };
        let delta = v.delta(self.body).unwrap_or(0);
        let pointer = self.counter(name)?;
        let uint = self.out.int(32);
        let (device, relaxed, delta) = (self.out.word(1), self.out.word(0), self.out.word(delta as u32));
        Ok(self.op(Op::AtomicIAdd, uint, &[pointer, device, relaxed, delta]))
    }
}

/// Whether the machine has no updates of a number since it is small.
fn is_small(ty: Type) -> bool {
    ty.scalar_bits().is_some_and(|bits| bits < 32)
}
