//! Buffers and uniforms.

use super::storage::{Place, Skip};
use super::value::Step;
use crate::emit::{CONTEXT, Emit, Flat, MEM};
use crate::machine::Clif;
use caustic_dialects::agg;
use caustic_ir::{Diagnostic, Name, OpId, Type, ValueId};
use caustic_native::flat::{self, Leaf};
use caustic_native::{AtomicCall, Helper};
use caustic_native::{Global, ThreadCtx};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AtomicRmwOp, InstBuilder, MemFlagsData, Value, types};
use std::mem::{offset_of, size_of};

/// A buffer value: its contents, the number of elements, and its number among the resources.
pub(super) struct BufferValue {
    data: Value,
    len: Value,
    number: Value,
    elem: Type,
    /// The index is the offset of the first byte; `len` counts the offsets at which an element fits.
    by_bytes: bool,
}

impl Emit<'_, '_> {
    pub(super) fn buffer_op(&mut self, op: OpId) -> Result<bool, Diagnostic> {
        let operands = self.body.operands(op);
        match self.body.op(op).def.name {
            agg::Global::NAME => {
                let name = self.body.attr(op, "name").and_then(|a| a.as_symbol());
                let (data, len, number) = self.global(name.ok_or_else(|| self.internal("no name"))?)?;
                let ty = self.ty(self.body.result(op, 0));
                let value = if agg::as_buffer(ty).is_some() {
                    Flat::from_slice(&[data, len, number])
                } else if flat::is_object(ty) {
                    Flat::from_slice(&[data])
                } else {
                    self.load_place(Place { addr: data, offset: 0, ty, exists: None })?
                };
                self.set_result(op, value);
            }
            agg::BufferLen::NAME => {
                let buffer = self.buffer(operands[0])?;
                let len = if buffer.by_bytes { self.whole(&buffer) } else { buffer.len };
                self.set_result(op, Flat::from_slice(&[len]));
            }
            agg::BufferLoad::NAME => {
                let path = self.path(op, "path", &operands[2..])?;
                let index = self.get1(operands[1])?;
                let buffer = self.buffer(operands[0])?;
                let place = self.find_in_buffer(&buffer, index, &path)?;
                let value = self.load_place(place)?;
                self.set_result(op, value);
            }
            agg::BufferStore::NAME => {
                let path = self.path(op, "path", &operands[3..])?;
                let index = self.get1(operands[2])?;
                let buffer = self.buffer(operands[1])?;
                let value = self.get(operands[0])?;
                self.with_buffer_target(&buffer, index, &path, |e, place| e.store_place(place, &value))?;
            }
            agg::GlobalElement::NAME => {
                let name = self.body.attr(op, "name").and_then(|a| a.as_symbol());
                let name = name.ok_or_else(|| self.internal("no name"))?;
                let value = self.global_element(name, operands[0], self.ty(self.body.result(op, 0)))?;
                self.set_result(op, value);
            }
            agg::View::NAME => {
                let buffer = self.buffer(operands[0])?;
                let to = agg::as_buffer(self.ty(self.body.result(op, 0)));
                let size = self.size(to.ok_or_else(|| self.internal("not a buffer"))?.0)?;
                let whole = self.whole(&buffer);
                let (zero, size) = (self.i64(0), self.i64(size as i64));
                let fits = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, whole, size);
                let last = self.b.ins().isub(whole, size);
                let len = self.b.ins().iadd_imm_s(last, 1);
                let len = self.b.ins().select(fits, len, zero);
                self.set_result(op, Flat::from_slice(&[buffer.data, len, buffer.number]));
            }
            agg::Address::NAME => {
                let number = self.buffer(operands[0])?.number;
                let number = self.b.ins().iadd_imm_s(number, 1);
                let address = self.b.ins().ishl_imm_u(number, i64::from(agg::OFFSET_BITS));
                self.set_result(op, Flat::from_slice(&[address]));
            }
            agg::Pointee::NAME => {
                let address = self.get1(operands[0])?;
                let value = self.pointee(address, self.ty(self.body.result(op, 0)))?;
                self.set_result(op, value);
            }
            agg::BufferCount::NAME => {
                let buffer = self.buffer(operands[0])?;
                let counter = self.entry_field(&buffer, offset_of!(Global, counter));
                let delta = self.body.attr(op, "delta").and_then(|a| a.as_int()).unwrap_or(0);
                let delta = self.iconst(Leaf::I32, delta);
                let before = self.b.ins().atomic_rmw(types::I32, MEM, AtomicRmwOp::Add, counter, delta);
                self.set_result(op, Flat::from_slice(&[before]));
            }
            agg::AtomicRmw::NAME => self.atomic_rmw(op)?,
            agg::AtomicCas::NAME => self.atomic_cas(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn atomic_rmw(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let operands = self.body.operands(op);
        let kind = agg::atomic_kind(self.body, op).ok_or_else(|| self.internal("no such atomic update"))?;
        let ty = self.ty(operands[0]);
        let leaf = self.leaf_of(operands[0])?;
        let value = self.get1(operands[0])?;
        let rmw = match kind {
            agg::EXCHANGE => Some(AtomicRmwOp::Xchg),
            _ if leaf.is_float() => None,
            "add" => Some(AtomicRmwOp::Add),
            "and" => Some(AtomicRmwOp::And),
            "or" => Some(AtomicRmwOp::Or),
            "xor" => Some(AtomicRmwOp::Xor),
            "minsi" => Some(AtomicRmwOp::Smin),
            "minui" => Some(AtomicRmwOp::Umin),
            "maxsi" => Some(AtomicRmwOp::Smax),
            "maxui" => Some(AtomicRmwOp::Umax),
            _ => None,
        };
        self.atomic(op, 1, leaf, |e, addr| {
            if let Some(rmw) = rmw {
                let bits = e.memory_bits(leaf, value);
                let ty = e.b.func.dfg.value_type(bits);
                return Ok(e.b.ins().atomic_rmw(ty, MEM, rmw, addr, bits));
            }
            let call = e.cx.tables.atomic_call(AtomicCall { kind: kind.to_string(), ty });
            let (call, word) = (e.i64(call), e.word_of(leaf, value));
            let bits = e.helper1(Helper::AtomicCombine, &[call, addr, word]);
            Ok(match leaf.size() {
                8 => bits,
                4 => e.b.ins().ireduce(types::I32, bits),
                2 => e.b.ins().ireduce(types::I16, bits),
                _ => e.b.ins().ireduce(types::I8, bits),
            })
        })
    }

    fn atomic_cas(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let operands = self.body.operands(op);
        let leaf = self.leaf_of(operands[0])?;
        let (expected, value) = (self.get1(operands[0])?, self.get1(operands[1])?);
        self.atomic(op, 2, leaf, |e, addr| {
            let (expected, value) = (e.memory_bits(leaf, expected), e.memory_bits(leaf, value));
            Ok(e.b.ins().atomic_cas(MEM, addr, expected, value))
        })
    }

    /// An atomic access to the number that the operands from `at` on lead to, if it exists; else the result is zero. `f` gives the number
    /// before as the bits in memory.
    fn atomic(
        &mut self,
        op: OpId,
        at: usize,
        leaf: Leaf,
        f: impl FnOnce(&mut Self, Value) -> Result<Value, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let operands = self.body.operands(op);
        let path = self.path(op, "path", &operands[at + 2..])?;
        let index = self.get1(operands[at + 1])?;
        let buffer = self.buffer(operands[at])?;
        let place = self.find_in_buffer(&buffer, index, &path)?;
        let exists = place.exists.ok_or_else(|| self.internal("an access without a check"))?;
        let (there, join) = (self.b.create_block(), self.b.create_block());
        let old = self.b.append_block_param(join, leaf.clif());
        let zero = self.zero(leaf);
        self.b.ins().brif(exists, there, &[], join, &[zero.into()]);
        self.b.switch_to_block(there);
        let addr = self.address(place);
        // As in D3D, the last bits of an address that is not a multiple of the number's size do not count.
        let addr = self.b.ins().band_imm_s(addr, -(leaf.size() as i64));
        let bits = f(self, addr)?;
        let value = self.scalar_of_bits(leaf, bits);
        self.b.ins().jump(join, &[value.into()]);
        self.b.switch_to_block(join);
        self.set_result(op, Flat::from_slice(&[old]));
        Ok(())
    }

    /// A scalar as the integer that stands for it in memory.
    fn memory_bits(&mut self, leaf: Leaf, value: Value) -> Value {
        let flags = MemFlagsData::new();
        match leaf {
            Leaf::F16 => {
                let bits = self.helper1(Helper::F16ToBits, &[value]);
                self.b.ins().ireduce(types::I16, bits)
            }
            Leaf::F32 => self.b.ins().bitcast(types::I32, flags, value),
            Leaf::F64 => self.b.ins().bitcast(types::I64, flags, value),
            _ => value,
        }
    }

    fn scalar_of_bits(&mut self, leaf: Leaf, bits: Value) -> Value {
        match leaf {
            Leaf::F16 => {
                let bits = self.b.ins().uextend(types::I32, bits);
                self.helper1(Helper::F16FromBits, &[bits])
            }
            Leaf::F32 | Leaf::F64 => self.b.ins().bitcast(leaf.clif(), MemFlagsData::new(), bits),
            _ => bits,
        }
    }

    /// Bytes of a buffer's elements.
    fn whole(&mut self, buffer: &BufferValue) -> Value {
        let len = self.entry_field(buffer, offset_of!(Global, len));
        let step = self.entry_field(buffer, offset_of!(Global, step));
        self.b.ins().imul(len, step)
    }

    /// The bytes of a buffer from an address on, as a view whose first element is there. Nothing is reached through an address that is in
    /// no buffer: its view has no elements.
    fn pointee(&mut self, address: Value, view: Type) -> Result<Flat, Diagnostic> {
        let (elem, _) = agg::as_buffer(view).ok_or_else(|| self.internal("not a buffer"))?;
        let size = self.size(elem)?;
        let number = self.b.ins().ushr_imm_u(address, i64::from(agg::OFFSET_BITS));
        let number = self.b.ins().iadd_imm_s(number, -1);
        let offset = self.b.ins().band_imm_s(address, (1i64 << agg::OFFSET_BITS) - 1);
        let count = self.context_word(offset_of!(ThreadCtx, num_globals));
        let exists = self.b.ins().icmp(IntCC::UnsignedLessThan, number, count);
        let zero = self.i64(0);
        // Some entry is read anyway; one that is no buffer has no elements.
        let number = self.b.ins().select(exists, number, zero);
        let buffer = BufferValue { data: number, len: number, number, elem, by_bytes: true };
        let data = self.entry_field(&buffer, offset_of!(Global, data));
        let whole = self.whole(&buffer);
        let whole = self.b.ins().select(exists, whole, zero);
        let end = self.b.ins().iadd_imm_s(offset, size as i64);
        let fits = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, whole, end);
        let rest = self.b.ins().isub(whole, end);
        let len = self.b.ins().iadd_imm_s(rest, 1);
        let len = self.b.ins().select(fits, len, zero);
        let data = self.b.ins().iadd(data, offset);
        Ok(Flat::from_slice(&[data, len, number]))
    }

    /// One of an array of resources; the last one if there are fewer.
    fn global_element(&mut self, name: Name, index: ValueId, ty: Type) -> Result<Flat, Diagnostic> {
        let first = self.cx.tables.global(self.cx.module, name, self.loc)?;
        let entries = &self.cx.tables.global_entries;
        let count = entries[first..].iter().take_while(|e| e.symbol == name).count();
        let index = {
            let (leaf, index) = (self.leaf_of(index)?, self.get1(index)?);
            self.word_of(leaf, index)
        };
        let last = self.i64(count as i64 - 1);
        let index = self.b.ins().umin(index, last);
        let number = self.b.ins().iadd_imm_s(index, first as i64);
        let elem = agg::as_buffer(ty).map_or(ty, |(elem, _)| elem);
        let buffer = BufferValue { data: number, len: number, number, elem, by_bytes: false };
        let data = self.entry_field(&buffer, offset_of!(Global, data));
        if flat::is_object(ty) {
            return Ok(Flat::from_slice(&[data]));
        }
        let len = self.entry_field(&buffer, offset_of!(Global, len));
        Ok(Flat::from_slice(&[data, len, number]))
    }

    /// The entry of a resource in the table of the run: contents, elements, number.
    pub(super) fn global(&mut self, name: Name) -> Result<(Value, Value, Value), Diagnostic> {
        let number = self.cx.tables.global(self.cx.module, name, self.loc)?;
        let table = self.context_word(offset_of!(ThreadCtx, globals));
        let at = number * size_of::<Global>();
        let field = |e: &mut Self, offset: usize| e.b.ins().load(types::I64, CONTEXT, table, (at + offset) as i32);
        let data = field(self, offset_of!(Global, data));
        let len = field(self, offset_of!(Global, len));
        Ok((data, len, self.i64(number as i64)))
    }

    pub(super) fn buffer(&self, value: ValueId) -> Result<BufferValue, Diagnostic> {
        let (elem, _) = agg::as_buffer(self.ty(value)).ok_or_else(|| self.internal("not a buffer"))?;
        match self.get(value)?.as_slice() {
            &[data, len, number] => {
                Ok(BufferValue { data, len, number, elem, by_bytes: agg::is_byte_view(self.ty(value)) })
            }
            _ => Err(self.internal("not a buffer")),
        }
    }

    fn in_range(&mut self, buffer: &BufferValue, index: Value) -> Result<Value, Diagnostic> {
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, buffer.len);
        let (cold, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        self.b.ins().brif(inside, go_on, &[], cold, &[]);
        self.b.switch_to_block(cold);
        let site = self.site();
        let stop = self.helper1(Helper::OutOfRange, &[self.ctx, buffer.number, index, site]);
        let trap = self.trap_block();
        self.b.ins().brif(stop, trap, &[], go_on, &[]);
        self.b.switch_to_block(go_on);
        Ok(inside)
    }

    fn element_address(&mut self, buffer: &BufferValue, index: Value) -> Result<Value, Diagnostic> {
        let size = self.size(buffer.elem)?;
        let distance = if buffer.by_bytes { index } else { self.b.ins().imul_imm_s(index, size as i64) };
        Ok(self.b.ins().iadd(buffer.data, distance))
    }

    /// A field of the buffer's entry in the table of the run.
    fn entry_field(&mut self, buffer: &BufferValue, offset: usize) -> Value {
        let table = self.context_word(offset_of!(ThreadCtx, globals));
        let at = self.b.ins().imul_imm_s(buffer.number, size_of::<Global>() as i64);
        let entry = self.b.ins().iadd(table, at);
        self.b.ins().load(types::I64, CONTEXT, entry, offset as i32)
    }

    /// The part of an element, for reading.
    pub(super) fn find_in_buffer(
        &mut self,
        buffer: &BufferValue,
        index: Value,
        path: &[Step],
    ) -> Result<Place, Diagnostic> {
        let inside = self.in_range(buffer, index)?;
        let addr = self.element_address(buffer, index)?;
        let mut place = self.find(addr, buffer.elem, path)?;
        place.exists = Some(match place.exists {
            Some(exists) => self.b.ins().band(exists, inside),
            None => inside,
        });
        Ok(place)
    }

    /// Runs `f` with the part of an element, if it exists.
    pub(super) fn with_buffer_target(
        &mut self,
        buffer: &BufferValue,
        index: Value,
        path: &[Step],
        f: impl FnOnce(&mut Self, Place) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let mut skip = Skip(None);
        let inside = self.in_range(buffer, index)?;
        self.go_on_if(inside, &mut skip);
        let addr = self.element_address(buffer, index)?;
        let mut place = self.find(addr, buffer.elem, path)?;
        if let Some(exists) = place.exists.take() {
            self.go_on_if(exists, &mut skip);
        }
        f(self, place)?;
        self.end_skip(skip);
        Ok(())
    }
}
