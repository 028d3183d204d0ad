//! Buffers and uniforms.

use super::storage::Place;
use super::value::Step;
use crate::assembler::{Assembler, Compare, Flat, IntOp, Memory, Only};
use crate::emit::Emit;
use caustic_dialects::place::place_of;
use caustic_dialects::{agg, arith};
use caustic_ir::op::Access;
use caustic_ir::{Body, Diagnostic, Name, OpId, Type, ValueId};
use caustic_native::flat;
use caustic_native::{AtomicCall, Global, Helper, Leaf, ThreadCtx};
use std::mem::{offset_of, size_of};

/// A buffer value: its contents, the number of elements, and its number among the resources.
#[derive(Clone)]
pub(super) struct BufferValue<V> {
    data: V,
    len: V,
    number: V,
    /// The number, if only one resource can be meant.
    known: Option<usize>,
    elem: Type,
    /// The index is the offset of the first byte; `len` counts the bytes from `data` on.
    by_bytes: bool,
    /// A part needs its own bytes only.
    by_parts: bool,
    /// Whether `data` may be anywhere in the resource, or at its end.
    anywhere: bool,
}

impl<V: Copy> BufferValue<V> {
    /// A resource of which nothing but the number is known yet.
    fn entry(number: V, elem: Type) -> BufferValue<V> {
        let (known, by_bytes, by_parts, anywhere) = (None, false, false, false);
        BufferValue { data: number, len: number, number, known, elem, by_bytes, by_parts, anywhere }
    }
}

/// Where a path leads from the start of an element.
struct Part<V> {
    ty: Type,
    /// Bytes to it: those that are known, and those that are computed.
    offset: i64,
    further: Option<V>,
    /// Whether all indices on the way are inside; `None` means that they are.
    exists: Option<V>,
}

/// No index of an array without a size leads further, in bytes.
const FURTHEST: u64 = 1 << 60;

/// Whether `op` updates memory atomically and nobody looks at what was there before.
pub fn is_unseen_update(body: &Body, op: OpId) -> bool {
    agg::AtomicRmw::is(body, op) && body.results(op).iter().all(|&result| body.uses(result).is_empty())
}

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    /// `agg.global`: a buffer, or the contents of a uniform.
    pub(super) fn global_op(&mut self, view: agg::Global) -> Result<(), Diagnostic> {
        let name = view.name(self.body).ok_or_else(|| self.internal("no name"))?;
        let (data, len, number) = self.global(name)?;
        let ty = self.ty(self.body.result(view.0, 0));
        let value = if agg::as_buffer(ty).is_some() {
            Flat::from_slice(&[data, len, number])
        } else if flat::is_object(ty) {
            Flat::from_slice(&[data])
        } else {
            self.load_place(Place { addr: data, offset: 0, ty, exists: None, memory: Memory::Constant })?
        };
        self.set_result(view.0, value);
        Ok(())
    }

    pub(super) fn global_element_op(&mut self, view: agg::GlobalElement) -> Result<(), Diagnostic> {
        let name = view.name(self.body).ok_or_else(|| self.internal("no name"))?;
        let ty = self.ty(self.body.result(view.0, 0));
        let value = self.global_element(name, view.index(self.body), ty)?;
        self.set_result(view.0, value);
        Ok(())
    }

    pub(super) fn buffer_len(&mut self, view: agg::BufferLen) -> Result<(), Diagnostic> {
        let buffer = self.buffer(view.buffer(self.body))?;
        self.set_result(view.0, Flat::from_slice(&[buffer.len]));
        Ok(())
    }

    pub(super) fn buffer_load(&mut self, view: agg::BufferLoad) -> Result<(), Diagnostic> {
        let (body, op) = (self.body, view.0);
        let path = self.path(op, view.path(body), view.indices(body))?;
        let index = self.get1(view.index(body))?;
        let buffer = self.buffer(view.buffer(body))?;
        let place = match body.attr(op, agg::INSIDE) {
            Some(_) if A::ADDS_TO_ADDRESSES => self.find_by_addends(&buffer, view.index(body), &path)?,
            Some(_) => self.find_element(&buffer, index, &path)?,
            None => self.find_in_buffer(&buffer, index, &path)?,
        };
        let value = self.load_place(place)?;
        self.set_result(op, value);
        Ok(())
    }

    pub(super) fn buffer_store(&mut self, view: agg::BufferStore) -> Result<(), Diagnostic> {
        let body = self.body;
        let path = self.path(view.0, view.path(body), view.indices(body))?;
        let index = self.get1(view.index(body))?;
        let buffer = self.buffer(view.buffer(body))?;
        let value = self.get(view.value(body))?;
        if body.attr(view.0, agg::INSIDE).is_some() {
            let mut place = self.find_element(&buffer, index, &path)?;
            return match place.exists.take() {
                Some(exists) => A::when(self, exists, &mut |e| e.store_place(place, &value)),
                None => self.store_place(place, &value),
            };
        }
        self.with_buffer_target(&buffer, index, &path, |e, place| e.store_place(place, &value))
    }

    /// The contents of a buffer as elements of another type, or as bytes.
    pub(super) fn buffer_view(&mut self, view: agg::View) -> Result<(), Diagnostic> {
        let buffer = self.buffer(view.buffer(self.body))?;
        let ty = self.ty(self.body.result(view.0, 0));
        let len = if agg::is_byte_view(ty) {
            if buffer.by_bytes { buffer.len } else { self.whole(&buffer) }
        } else {
            let to = agg::as_buffer(ty);
            let size = self.size(to.ok_or_else(|| self.internal("not a buffer"))?.0)?;
            let of = self.size(buffer.elem)?;
            self.arith_imm(IntOp::Mul, buffer.len, (of / size.max(1)) as i64)
        };
        self.set_result(view.0, Flat::from_slice(&[buffer.data, len, buffer.number]));
        Ok(())
    }

    pub(super) fn buffer_count(&mut self, view: agg::BufferCount) -> Result<(), Diagnostic> {
        let buffer = self.buffer(view.buffer(self.body))?;
        let counter = self.entry_field(&buffer, Leaf::Addr, offset_of!(Global, counter));
        let delta = view.delta(self.body).unwrap_or(0);
        let before = A::each(self, None, &[Leaf::I32], &mut |e| {
            let delta = e.a.int(Leaf::I32, delta);
            let before = e.a.atomic_rmw("add", Leaf::I32, counter, delta);
            before.map(|v| Flat::from_slice(&[v])).ok_or_else(|| e.internal("no atomic addition"))
        })?;
        self.set_result(view.0, before);
        Ok(())
    }

    pub(super) fn pointer_op(&mut self, op: OpId, view: agg::PointerView) -> Result<(), Diagnostic> {
        let value = match view {
            agg::PointerView::Address(v) => {
                let number = self.buffer(v.buffer(self.body))?.number;
                let number = self.add_imm(number, 1);
                Flat::from_slice(&[self.arith_imm(IntOp::Shl, number, i64::from(agg::OFFSET_BITS))])
            }
            agg::PointerView::Pointee(v) => {
                let address = self.get1(v.address(self.body))?;
                self.pointee(address, self.ty(self.body.result(op, 0)))?
            }
        };
        self.set_result(op, value);
        Ok(())
    }

    pub(super) fn atomic_op(&mut self, view: agg::AtomicView) -> Result<(), Diagnostic> {
        match view {
            agg::AtomicView::AtomicRmw(v) => self.atomic_rmw(v),
            agg::AtomicView::AtomicCas(v) => self.atomic_cas(v),
        }
    }

    fn atomic_rmw(&mut self, view: agg::AtomicRmw) -> Result<(), Diagnostic> {
        let (body, op) = (self.body, view.0);
        let kind = agg::atomic_kind(self.body, op).ok_or_else(|| self.internal("no such atomic update"))?;
        let number = view.value(body);
        let ty = self.ty(number);
        let leaf = self.leaf_of(number)?;
        let value = self.get1(number)?;
        if !self.a.alone() && is_unseen_update(body, op) && self.noted(op, kind, leaf, value)? {
            return Ok(());
        }
        self.atomic(op, leaf, |e, addr| {
            if let Some(old) = e.a.atomic_rmw(kind, leaf, addr, value) {
                return Ok(old);
            }
            if !A::HOSTED {
                return Err(e.unsupported(op));
            }
            let call = e.a.tables().atomic_call(AtomicCall { kind: kind.to_string(), ty });
            let (call, word) = (e.i64(call), e.a.word_of(leaf, value));
            let bits = e.helper1(Helper::AtomicCombine, &[call, addr, word]);
            let bits = e.a.resize(Leaf::I64, leaf.bits_leaf(), bits, false);
            Ok(e.a.with_bits(leaf, bits))
        })
    }

    fn atomic_cas(&mut self, view: agg::AtomicCas) -> Result<(), Diagnostic> {
        let expected = view.expected(self.body);
        let leaf = self.leaf_of(expected)?;
        let (expected, value) = (self.get1(expected)?, self.get1(view.value(self.body))?);
        self.atomic(view.0, leaf, |e, addr| Ok(e.a.atomic_cas(leaf, addr, expected, value)))
    }

    /// An atomic access to the number in the place that the op updates, if it exists; else the
    /// result is zero. `f` gives the number before.
    fn atomic(
        &mut self,
        op: OpId,
        leaf: Leaf,
        mut f: impl FnMut(&mut Self, A::Value) -> Result<A::Value, Diagnostic>,
    ) -> Result<(), Diagnostic> {
        self.a.settle();
        let (place, any) = self.updated(op)?;
        let exists = place.exists.unwrap_or_else(|| self.a.int(Leaf::I1, 1));
        let old = A::each(self, Some(Only::If(exists)), &[leaf], &mut |e| {
            let addr = e.address(place);
            // As in D3D, the last bits of an address that is not a multiple of the number's size do
            // not count. Where elements are typed it is one.
            let addr = if any { e.a.align_down(addr, leaf.size()) } else { addr };
            f(e, addr).map(|v| Flat::from_slice(&[v]))
        })?;
        self.set_result(op, old);
        Ok(())
    }

    /// The place that the op updates, and whether its address may be any.
    fn updated(&mut self, op: OpId) -> Result<(Place<A::Value>, bool), Diagnostic> {
        let updated = place_of(self.body, op, &[Access::Updates]).ok_or_else(|| self.internal("no place"))?;
        let path = self.path(op, updated.path, updated.indices)?;
        let index = self.get1(updated.element.ok_or_else(|| self.internal("no index"))?)?;
        let buffer = self.buffer(updated.base)?;
        let place = match self.body.attr(op, agg::INSIDE) {
            Some(_) => self.find_element(&buffer, index, &path)?,
            None => self.find_in_buffer(&buffer, index, &path)?,
        };
        Ok((place, agg::is_byte_view(self.ty(updated.base))))
    }

    /// Leaves an update to the time when it has to have been made, where there is such a time.
    fn noted(&mut self, op: OpId, kind: &str, leaf: Leaf, value: A::Value) -> Result<bool, Diagnostic> {
        let (place, any) = self.updated(op)?;
        let addr = self.address(place);
        let addr = if any { self.a.align_down(addr, leaf.size()) } else { addr };
        if !self.a.note_update(kind, leaf, addr, place.exists, value) {
            return Ok(false);
        }
        let nothing = self.a.zero(leaf);
        self.set_result(op, Flat::from_slice(&[nothing]));
        Ok(true)
    }

    /// Bytes of a buffer's elements.
    fn whole(&mut self, buffer: &BufferValue<A::Value>) -> A::Value {
        let len = self.entry_field(buffer, Leaf::I64, offset_of!(Global, len));
        let step = self.entry_field(buffer, Leaf::I64, offset_of!(Global, step));
        self.arith(IntOp::Mul, len, step)
    }

    /// The bytes of a buffer from an address on, as a view whose first element is there. Nothing is
    /// reached through an address that is in no buffer: its view has no elements.
    fn pointee(&mut self, address: A::Value, view: Type) -> Result<Flat<A::Value>, Diagnostic> {
        let (elem, _) = agg::as_buffer(view).ok_or_else(|| self.internal("not a buffer"))?;
        let number = self.arith_imm(IntOp::Shr, address, i64::from(agg::OFFSET_BITS));
        let number = self.add_imm(number, -1);
        let offset = self.arith_imm(IntOp::And, address, (1i64 << agg::OFFSET_BITS) - 1);
        let count = self.context_field(Leaf::I64, offset_of!(ThreadCtx, num_globals));
        let exists = self.a.compare(Compare::UnsignedLess, Leaf::I64, number, count);
        let zero = self.i64(0);
        // Some entry is read anyway; one that is no buffer has no elements.
        let number = self.a.select(exists, number, zero);
        let buffer = BufferValue::entry(number, elem);
        let data = self.entry_field(&buffer, Leaf::Addr, offset_of!(Global, data));
        let whole = self.whole(&buffer);
        let whole = self.a.select(exists, whole, zero);
        let (start, offset, bytes) = self.cell(number, offset, whole);
        let mut within = self.at_most(offset, bytes);
        let rest = self.arith(IntOp::Sub, bytes, offset);
        let mut offset = offset;
        if let Some(start) = start {
            let end = self.arith(IntOp::Add, start, bytes);
            let exists = self.at_most(end, whole);
            within = self.and(within, exists);
            offset = self.arith(IntOp::Add, start, offset);
        }
        let len = self.a.select(within, rest, zero);
        let offset = self.existing(offset, within);
        let data = self.a.element(data, offset, 1, Memory::Resource(None));
        Ok(Flat::from_slice(&[data, len, number]))
    }

    /// Where the cell of private memory starts that an address is in, the offset in it, and its
    /// bytes. What is in another buffer is in its only cell, which starts nowhere else; so does
    /// everything where no resource is private.
    fn cell(&mut self, number: A::Value, offset: A::Value, whole: A::Value) -> (Option<A::Value>, A::Value, A::Value) {
        // All resources that the code refers to are known before it is emitted. Neighbours with
        // equal cells are looked at as one.
        let mut runs: Vec<(usize, usize, u64, u64)> = Vec::new();
        for (at, entry) in self.a.tables().global_entries.iter().enumerate().filter(|(_, e)| e.cells > 1) {
            let size = entry.size.unwrap_or(0) / entry.cells;
            match runs.last_mut() {
                Some(run) if run.0 + run.1 == at && (run.2, run.3) == (size, entry.cells) => run.1 += 1,
                _ => runs.push((at, 1, size, entry.cells)),
            }
        }
        if runs.is_empty() {
            return (None, offset, whole);
        }
        let (mut size, mut bytes) = (self.i64(0), whole);
        let mut shift = self.i64(i64::from(agg::OFFSET_BITS));
        for (first, count, cell, cells) in runs {
            let at = self.add_imm(number, -(first as i64));
            let count = self.i64(count as i64);
            let is_here = self.a.compare(Compare::UnsignedLess, Leaf::I64, at, count);
            let (cell, its_shift) = (self.i64(cell as i64), self.i64(i64::from(agg::cell_shift(cells))));
            size = self.a.select(is_here, cell, size);
            bytes = self.a.select(is_here, cell, bytes);
            shift = self.a.select(is_here, its_shift, shift);
        }
        let cell = self.arith(IntOp::Shr, offset, shift);
        let before = self.arith(IntOp::Shl, cell, shift);
        let offset = self.arith(IntOp::Sub, offset, before);
        (Some(self.arith(IntOp::Mul, cell, size)), offset, bytes)
    }

    /// One of an array of resources; the last one if there are fewer.
    fn global_element(&mut self, name: Name, index: ValueId, ty: Type) -> Result<Flat<A::Value>, Diagnostic> {
        let first = self.resource(name, self.loc)?;
        let count = self.a.tables().global_entries[first..].iter().take_while(|e| e.symbol == name).count();
        let index = {
            let (leaf, index) = (self.leaf_of(index)?, self.get1(index)?);
            self.a.word_of(leaf, index)
        };
        let last = self.i64(count as i64 - 1);
        let index = self.arith(IntOp::Min, index, last);
        let number = self.add_imm(index, first as i64);
        let elem = agg::as_buffer(ty).map_or(ty, |(elem, _)| elem);
        let buffer = BufferValue::entry(number, elem);
        let data = self.entry_field(&buffer, Leaf::Addr, offset_of!(Global, data));
        if flat::is_object(ty) {
            return Ok(Flat::from_slice(&[data]));
        }
        let len = self.entry_field(&buffer, Leaf::I64, offset_of!(Global, len));
        Ok(Flat::from_slice(&[data, len, number]))
    }

    /// The entry of a resource in the table of the run: contents, elements, number.
    pub(super) fn global(&mut self, name: Name) -> Result<(A::Value, A::Value, A::Value), Diagnostic> {
        let number = self.resource(name, self.loc)?;
        let table = self.context_field(Leaf::Addr, offset_of!(ThreadCtx, globals));
        let at = (number * size_of::<Global>()) as i64;
        let data = self.a.load(Leaf::Addr, table, at + offset_of!(Global, data) as i64, Memory::Constant);
        let len = self.a.load(Leaf::I64, table, at + offset_of!(Global, len) as i64, Memory::Constant);
        Ok((data, len, self.i64(number as i64)))
    }

    /// The number of the one resource that a buffer value can be.
    fn known_resource(&mut self, value: ValueId) -> Option<usize> {
        let name = agg::Global::cast(self.body, self.body.def_op(value)?)?.name(self.body)?;
        self.resource(name, self.loc).ok()
    }

    pub(super) fn buffer(&mut self, value: ValueId) -> Result<BufferValue<A::Value>, Diagnostic> {
        let (elem, _) = agg::as_buffer(self.ty(value)).ok_or_else(|| self.internal("not a buffer"))?;
        match self.get(value)?.as_slice() {
            &[data, len, number] => {
                let (known, ty) = (self.known_resource(value), self.ty(value));
                let (by_bytes, by_parts) = (agg::is_byte_view(ty), agg::is_pointee(ty));
                let mut source = value;
                while let Some(view) = self.body.def_op(source).filter(|&op| agg::View::is(self.body, op)) {
                    source = self.body.operand(view, 0);
                }
                let anywhere = agg::is_byte_view(self.ty(source));
                Ok(BufferValue { data, len, number, known, elem, by_bytes, by_parts, anywhere })
            }
            _ => Err(self.internal("not a buffer")),
        }
    }

    fn in_range(&mut self, buffer: &BufferValue<A::Value>, index: A::Value) -> A::Value {
        self.a.compare(Compare::UnsignedLess, Leaf::I64, index, buffer.len)
    }

    /// `agg.check_bounds`: ends the dispatch where what would be accessed does not exist.
    pub(super) fn check_bounds(&mut self, view: agg::CheckBounds) -> Result<(), Diagnostic> {
        let body = self.body;
        let path = self.path(view.0, view.path(body), view.indices(body))?;
        let index = self.get1(view.index(body))?;
        let buffer = self.buffer(view.buffer(body))?;
        let inside = match self.part(&buffer, &path)? {
            Some((part, _)) => {
                let (_, inside) = self.reach_part(&buffer, index, &part)?;
                match part.exists {
                    // An index on the way that is out of range leads nowhere, which is no access.
                    Some(exists) => {
                        let yes = self.a.int(Leaf::I1, 1);
                        self.a.select(exists, inside, yes)
                    }
                    None => inside,
                }
            }
            None => self.in_range(&buffer, index),
        };
        self.stop_unless(inside, Helper::OutOfRange, &[buffer.number, index])
    }

    /// What has to exist for an access: the part, if it is behind a pointer or in an array without
    /// a size, of any other view by bytes the element, and the path from there on. `None` where
    /// elements are counted.
    fn part<'p>(
        &mut self,
        buffer: &BufferValue<A::Value>,
        path: &'p [Step<A::Value>],
    ) -> Result<Option<(Part<A::Value>, &'p [Step<A::Value>])>, Diagnostic> {
        let mut types = path.iter().scan(buffer.elem, |ty, &step| {
            let at = std::mem::replace(ty, agg::part_type(*ty, if let Step::Static(k) = step { k } else { -1 })?);
            Some(at)
        });
        let mut part = Part { ty: buffer.elem, offset: 0, further: None, exists: None };
        if !buffer.by_parts && !types.any(agg::is_unsized_array) {
            return Ok(buffer.by_bytes.then_some((part, path)));
        }
        for &step in path {
            let Step::Static(index) = step else {
                let is_unsized = agg::is_unsized_array(part.ty);
                let (ty, inside) = match (step, is_unsized) {
                    (Step::Dynamic(index), false) => self.dynamic_step(part.ty, index)?,
                    (_, false) => (self.element_type(part.ty)?, self.a.int(Leaf::I1, 1)),
                    (_, true) => {
                        let ty = self.element_type(part.ty)?;
                        let (index, count) = (self.step_value(step), FURTHEST / self.size(ty)?.max(1));
                        let count = self.i64(count as i64);
                        (ty, self.a.compare(Compare::UnsignedLess, Leaf::I64, index, count))
                    }
                };
                if matches!(step, Step::Dynamic(_)) || is_unsized {
                    part.exists = self.both(part.exists, inside);
                }
                let (index, size) = (self.step_value(step), self.size(ty)?);
                let bytes = self.arith_imm(IntOp::Mul, index, size as i64);
                part.further = Some(match part.further {
                    Some(further) => self.arith(IntOp::Add, further, bytes),
                    None => bytes,
                });
                part.ty = ty;
                continue;
            };
            let (offset, ty) = flat::part_offset(part.ty, index)
                .ok_or_else(|| self.internal(format!("{} has no part {index}", part.ty)))?;
            part.offset += offset as i64;
            part.ty = ty;
        }
        Ok(Some((part, &[])))
    }

    /// Where a part begins, in bytes from `data` on and without its known offset, and whether it
    /// exists.
    fn find_part(
        &mut self,
        buffer: &BufferValue<A::Value>,
        index: A::Value,
        part: &Part<A::Value>,
    ) -> Result<(A::Value, A::Value), Diagnostic> {
        let (at, inside) = self.reach_part(buffer, index, part)?;
        Ok((at, self.both(part.exists, inside).unwrap_or(inside)))
    }

    /// The same, where all indices on the way are inside.
    fn reach_part(
        &mut self,
        buffer: &BufferValue<A::Value>,
        index: A::Value,
        part: &Part<A::Value>,
    ) -> Result<(A::Value, A::Value), Diagnostic> {
        let (first, bytes) = match buffer.by_bytes {
            true => (index, buffer.len),
            false => {
                let size = self.size(buffer.elem)?;
                (self.arith_imm(IntOp::Mul, index, size as i64), self.whole(buffer))
            }
        };
        let needed = (part.offset as u64).saturating_add(self.size(part.ty)?).min(i64::MAX as u64);
        let needed = self.i64(needed as i64);
        let at = match part.further {
            Some(further) => self.arith(IntOp::Add, first, further),
            None => first,
        };
        // So many places there are at which the part would fit.
        let (fits, zero) = (self.at_most(needed, bytes), self.i64(0));
        let last = self.arith(IntOp::Sub, bytes, needed);
        let places = self.add_imm(last, 1);
        let places = self.a.select(fits, places, zero);
        let mut inside = self.a.compare(Compare::UnsignedLess, Leaf::I64, at, places);
        // A sum that wraps around is inside only if the index is not.
        if part.further.is_some() || !buffer.by_bytes {
            let starts_inside = self.at_most(index, buffer.len);
            inside = self.and(inside, starts_inside);
        }
        Ok((at, inside))
    }

    /// A part at so many bytes from `data` on.
    fn part_place(&mut self, buffer: &BufferValue<A::Value>, at: A::Value, part: &Part<A::Value>) -> Place<A::Value> {
        let (at, offset) = match part.offset > i64::from(i32::MAX) / 2 {
            true => (self.add_imm(at, part.offset), 0),
            false => (at, part.offset),
        };
        let memory = Memory::Resource(buffer.known);
        Place { addr: self.a.element(buffer.data, at, 1, memory), offset, ty: part.ty, exists: None, memory }
    }

    /// The same for reading, wherever that is.
    fn readable_part(
        &mut self,
        buffer: &BufferValue<A::Value>,
        index: A::Value,
        part: &Part<A::Value>,
    ) -> Result<Place<A::Value>, Diagnostic> {
        let (at, exists) = self.find_part(buffer, index, part)?;
        let place = match A::ZEROS {
            true => self.part_place(buffer, at, part),
            // What does not exist is read from the start of the resource, whatever its known
            // offset.
            false => {
                let at = self.add_imm(at, part.offset);
                let whole = Part { ty: part.ty, offset: 0, ..*part };
                if buffer.anywhere {
                    let place = self.part_place(buffer, at, &whole);
                    let start = self.entry_field(buffer, Leaf::Addr, offset_of!(Global, data));
                    Place { addr: self.a.select(exists, place.addr, start), ..place }
                } else {
                    let at = self.existing(at, exists);
                    self.part_place(buffer, at, &whole)
                }
            }
        };
        Ok(Place { exists: Some(exists), ..place })
    }

    fn element_address(&mut self, buffer: &BufferValue<A::Value>, index: A::Value) -> Result<A::Value, Diagnostic> {
        let size = self.size(buffer.elem)?;
        Ok(self.a.element(buffer.data, index, if buffer.by_bytes { 1 } else { size }, Memory::Resource(buffer.known)))
    }

    /// A field of the buffer's entry in the table of the run.
    fn entry_field(&mut self, buffer: &BufferValue<A::Value>, leaf: Leaf, offset: usize) -> A::Value {
        let table = self.context_field(Leaf::Addr, offset_of!(ThreadCtx, globals));
        let entry = self.a.element(table, buffer.number, size_of::<Global>() as u64, Memory::Constant);
        self.a.load(leaf, entry, offset as i64, Memory::Constant)
    }

    /// The part of an element that exists.
    fn find_element(
        &mut self,
        buffer: &BufferValue<A::Value>,
        index: A::Value,
        path: &[Step<A::Value>],
    ) -> Result<Place<A::Value>, Diagnostic> {
        let addr = self.element_address(buffer, index)?;
        self.find(addr, buffer.elem, path, Memory::Resource(buffer.known))
    }

    /// The same, whose address is added up as the index is.
    fn find_by_addends(
        &mut self,
        buffer: &BufferValue<A::Value>,
        index: ValueId,
        path: &[Step<A::Value>],
    ) -> Result<Place<A::Value>, Diagnostic> {
        let (mut first, mut others) = (index, Vec::new());
        while let Some(sum) = self.body.def_op(first).filter(|&op| arith::AddI::is(self.body, op)) {
            others.push(self.body.operand(sum, 1));
            first = self.body.operand(sum, 0);
        }
        let mut from = buffer.clone();
        for addend in std::iter::once(first).chain(others.into_iter().rev()) {
            let addend = self.get1(addend)?;
            from.data = self.element_address(&from, addend)?;
        }
        self.find(from.data, from.elem, path, Memory::Resource(from.known))
    }

    /// The part of an element, for reading.
    pub(super) fn find_in_buffer(
        &mut self,
        buffer: &BufferValue<A::Value>,
        index: A::Value,
        path: &[Step<A::Value>],
    ) -> Result<Place<A::Value>, Diagnostic> {
        if let Some((part, path)) = self.part(buffer, path)? {
            let place = self.readable_part(buffer, index, &part)?;
            return self.follow(place, path);
        }
        let inside = self.in_range(buffer, index);
        let index = self.existing(index, inside);
        let mut place = self.find_element(buffer, index, path)?;
        place.exists = Some(match place.exists {
            Some(exists) => self.and(exists, inside),
            None => inside,
        });
        Ok(place)
    }

    /// Runs `f` with the part of an element, if it exists.
    pub(super) fn with_buffer_target(
        &mut self,
        buffer: &BufferValue<A::Value>,
        index: A::Value,
        path: &[Step<A::Value>],
        mut f: impl FnMut(&mut Self, Place<A::Value>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        if let Some((part, path)) = self.part(buffer, path)? {
            let (at, exists) = self.find_part(buffer, index, &part)?;
            return A::when(self, exists, &mut |e| {
                let place = e.part_place(buffer, at, &part);
                let mut place = e.follow(place, path)?;
                match place.exists.take() {
                    Some(exists) => A::when(e, exists, &mut |e| f(e, place)),
                    None => f(e, place),
                }
            });
        }
        let inside = self.in_range(buffer, index);
        A::when(self, inside, &mut |e| {
            let addr = e.element_address(buffer, index)?;
            let mut place = e.find(addr, buffer.elem, path, Memory::Resource(buffer.known))?;
            match place.exists.take() {
                Some(exists) => A::when(e, exists, &mut |e| f(e, place)),
                None => f(e, place),
            }
        })
    }
}
