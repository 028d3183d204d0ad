//! Local storage: places in memory along paths, reading, writing, copying.
//!
//! A path that leads outside reads from zeros instead, and skips what would be written; an element that a tape lacks is made
//! before it is written. Slots stand on the native stack if they are small, else in the thread's heap.

use super::value::Step;
use crate::emit::{Cleanup, Emit, Flat, MEM};
use crate::machine::Clif;
use caustic_dialects::agg;
use caustic_ir::{BlockId, Diagnostic, OpId, Type};
use caustic_native::Helper;
use caustic_native::flat::{self, Leaf};
use caustic_native::has_tapes;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

/// Bytes of slots that a function may have on the native stack.
const STACK_BYTES: u64 = 2048;

/// A part of something in memory.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub addr: Value,
    pub offset: i64,
    pub ty: Type,
    /// Whether it exists; `None` means that it does. The address means nothing where it does not.
    pub exists: Option<Value>,
}

impl Emit<'_, '_> {
    /// Makes the slots of the function; they all stand in its entry block.
    pub fn slots(&mut self, entry: BlockId) -> Result<(), Diagnostic> {
        let mut on_stack = 0;
        let mut next = self.body.first_op(entry);
        while let Some(op) = next {
            next = self.body.next_op(op);
            if !agg::Alloca::is(self.body, op) {
                continue;
            }
            self.loc = self.body.loc(op);
            let ty = agg::as_slot(self.ty(self.body.result(op, 0))).ok_or_else(|| self.internal("not a slot"))?;
            let size = self.size(ty)?;
            let small = on_stack + size <= STACK_BYTES;
            let at = if small {
                on_stack += size;
                self.stack_memory(size)
            } else {
                let (bytes, site) = (self.i64(size as i64), self.site());
                let at = self.helper1(Helper::Alloc, &[self.ctx, bytes, site]);
                let failed = self.b.ins().icmp_imm_u(IntCC::Equal, at, 0);
                self.exit_if(failed);
                at
            };
            if has_tapes(ty) {
                // Whatever is in a slot with tapes must be valid at all times: zeros are empty tapes.
                self.fill_zero(at, size);
                let desc = self.cx.tables.desc(ty).ok_or_else(|| self.internal("a tape without a layout"))?;
                self.cleanup.push(Cleanup::Release { at, desc });
            }
            if !small {
                self.cleanup.push(Cleanup::Free { at, size });
            }
            self.set_result(op, Flat::from_slice(&[at]));
        }
        Ok(())
    }

    pub(super) fn storage_op(&mut self, op: OpId) -> Result<bool, Diagnostic> {
        let operands = self.body.operands(op);
        match self.body.op(op).def.name {
            agg::Alloca::NAME => {}
            agg::GlobalSlot::NAME => {
                let name = self.body.attr(op, "name").and_then(|a| a.as_symbol());
                let (data, _, _) = self.global(name.ok_or_else(|| self.internal("no name"))?)?;
                self.set_result(op, Flat::from_slice(&[data]));
            }
            agg::Load::NAME => {
                let path = self.path(op, "path", &operands[1..])?;
                let (base, ty) = self.slot(operands[0])?;
                let place = self.find(base, ty, &path)?;
                let value = self.load_place(place)?;
                self.set_result(op, value);
            }
            agg::Store::NAME => {
                let path = self.path(op, "path", &operands[2..])?;
                let (base, ty) = self.slot(operands[1])?;
                let value = self.get(operands[0])?;
                self.with_target(base, ty, &path, |e, place| e.store_place(place, &value))?;
            }
            agg::Clear::NAME => {
                let path = self.path(op, "path", &operands[1..])?;
                let (base, ty) = self.slot(operands[0])?;
                self.with_target(base, ty, &path, |e, place| e.clear_place(place))?;
            }
            agg::Copy::NAME => {
                let dynamic = self.body.attr(op, "dst_path").and_then(|a| a.as_i64_array()).unwrap_or_default();
                let dynamic = dynamic.iter().filter(|&&s| s < 0).count();
                let (first, rest) = operands[2..].split_at(dynamic.min(operands.len() - 2));
                let (to, from) = (self.path(op, "dst_path", first)?, self.path(op, "path", rest)?);
                let ((dst, dst_ty), (src, src_ty)) = (self.slot(operands[0])?, self.slot(operands[1])?);
                // The target first: growing a tape may move what the source is read from.
                self.with_target(dst, dst_ty, &to, |e, place| {
                    let source = e.find(src, src_ty, &from)?;
                    e.copy_place(place, source)
                })?;
            }
            agg::ReadBuffer::NAME => {
                let path = self.path(op, "path", &operands[3..])?;
                let (base, ty) = self.slot(operands[0])?;
                let target = Place { addr: base, offset: 0, ty, exists: None };
                let index = self.get1(operands[2])?;
                let buffer = self.buffer(operands[1])?;
                let place = self.find_in_buffer(&buffer, index, &path)?;
                self.copy_place(target, place)?;
            }
            agg::WriteBuffer::NAME => {
                let path = self.path(op, "path", &operands[3..])?;
                let (base, ty) = self.slot(operands[0])?;
                let index = self.get1(operands[2])?;
                let buffer = self.buffer(operands[1])?;
                let ranges = self.cx.tables.ranges(ty).ok_or_else(|| self.internal("a type without a layout"))?;
                self.with_buffer_target(&buffer, index, &path, |e, place| {
                    // Padding in a buffer belongs to nobody.
                    let (to, ranges) = (e.address(place), e.i64(ranges));
                    e.helper(Helper::CopyData, &[to, base, ranges]);
                    Ok(())
                })?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn size(&self, ty: Type) -> Result<u64, Diagnostic> {
        flat::layout(ty).map(|l| l.size).ok_or_else(|| {
            Diagnostic::error("E0852", self.loc, format!("a value of type {ty} does not fit into memory"))
        })
    }

    fn slot(&self, value: caustic_ir::ValueId) -> Result<(Value, Type), Diagnostic> {
        let ty = agg::as_slot(self.ty(value)).ok_or_else(|| self.internal("not a slot"))?;
        Ok((self.get1(value)?, ty))
    }

    // ----- places

    pub(super) fn address(&mut self, place: Place) -> Value {
        if place.offset == 0 { place.addr } else { self.b.ins().iadd_imm_s(place.addr, place.offset) }
    }

    /// The place as an address that can be read: of zeros if it does not exist.
    fn readable(&mut self, place: Place, size: u64) -> Value {
        let addr = self.address(place);
        match place.exists {
            Some(exists) => {
                let zeros = self.zero_memory(size);
                self.b.ins().select(exists, addr, zeros)
            }
            None => addr,
        }
    }

    fn both(&mut self, a: Option<Value>, b: Value) -> Option<Value> {
        Some(match a {
            Some(a) => self.b.ins().band(a, b),
            None => b,
        })
    }

    fn element(&mut self, place: &mut Place, index: Value, part: Type) -> Result<(), Diagnostic> {
        let size = self.size(part)?;
        let distance = self.b.ins().imul_imm_s(index, size as i64);
        place.addr = self.b.ins().iadd(place.addr, distance);
        place.ty = part;
        Ok(())
    }

    /// The place that a path leads to, for reading.
    pub(super) fn find(&mut self, base: Value, ty: Type, path: &[Step]) -> Result<Place, Diagnostic> {
        let mut place = Place { addr: base, offset: 0, ty, exists: None };
        for &step in path {
            if let Some(elem) = agg::as_tape(place.ty) {
                let index = self.step_value(step);
                let tape = self.readable(place, 24);
                let data = self.b.ins().load(types::I64, MEM, tape, 0);
                let len = self.b.ins().load(types::I64, MEM, tape, 8);
                let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
                place.exists = self.both(place.exists, inside);
                (place.addr, place.offset) = (data, 0);
                self.element(&mut place, index, elem)?;
                continue;
            }
            match step {
                Step::Static(index) => self.static_step(&mut place, index)?,
                Step::Dynamic(index) => {
                    let (part, inside) = self.dynamic_step(place.ty, index)?;
                    place.exists = self.both(place.exists, inside);
                    self.element(&mut place, index, part)?;
                }
            }
        }
        Ok(place)
    }

    fn step_value(&mut self, step: Step) -> Value {
        match step {
            Step::Static(index) => self.i64(index),
            Step::Dynamic(index) => index,
        }
    }

    fn static_step(&mut self, place: &mut Place, index: i64) -> Result<(), Diagnostic> {
        let part = flat::part_offset(place.ty, index);
        let (offset, ty) = part.ok_or_else(|| self.internal(format!("{} has no part {index}", place.ty)))?;
        place.offset += offset as i64;
        place.ty = ty;
        // Offsets of loads and stores have 32 bits.
        if place.offset > i32::MAX as i64 / 2 {
            place.addr = self.address(*place);
            place.offset = 0;
        }
        Ok(())
    }

    /// The type of an element and whether it exists.
    fn dynamic_step(&mut self, ty: Type, index: Value) -> Result<(Type, Value), Diagnostic> {
        let part = agg::part_type(ty, -1).ok_or_else(|| self.internal(format!("{ty} has no elements")))?;
        let count = agg::as_array(ty).map_or(agg::num_parts(ty) as u64, |(n, _)| n);
        let count = self.i64(count as i64);
        Ok((part, self.b.ins().icmp(IntCC::UnsignedLessThan, index, count)))
    }

    /// The place that a path leads to, for writing: tapes grow on the way. Where the path leads outside, `skip` is next.
    fn target(&mut self, base: Value, ty: Type, path: &[Step], skip: &mut Skip) -> Result<Place, Diagnostic> {
        let mut place = Place { addr: base, offset: 0, ty, exists: None };
        for &step in path {
            if let Some(elem) = agg::as_tape(place.ty) {
                self.tape_target(&mut place, step, elem, skip)?;
                continue;
            }
            match step {
                Step::Static(index) => self.static_step(&mut place, index)?,
                Step::Dynamic(index) => {
                    let (part, inside) = self.dynamic_step(place.ty, index)?;
                    self.go_on_if(inside, skip);
                    self.element(&mut place, index, part)?;
                }
            }
        }
        Ok(place)
    }

    /// Goes on only if `condition` holds.
    pub(super) fn go_on_if(&mut self, condition: Value, skip: &mut Skip) {
        let out = *skip.0.get_or_insert_with(|| self.b.create_block());
        let go_on = self.b.create_block();
        self.b.ins().brif(condition, go_on, &[], out, &[]);
        self.b.switch_to_block(go_on);
    }

    fn tape_target(&mut self, place: &mut Place, step: Step, elem: Type, skip: &mut Skip) -> Result<(), Diagnostic> {
        let index = self.step_value(step);
        if matches!(step, Step::Dynamic(_)) {
            let zero = self.i64(0);
            let positive = self.b.ins().icmp(IntCC::SignedGreaterThanOrEqual, index, zero);
            self.go_on_if(positive, skip);
        }
        let tape_ty = place.ty;
        let tape = self.address(*place);
        let len = self.b.ins().load(types::I64, MEM, tape, 8);
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
        let (there, grow, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let addr = self.b.append_block_param(done, types::I64);
        if elem.is_scalar() {
            // The next one, for which there is room, needs no call: it is written as a whole, whatever has been in its place.
            let (outside, next) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(inside, there, &[], outside, &[]);
            self.b.switch_to_block(outside);
            let cap = self.b.ins().load(types::I64, MEM, tape, 16);
            let room = self.b.ins().icmp(IntCC::UnsignedLessThan, index, cap);
            let follows = self.b.ins().icmp(IntCC::Equal, index, len);
            let fits = self.b.ins().band(room, follows);
            self.b.ins().brif(fits, next, &[], grow, &[]);
            self.b.switch_to_block(next);
            let longer = self.b.ins().iadd_imm_s(len, 1);
            self.b.ins().store(MEM, longer, tape, 8);
            self.b.ins().jump(there, &[]);
        } else {
            self.b.ins().brif(inside, there, &[], grow, &[]);
        }

        self.b.switch_to_block(there);
        let data = self.b.ins().load(types::I64, MEM, tape, 0);
        let mut inner = Place { addr: data, offset: 0, ty: tape_ty, exists: None };
        self.element(&mut inner, index, elem)?;
        self.b.ins().jump(done, &[inner.addr.into()]);

        self.b.switch_to_block(grow);
        let desc = self.cx.tables.desc(tape_ty).ok_or_else(|| self.internal("a tape without a layout"))?;
        let (desc, site) = (self.i64(desc), self.site());
        let made = self.helper1(Helper::Grow, &[self.ctx, tape, index, desc, site]);
        let failed = self.b.ins().icmp_imm_u(IntCC::Equal, made, 0);
        self.exit_if(failed);
        self.b.ins().jump(done, &[made.into()]);

        self.b.switch_to_block(done);
        *place = Place { addr, offset: 0, ty: elem, exists: None };
        Ok(())
    }

    /// Runs `f` with the place that a path leads to, if it exists.
    fn with_target(
        &mut self,
        base: Value,
        ty: Type,
        path: &[Step],
        f: impl FnOnce(&mut Self, Place) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let mut skip = Skip(None);
        let place = self.target(base, ty, path, &mut skip)?;
        f(self, place)?;
        self.end_skip(skip);
        Ok(())
    }

    /// Joins what was skipped.
    pub(super) fn end_skip(&mut self, skip: Skip) {
        if let Some(block) = skip.0 {
            self.b.ins().jump(block, &[]);
            self.b.switch_to_block(block);
        }
    }

    // ----- moving data

    pub(super) fn load_place(&mut self, place: Place) -> Result<Flat, Diagnostic> {
        let offsets = flat::leaf_offsets(place.ty)
            .ok_or_else(|| self.internal(format!("a value of type {} is kept in storage", place.ty)))?;
        let size = self.size(place.ty)?;
        let (addr, offset) = match place.exists {
            Some(_) => (self.readable(place, size), 0),
            None => (place.addr, place.offset),
        };
        Ok(offsets.iter().map(|&(at, leaf)| self.load(leaf, addr, offset + at as i64)).collect())
    }

    pub(super) fn store_place(&mut self, place: Place, scalars: &[Value]) -> Result<(), Diagnostic> {
        let offsets = flat::leaf_offsets(place.ty)
            .ok_or_else(|| self.internal(format!("a value of type {} is kept in storage", place.ty)))?;
        for (&(at, leaf), &v) in offsets.iter().zip(scalars) {
            self.store(leaf, v, place.addr, place.offset + at as i64);
        }
        Ok(())
    }

    fn load(&mut self, leaf: Leaf, addr: Value, offset: i64) -> Value {
        let at = offset as i32;
        match leaf {
            Leaf::F16 => {
                let bits = self.b.ins().uload16(types::I32, MEM, addr, at);
                self.helper1(Helper::F16FromBits, &[bits])
            }
            Leaf::I1 => {
                // Any byte but 0 is true: the host may write what it likes.
                let byte = self.b.ins().load(types::I8, MEM, addr, at);
                self.b.ins().icmp_imm_u(IntCC::NotEqual, byte, 0)
            }
            leaf => self.b.ins().load(leaf.clif(), MEM, addr, at),
        }
    }

    fn store(&mut self, leaf: Leaf, value: Value, addr: Value, offset: i64) {
        let at = offset as i32;
        if leaf == Leaf::F16 {
            let bits = self.helper1(Helper::F16ToBits, &[value]);
            self.b.ins().istore16(MEM, bits, addr, at);
        } else {
            self.b.ins().store(MEM, value, addr, at);
        }
    }

    fn fill_zero(&mut self, addr: Value, size: u64) {
        if size == 0 {
            return;
        }
        if size <= 64 && size.is_multiple_of(8) {
            let zero = self.i64(0);
            for at in (0..size).step_by(8) {
                self.b.ins().store(MEM, zero, addr, at as i32);
            }
            return;
        }
        let (zero, size) = (self.b.ins().iconst(types::I32, 0), self.i64(size as i64));
        let config = self.cx.frontend_config();
        // `call_memset` widens a byte; it takes the byte itself.
        let byte = self.b.ins().ireduce(types::I8, zero);
        self.b.call_memset(config, addr, byte, size);
    }

    fn clear_place(&mut self, place: Place) -> Result<(), Diagnostic> {
        let addr = self.address(place);
        if has_tapes(place.ty) {
            let desc = self.cx.tables.desc(place.ty).ok_or_else(|| self.internal("a tape without a layout"))?;
            let desc = self.i64(desc);
            self.helper(Helper::Clear, &[self.ctx, addr, desc]);
        } else {
            let size = self.size(place.ty)?;
            self.fill_zero(addr, size);
        }
        Ok(())
    }

    /// Copies `from`, or zeros if it does not exist, to `to`.
    fn copy_place(&mut self, to: Place, from: Place) -> Result<(), Diagnostic> {
        let Some(exists) = from.exists else { return self.copy_existing(to, from) };
        let (yes, no, join) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().brif(exists, yes, &[], no, &[]);
        self.b.switch_to_block(yes);
        self.copy_existing(to, from)?;
        self.b.ins().jump(join, &[]);
        self.b.switch_to_block(no);
        self.clear_place(to)?;
        self.b.ins().jump(join, &[]);
        self.b.switch_to_block(join);
        Ok(())
    }

    fn copy_existing(&mut self, to: Place, from: Place) -> Result<(), Diagnostic> {
        let (dst, src) = (self.address(to), self.address(from));
        if has_tapes(to.ty) {
            let desc = self.cx.tables.desc(to.ty).ok_or_else(|| self.internal("a tape without a layout"))?;
            let (desc, site) = (self.i64(desc), self.site());
            let failed = self.helper1(Helper::CopyValue, &[self.ctx, dst, src, desc, site]);
            self.exit_if(failed);
            return Ok(());
        }
        let size = self.size(to.ty)?;
        if size <= 64 && size.is_multiple_of(4) {
            let step = if size.is_multiple_of(8) { 8 } else { 4 };
            let ty = if step == 8 { types::I64 } else { types::I32 };
            // All loads before the stores: both may be the same place.
            let words: Vec<(u64, Value)> =
                (0..size).step_by(step).map(|at| (at, self.b.ins().load(ty, MEM, src, at as i32))).collect();
            for (at, word) in words {
                self.b.ins().store(MEM, word, dst, at as i32);
            }
        } else if size > 0 {
            let size = self.i64(size as i64);
            let config = self.cx.frontend_config();
            self.b.call_memmove(config, dst, src, size);
        }
        Ok(())
    }
}

/// The block after an access that may be skipped; `None` as long as nothing can skip it.
pub(super) struct Skip(pub Option<Block>);
