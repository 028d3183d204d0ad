//! Tapes: lists in local storage that grow as they are written.
//!
//! A tape is where its elements lie, how many there are, and for how many there is room. Where the
//! local storage of several threads lies side by side, so do these numbers and the elements: room
//! is made for all threads at once, so that the first and the last number are the same for all, and
//! each thread has its own count. Elements that one of them does not have are memory all the same.

use super::pinned::Numbers;
use super::storage::{Place, Skip};
use super::value::Step;
use crate::assembler::{Assembler, Compare, Flat, Memory, Only};
use crate::emit::Emit;
use caustic_ir::{Diagnostic, Type};
use caustic_native::{Helper, Leaf};

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    /// What helpers know of a type with tapes.
    pub(super) fn tape_desc(&mut self, ty: Type) -> Result<i64, Diagnostic> {
        let wide = self.a.together() > 1;
        let tables = self.a.tables();
        let desc = if wide { tables.wide_desc(ty) } else { tables.desc(ty) };
        desc.ok_or_else(|| self.internal("a tape without a layout"))
    }

    /// What a tape says of itself, for reading; nothing of one that does not exist.
    pub(super) fn tape_numbers(&mut self, place: Place<A::Value>) -> Numbers<A::Value> {
        let tape = self.readable(place, 24);
        let data = self.a.load_common(Leaf::Addr, tape, 0);
        let len = self.a.load(Leaf::I64, tape, 8, Memory::Local);
        let room = (self.a.together() > 1).then(|| self.a.load_common(Leaf::I64, tape, 16));
        Numbers { data, len, room }
    }

    /// The element of a tape, for reading.
    pub(super) fn tape_element(
        &mut self,
        place: &mut Place<A::Value>,
        numbers: Numbers<A::Value>,
        step: Step<A::Value>,
        elem: Type,
    ) -> Result<(), Diagnostic> {
        let index = self.step_value(step);
        let inside = self.a.compare(Compare::UnsignedLess, Leaf::I64, index, numbers.len);
        place.exists = self.both(place.exists, inside);
        (place.addr, place.offset) = (numbers.data, 0);
        self.element(place, index, elem)?;
        if let Some(room) = numbers.room {
            // Read whether it exists or not: at least there must be something.
            let there = self.a.compare(Compare::UnsignedLess, Leaf::I64, index, room);
            let size = self.size(elem)?;
            let zeros = self.zero_memory(self.a.local_size(size));
            place.addr = self.a.select(there, place.addr, zeros);
        }
        Ok(())
    }

    /// The element of a tape, for writing; it exists afterwards.
    pub(super) fn tape_target(
        &mut self,
        place: &mut Place<A::Value>,
        step: Step<A::Value>,
        elem: Type,
        skip: &mut Skip<A::Block>,
    ) -> Result<(), Diagnostic> {
        let index = self.step_value(step);
        if matches!(step, Step::Dynamic(_)) {
            let below = self.i64(-1);
            let positive = self.a.compare(Compare::SignedLess, Leaf::I64, below, index);
            self.go_on_if(positive, skip);
        }
        if self.a.together() > 1 {
            return self.wide_target(place, index, elem);
        }
        let tape_ty = place.ty;
        let tape = self.address(*place);
        let len = self.a.load(Leaf::I64, tape, 8, Memory::Local);
        let inside = self.a.compare(Compare::UnsignedLess, Leaf::I64, index, len);
        let (there, grow, done) = (self.a.block(), self.a.block(), self.a.block());
        let addr = self.a.param(done, Leaf::Addr);
        if elem.is_scalar() {
            // The next one, for which there is room, needs no call: it is written as a whole,
            // whatever has been in its place.
            let (outside, next) = (self.a.block(), self.a.block());
            self.a.branch(inside, there, &[], outside, &[]);
            self.a.switch_to(outside);
            let cap = self.a.load(Leaf::I64, tape, 16, Memory::Local);
            let room = self.a.compare(Compare::UnsignedLess, Leaf::I64, index, cap);
            let follows = self.a.compare(Compare::Equal, Leaf::I64, index, len);
            let fits = self.and(room, follows);
            self.a.branch(fits, next, &[], grow, &[]);
            self.a.switch_to(next);
            let longer = self.add_imm(len, 1);
            self.a.store(Leaf::I64, longer, tape, 8, Memory::Local);
            self.a.jump(there, &[]);
        } else {
            self.a.branch(inside, there, &[], grow, &[]);
        }

        self.a.switch_to(there);
        let data = self.a.load(Leaf::Addr, tape, 0, Memory::Local);
        let mut inner = Place { addr: data, offset: 0, ty: tape_ty, exists: None, memory: Memory::Local };
        self.element(&mut inner, index, elem)?;
        self.a.jump(done, &[inner.addr]);

        self.a.switch_to(grow);
        let desc = self.tape_desc(tape_ty)?;
        let (desc, site) = (self.i64(desc), self.site());
        let context = self.a.context();
        let made = self.helper1(Helper::Grow, &[context, tape, index, desc, site]);
        self.exit_if_null(made);
        self.a.jump(done, &[made]);

        self.a.switch_to(done);
        *place = Place { addr, offset: 0, ty: elem, exists: None, memory: Memory::Local };
        Ok(())
    }

    /// The same for several threads at once: most often there is room, and the element follows
    /// those that there are.
    fn wide_target(&mut self, place: &mut Place<A::Value>, index: A::Value, elem: Type) -> Result<(), Diagnostic> {
        let tape_ty = place.ty;
        let tape = self.address(*place);
        let room = self.a.load_common(Leaf::I64, tape, 16);
        let len = self.a.load(Leaf::I64, tape, 8, Memory::Local);
        let there = self.a.compare(Compare::UnsignedLess, Leaf::I64, index, room);
        // One that is written as a whole may hold anything before.
        let known = match elem.is_scalar() {
            true => self.at_most(index, len),
            false => self.a.compare(Compare::UnsignedLess, Leaf::I64, index, len),
        };
        let fits = self.and(there, known);
        let desc = self.tape_desc(tape_ty)?;
        let failed = A::each(self, Some(Only::Unless(fits)), &[Leaf::I1], &mut |e| {
            let (context, who, together) = (e.a.context(), e.a.own_bits(), e.i64(e.a.together() as i64));
            let (desc, site) = (e.i64(desc), e.site());
            let failed = e.helper1(Helper::GrowWide, &[context, tape, index, desc, who, together, site]);
            Ok(Flat::from_slice(&[e.a.resize(Leaf::I32, Leaf::I1, failed, false)]))
        })?;
        let failed = self.a.any_of(failed[0]);
        self.exit_if(failed);
        let len = self.a.load(Leaf::I64, tape, 8, Memory::Local);
        let longer = self.add_imm(index, 1);
        let has = self.a.compare(Compare::UnsignedLess, Leaf::I64, index, len);
        let len = self.a.select(has, len, longer);
        self.a.store(Leaf::I64, len, tape, 8, Memory::Local);
        let data = self.a.load_common(Leaf::Addr, tape, 0);
        *place = Place { addr: data, offset: 0, ty: tape_ty, exists: None, memory: Memory::Local };
        self.element(place, index, elem)
    }

    pub(super) fn clear_tapes(&mut self, place: Place<A::Value>) -> Result<(), Diagnostic> {
        let addr = self.address(place);
        let desc = self.tape_desc(place.ty)?;
        if self.a.together() == 1 {
            let (context, desc) = (self.a.context(), self.i64(desc));
            self.a.helper(Helper::Clear, &[context, addr, desc]);
            return Ok(());
        }
        let mut clear = |e: &mut Self| {
            let (context, who, together) = (e.a.context(), e.a.own_bits(), e.i64(e.a.together() as i64));
            let desc = e.i64(desc);
            e.a.helper(Helper::ClearWide, &[context, addr, desc, who, together]);
            Ok(Flat::new())
        };
        if self.a.is_common(addr) { clear(self) } else { A::each(self, None, &[], &mut clear) }.map(|_| ())
    }

    /// Copies a value with tapes for all threads at once where its places are theirs, else for one
    /// after the other.
    pub(super) fn copy_tapes_of_each(&mut self, to: Place<A::Value>, from: Place<A::Value>) -> Result<(), Diagnostic> {
        let common = self.a.is_common(to.addr) && self.a.is_common(from.addr);
        if common && to.exists.is_none() && from.exists.is_none() {
            return self.copy_tapes(to, from);
        }
        A::each(self, None, &[], &mut |e| e.copy_place(to, from).map(|()| Flat::new()))?;
        Ok(())
    }

    /// Copies a value with tapes that exists.
    pub(super) fn copy_tapes(&mut self, to: Place<A::Value>, from: Place<A::Value>) -> Result<(), Diagnostic> {
        let (dst, src) = (self.address(to), self.address(from));
        let desc = self.tape_desc(to.ty)?;
        let (desc, site) = (self.i64(desc), self.site());
        let (context, together) = (self.a.context(), self.a.together());
        let failed = if together > 1 {
            let (who, together) = (self.a.own_bits(), self.i64(together as i64));
            self.helper1(Helper::CopyWide, &[context, dst, src, desc, who, together, site])
        } else {
            self.helper1(Helper::CopyValue, &[context, dst, src, desc, site])
        };
        self.exit_if_status(failed);
        Ok(())
    }
}
