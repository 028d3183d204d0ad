//! Local storage: places in memory along paths, reading, writing, copying.
//!
//! A path that leads outside reads from zeros instead, and skips what would be written; an element
//! that a tape ([`super::tape`]) lacks is made before it is written. Slots stand on the native
//! stack if they are small, else in the thread's heap.

use super::value::Step;
use crate::assembler::{Assembler, Compare, Flat, Memory, Only};
use crate::emit::{Cleanup, Emit};
use caustic_dialects::agg;
use caustic_dialects::place::{self, place_of};
use caustic_ir::codes;
use caustic_ir::op::Access;
use caustic_ir::{BlockId, Diagnostic, OpId, Type};
use caustic_native::flat;
use caustic_native::{Failure, Helper, Leaf, has_tapes};

/// Bytes of slots that a function may have on the native stack.
const STACK_BYTES: u64 = 2048;

/// Elements of an array up to which they are moved one by one without a loop.
const UNROLLED: u64 = 4;

/// A part of something in memory.
#[derive(Clone, Copy)]
pub(super) struct Place<V> {
    pub addr: V,
    pub offset: i64,
    pub ty: Type,
    /// Whether it exists; `None` means that it does. The address means nothing where it does not.
    pub exists: Option<V>,
    /// Whose memory it is.
    pub memory: Memory,
}

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    /// Makes the slots of the function; they all stand in its entry block.
    pub fn slots(&mut self, entry: BlockId) -> Result<(), Diagnostic> {
        let mut on_stack = 0;
        let mut next = self.body.first_op(entry);
        while let Some(op) = next {
            next = self.body.next_op(op);
            if !agg::Alloca::is(self.body, op) {
                continue;
            }
            self.begin(op);
            let ty = agg::as_slot(self.ty(self.body.result(op, 0))).ok_or_else(|| self.internal("not a slot"))?;
            let size = self.size(ty)?;
            let small = !A::HOSTED || on_stack + size <= STACK_BYTES;
            if !A::HOSTED && has_tapes(ty) {
                return Err(agg::no_tape(None, self.body, agg::tape_writer(self.body, op)));
            }
            let at = if small {
                on_stack += size;
                let bytes = self.a.local_size(size);
                self.a.stack_memory(bytes)
            } else {
                let bytes = self.a.local_size(size) as i64;
                let (bytes, site) = (self.i64(bytes), self.site());
                let context = self.a.context();
                let at = self.helper1(Helper::Alloc, &[context, bytes, site]);
                self.exit_if_null(at);
                at
            };
            if has_tapes(ty) {
                // Whatever is in a slot with tapes must be valid at all times: zeros are empty
                // tapes.
                let align = self.alignment(ty);
                self.a.fill_zero(at, size, align);
                let desc = self.tape_desc(ty)?;
                self.cleanup.push(Cleanup::Release { at, desc });
                let slot = self.body.result(op, 0);
                // What else may stand for it is not followed.
                let named =
                    |user: OpId| !self.body.op(user).regions.is_empty() || self.body.op(user).def.is_terminator();
                if !self.body.uses(slot).iter().any(|u| named(u.op)) {
                    self.tape_slots.push(slot);
                }
            }
            if !small {
                self.cleanup.push(Cleanup::Free { at, size: self.a.local_size(size) });
            }
            self.set_result(op, Flat::from_slice(&[at]));
        }
        Ok(())
    }

    /// Ends the dispatch unless the index is within its bounds.
    pub(super) fn check_index(&mut self, view: agg::CheckIndex) -> Result<(), Diagnostic> {
        let count = view.count(self.body).unwrap_or(0);
        let (index, count) = (self.index(view.index(self.body))?, self.i64(count));
        let inside = self.a.compare(Compare::UnsignedLess, Leaf::I64, index, count);
        self.stop_unless(inside, Helper::BadIndex, &[index, count])
    }

    /// Ends the dispatch of each thread whose condition is not true. A host is told why by a helper
    /// that takes these values; without one the machine stops.
    pub(super) fn stop_unless(&mut self, fine: A::Value, helper: Helper, why: &[A::Value]) -> Result<(), Diagnostic> {
        A::each(self, Some(Only::Unless(fine)), &[], &mut |e| {
            let (context, site) = (e.a.context(), e.site());
            if !A::HOSTED {
                e.a.fail(Failure::Bounds, 0);
                return Ok(Flat::new());
            }
            let args: Vec<A::Value> = [context].into_iter().chain(why.iter().copied()).chain([site]).collect();
            let stop = e.helper1(helper, &args);
            e.exit_if_status(stop);
            Ok(Flat::new())
        })?;
        Ok(())
    }

    pub(super) fn storage_op(&mut self, op: OpId, view: agg::StorageView) -> Result<(), Diagnostic> {
        use agg::StorageView as V;
        let body = self.body;
        match view {
            // `slots` has made it.
            V::Alloca(_) => {}
            V::GlobalSlot(v) => {
                let name = v.name(body).ok_or_else(|| self.internal("no name"))?;
                let (data, _, _) = self.global(name)?;
                self.set_result(op, Flat::from_slice(&[data]));
            }
            V::Load(v) => {
                let path = self.path(op, v.path(body), v.indices(body))?;
                let place = self.find_in_slot(op, &self.slot_place(op, Access::Reads)?, &path)?;
                let value = self.load_place(place)?;
                self.set_result(op, value);
            }
            V::SlotLength(v) => {
                let (tape, _) = self.slot(v.slot(body))?;
                let length = self.a.load(Leaf::I64, tape, 8, Memory::Local);
                self.set_result(op, Flat::from_slice(&[length]));
            }
            V::Store(v) => {
                let path = self.path(op, v.path(body), v.indices(body))?;
                let (base, ty) = self.slot(v.slot(body))?;
                let value = self.get(v.value(body))?;
                match self.filled_place(op, &self.slot_place(op, Access::Writes)?, &path)? {
                    Some(place) => self.store_place(place, &value)?,
                    None => self.with_target(base, ty, &path, |e, place| e.store_place(place, &value))?,
                }
            }
            // A machine whose threads have memory side by side clears as much as all of them have.
            V::Clear(v) if !A::HOSTED && v.unread(body) => {}
            V::Clear(v) => {
                let path = self.path(op, v.path(body), v.indices(body))?;
                let (base, ty) = self.slot(v.slot(body))?;
                self.with_target(base, ty, &path, |e, place| e.clear_place(place))?;
            }
            V::Copy(_) => {
                let (target, source) = (self.slot_place(op, Access::Writes)?, self.slot_place(op, Access::Reads)?);
                let to = self.path(op, target.path, target.indices)?;
                let from = self.path(op, source.path.clone(), source.indices)?;
                let (dst, dst_ty) = self.slot(target.base)?;
                // The target first: growing a tape may move what the source is read from.
                self.with_target(dst, dst_ty, &to, |e, place| {
                    let source = e.find_in_slot(op, &source, &from)?;
                    e.copy_place(place, source)
                })?;
            }
            V::ReadBuffer(v) => {
                let path = self.path(op, v.path(body), v.indices(body))?;
                let (base, ty) = self.slot(v.slot(body))?;
                let target = Place { addr: base, offset: 0, ty, exists: None, memory: Memory::Local };
                let index = self.get1(v.index(body))?;
                let buffer = self.buffer(v.buffer(body))?;
                let place = self.find_in_buffer(&buffer, index, &path)?;
                self.copy_place(target, place)?;
            }
            V::WriteBuffer(v) => {
                let path = self.path(op, v.path(body), v.indices(body))?;
                let (base, ty) = self.slot(v.slot(body))?;
                let index = self.get1(v.index(body))?;
                let buffer = self.buffer(v.buffer(body))?;
                self.with_buffer_target(&buffer, index, &path, |e, place| {
                    let source = Place { addr: base, offset: 0, ty, exists: None, memory: Memory::Local };
                    e.copy_data(place, source)
                })?;
            }
        }
        Ok(())
    }

    /// The place in a slot that an op's row says it accesses in this way.
    fn slot_place(&self, op: OpId, access: Access) -> Result<place::Place<'m>, Diagnostic> {
        place_of(self.body, op, &[access]).ok_or_else(|| self.internal("a row without its place"))
    }

    pub(super) fn size(&self, ty: Type) -> Result<u64, Diagnostic> {
        flat::layout(ty).map(|l| l.size).ok_or_else(|| {
            Diagnostic::error(codes::E0852, self.loc, format!("a value of type {ty} does not fit into memory"))
        })
    }

    /// What addresses of the type's values are multiples of.
    fn alignment(&self, ty: Type) -> u64 {
        flat::layout(ty).filter(|_| self.a.is_aligned()).map_or(1, |l| l.align.max(1))
    }

    fn slot(&self, value: caustic_ir::ValueId) -> Result<(A::Value, Type), Diagnostic> {
        let ty = agg::as_slot(self.ty(value)).ok_or_else(|| self.internal("not a slot"))?;
        Ok((self.get1(value)?, ty))
    }

    // ----- places

    pub(super) fn address(&mut self, place: Place<A::Value>) -> A::Value {
        if place.offset == 0 { place.addr } else { self.a.offset(place.addr, place.offset, place.memory) }
    }

    /// Without a host there are no zeros to read from: what does not exist is read from the first
    /// element, and not used.
    pub(super) fn existing(&mut self, index: A::Value, inside: A::Value) -> A::Value {
        if A::ZEROS {
            return index;
        }
        let first = self.i64(0);
        self.a.select(inside, index, first)
    }

    /// The place as an address that can be read: of zeros if it does not exist.
    pub(super) fn readable(&mut self, place: Place<A::Value>, size: u64) -> A::Value {
        let addr = self.address(place);
        match place.exists {
            Some(exists) if A::ZEROS => {
                let zeros = self.zero_memory(size);
                self.a.select(exists, addr, zeros)
            }
            _ => addr,
        }
    }

    pub(super) fn both(&mut self, a: Option<A::Value>, b: A::Value) -> Option<A::Value> {
        Some(match a {
            Some(a) => self.and(a, b),
            None => b,
        })
    }

    pub(super) fn element(
        &mut self,
        place: &mut Place<A::Value>,
        index: A::Value,
        part: Type,
    ) -> Result<(), Diagnostic> {
        let size = self.size(part)?;
        place.addr = self.a.element(place.addr, index, size, place.memory);
        place.ty = part;
        Ok(())
    }

    /// The place that a path leads to, for reading.
    pub(super) fn find(
        &mut self,
        base: A::Value,
        ty: Type,
        path: &[Step<A::Value>],
        memory: Memory,
    ) -> Result<Place<A::Value>, Diagnostic> {
        self.follow(Place { addr: base, offset: 0, ty, exists: None, memory }, path)
    }

    /// The place that a path leads to from another one.
    pub(super) fn follow(
        &mut self,
        mut place: Place<A::Value>,
        path: &[Step<A::Value>],
    ) -> Result<Place<A::Value>, Diagnostic> {
        for &step in path {
            if let Some(elem) = agg::as_tape(place.ty) {
                let numbers = self.tape_numbers(place);
                self.tape_element(&mut place, numbers, step, elem)?;
                continue;
            }
            match step {
                Step::Static(index) => self.static_step(&mut place, index)?,
                Step::Inside(index) => {
                    let part = self.element_type(place.ty)?;
                    self.element(&mut place, index, part)?;
                }
                Step::Dynamic(index) => {
                    let (part, inside) = self.dynamic_step(place.ty, index)?;
                    let index = self.existing(index, inside);
                    place.exists = self.both(place.exists, inside);
                    self.element(&mut place, index, part)?;
                }
            }
        }
        Ok(place)
    }

    pub(super) fn step_value(&mut self, step: Step<A::Value>) -> A::Value {
        match step {
            Step::Static(index) => self.i64(index),
            Step::Dynamic(index) | Step::Inside(index) => index,
        }
    }

    fn static_step(&mut self, place: &mut Place<A::Value>, index: i64) -> Result<(), Diagnostic> {
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

    pub(super) fn element_type(&self, ty: Type) -> Result<Type, Diagnostic> {
        agg::part_type(ty, -1).ok_or_else(|| self.internal(format!("{ty} has no elements")))
    }

    /// The type of an element and whether it exists.
    pub(super) fn dynamic_step(&mut self, ty: Type, index: A::Value) -> Result<(Type, A::Value), Diagnostic> {
        let part = self.element_type(ty)?;
        let count = agg::as_array(ty).map_or(agg::num_parts(ty) as u64, |(n, _)| n);
        let count = self.i64(count as i64);
        Ok((part, self.a.compare(Compare::UnsignedLess, Leaf::I64, index, count)))
    }

    /// The place that a path leads to, for writing: tapes grow on the way. Where the path leads
    /// outside, `skip` is next.
    pub(super) fn target(
        &mut self,
        base: A::Value,
        ty: Type,
        path: &[Step<A::Value>],
        skip: &mut Skip<A::Block>,
    ) -> Result<Place<A::Value>, Diagnostic> {
        let mut place = Place { addr: base, offset: 0, ty, exists: None, memory: Memory::Local };
        for &step in path {
            if let Some(elem) = agg::as_tape(place.ty) {
                self.tape_target(&mut place, step, elem, skip)?;
                continue;
            }
            match step {
                Step::Static(index) => self.static_step(&mut place, index)?,
                Step::Inside(index) => {
                    let part = self.element_type(place.ty)?;
                    self.element(&mut place, index, part)?;
                }
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
    pub(super) fn go_on_if(&mut self, condition: A::Value, skip: &mut Skip<A::Block>) {
        let out = *skip.out.get_or_insert_with(|| self.a.block());
        let go_on = self.a.block();
        let any = self.a.enter(condition);
        skip.entered += 1;
        self.a.branch(any, go_on, &[], out, &[]);
        self.a.switch_to(go_on);
    }

    /// Runs `f` with the place that a path leads to, if it exists.
    fn with_target(
        &mut self,
        base: A::Value,
        ty: Type,
        path: &[Step<A::Value>],
        f: impl FnOnce(&mut Self, Place<A::Value>) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let mut skip = Skip::new();
        let place = self.target(base, ty, path, &mut skip)?;
        f(self, place)?;
        self.end_skip(skip);
        Ok(())
    }

    /// Joins what was skipped.
    fn end_skip(&mut self, skip: Skip<A::Block>) {
        if let Some(block) = skip.out {
            self.a.jump(block, &[]);
            self.a.switch_to(block);
        }
        (0..skip.entered).for_each(|_| self.a.leave());
    }

    // ----- moving data

    pub(super) fn load_place(&mut self, place: Place<A::Value>) -> Result<Flat<A::Value>, Diagnostic> {
        let offsets = flat::leaf_offsets(place.ty)
            .ok_or_else(|| self.internal(format!("a value of type {} is kept in storage", place.ty)))?;
        let size = self.size(place.ty)?;
        let (addr, offset) = match place.exists {
            Some(_) if A::ZEROS => (self.readable(place, size), 0),
            _ => (place.addr, place.offset),
        };
        let exists = place.exists.filter(|_| !A::ZEROS);
        Ok(self.a.load_parts(&offsets, addr, offset, place.memory, exists))
    }

    pub(super) fn store_place(&mut self, place: Place<A::Value>, scalars: &[A::Value]) -> Result<(), Diagnostic> {
        let offsets = flat::leaf_offsets(place.ty)
            .ok_or_else(|| self.internal(format!("a value of type {} is kept in storage", place.ty)))?;
        self.a.store_parts(&offsets, scalars, place.addr, place.offset, place.memory);
        Ok(())
    }

    fn clear_place(&mut self, place: Place<A::Value>) -> Result<(), Diagnostic> {
        if !has_tapes(place.ty) && !self.a.moves_bytes() {
            return self.move_parts(place, None);
        }
        if has_tapes(place.ty) {
            return self.clear_tapes(place);
        }
        let addr = self.address(place);
        let size = self.size(place.ty)?;
        let align = self.alignment(place.ty);
        self.a.fill_zero(addr, size, align);
        Ok(())
    }

    /// Copies `from`, or zeros if it does not exist, to `to`.
    pub(super) fn copy_place(&mut self, to: Place<A::Value>, from: Place<A::Value>) -> Result<(), Diagnostic> {
        if has_tapes(to.ty) && self.a.together() > 1 && !self.a.alone() {
            return self.copy_tapes_of_each(to, from);
        }
        let Some(exists) = from.exists else { return self.copy_existing(to, from) };
        if !has_tapes(to.ty) && !self.a.moves_bytes() {
            return self.move_parts(to, Some(from));
        }
        let (yes, no, join) = (self.a.block(), self.a.block(), self.a.block());
        self.a.branch(exists, yes, &[], no, &[]);
        self.a.switch_to(yes);
        self.copy_existing(to, from)?;
        self.a.jump(join, &[]);
        self.a.switch_to(no);
        self.clear_place(to)?;
        self.a.jump(join, &[]);
        self.a.switch_to(join);
        Ok(())
    }

    fn copy_existing(&mut self, to: Place<A::Value>, from: Place<A::Value>) -> Result<(), Diagnostic> {
        if !has_tapes(to.ty) && !self.a.moves_bytes() {
            return self.move_parts(to, Some(from));
        }
        if has_tapes(to.ty) {
            return self.copy_tapes(to, from);
        }
        let (dst, src) = (self.address(to), self.address(from));
        let size = self.size(to.ty)?;
        let align = self.alignment(to.ty);
        self.a.copy(dst, src, size, align);
        Ok(())
    }

    /// Copies a value, or zeros, one scalar after the other: for memory that is laid out in
    /// different ways.
    fn move_parts(&mut self, to: Place<A::Value>, from: Option<Place<A::Value>>) -> Result<(), Diagnostic> {
        if let Some((count, _)) = agg::as_array(to.ty).filter(|&(count, _)| count > UNROLLED) {
            let (head, exit) = (self.a.block(), self.a.block());
            let index = self.a.param(head, Leaf::I64);
            let zero = self.i64(0);
            self.a.jump(head, &[zero]);
            self.a.switch_to(head);
            let part = |e: &mut Self, mut place: Place<A::Value>| {
                let elem = agg::part_type(place.ty, -1).ok_or_else(|| e.internal("an array without elements"))?;
                place.addr = e.address(place);
                place.offset = 0;
                e.element(&mut place, index, elem)?;
                Ok(place)
            };
            let to = part(self, to)?;
            let from = from.map(|from| part(self, from)).transpose()?;
            self.move_parts(to, from)?;
            let next = self.add_imm(index, 1);
            let count = self.i64(count as i64);
            let again = self.a.compare(Compare::UnsignedLess, Leaf::I64, next, count);
            self.a.branch(again, head, &[next], exit, &[]);
            self.a.switch_to(exit);
            return Ok(());
        }
        if flat::leaf_offsets(to.ty).is_some() {
            let value = match from {
                Some(from) => self.load_place(from)?,
                None => {
                    let leaves = self.leaves(to.ty)?;
                    self.zeros(&leaves)
                }
            };
            return self.store_place(to, &value);
        }
        for part in 0..agg::num_parts(to.ty) as i64 {
            let (mut to, mut from) = (to, from);
            self.static_step(&mut to, part)?;
            if let Some(from) = &mut from {
                self.static_step(from, part)?;
            }
            self.move_parts(to, from)?;
        }
        Ok(())
    }

    /// Copies a value into a buffer but for its padding, which belongs to nobody. A truth value may
    /// be any byte where it comes from, and is 0 or 1 in what is written.
    fn copy_data(&mut self, to: Place<A::Value>, from: Place<A::Value>) -> Result<(), Diagnostic> {
        if !self.a.moves_bytes() || has_truths(to.ty) {
            return self.move_parts(to, Some(from));
        }
        if flat::is_dense(to.ty) {
            let size = self.size(to.ty)?;
            let align = self.alignment(to.ty);
            let (to, from) = (self.address(to), self.address(from));
            self.a.copy(to, from, size, align);
            return Ok(());
        }
        if A::HOSTED {
            let ranges = self.a.tables().ranges(to.ty).ok_or_else(|| self.internal("a type without a layout"))?;
            let (to, from, ranges) = (self.address(to), self.address(from), self.i64(ranges));
            self.a.helper(Helper::CopyData, &[to, from, ranges]);
            return Ok(());
        }
        for part in 0..agg::num_parts(to.ty) as i64 {
            let (mut to, mut from) = (to, from);
            self.static_step(&mut to, part)?;
            self.static_step(&mut from, part)?;
            self.copy_data(to, from)?;
        }
        Ok(())
    }
}

/// Whether there are truth values in a type.
fn has_truths(ty: Type) -> bool {
    match agg::as_array(ty) {
        Some((_, elem)) => has_truths(elem),
        None if ty.elem().is_i1() => true,
        None => agg::StructType::of(ty).is_some_and(|of| of.fields().any(|field| has_truths(field.ty))),
    }
}

/// An access that may be skipped.
pub(super) struct Skip<B> {
    /// The block after it; `None` as long as nothing can skip it.
    out: Option<B>,
    /// How many conditions it is under.
    entered: usize,
}

impl<B> Skip<B> {
    pub(super) fn new() -> Skip<B> {
        Skip { out: None, entered: 0 }
    }

    pub(super) fn is_possible(&self) -> bool {
        self.out.is_some()
    }
}
