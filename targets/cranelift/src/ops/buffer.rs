//! Buffers and uniforms.

use super::storage::{Place, Skip};
use super::value::Step;
use crate::context::{Global, ThreadCtx};
use crate::emit::{CONTEXT, Emit, Flat};
use crate::helpers::Helper;
use caustic_dialects::agg;
use caustic_ir::{Diagnostic, Name, OpId, Type, ValueId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::mem::{offset_of, size_of};

/// A buffer value: its contents, the number of elements, and its number among the resources.
pub(super) struct BufferValue {
    data: Value,
    len: Value,
    number: Value,
    elem: Type,
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
                } else {
                    self.load_place(Place { addr: data, offset: 0, ty, exists: None })?
                };
                self.set_result(op, value);
            }
            agg::BufferLen::NAME => {
                let buffer = self.buffer(operands[0])?;
                let len =
                    if self.cx.by_bytes { self.entry_field(&buffer, offset_of!(Global, count)) } else { buffer.len };
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
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The entry of a resource in the table of the run: contents, elements, number.
    pub(super) fn global(&mut self, name: Name) -> Result<(Value, Value, Value), Diagnostic> {
        let number = self.cx.global(name, self.loc)?;
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
            &[data, len, number] => Ok(BufferValue { data, len, number, elem }),
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
        let distance = if self.cx.by_bytes {
            let step = self.entry_field(buffer, offset_of!(Global, step));
            self.b.ins().imul(index, step)
        } else {
            self.b.ins().imul_imm_s(index, size as i64)
        };
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
