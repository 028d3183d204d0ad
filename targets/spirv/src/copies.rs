//! Values on their way between registers and memory that hosts see, and copies and zeros of what is
//! large, which are loops.

use crate::assembly::Id;
use crate::emit::Emit;
use crate::grammar::Op;
use crate::memory::Place;
use crate::types::{is_empty, pieces};
use caustic_dialects::agg::{StructType, as_array, num_parts, part_type};
use caustic_ir::{Diagnostic, Type};

/// Arrays of more pieces are copied and made zero by loops.
const MOST_AT_ONCE: u64 = 16;

impl Emit<'_> {
    /// A number, or a vector of the machine, that was loaded from memory.
    pub fn loaded_number(&mut self, value: Id, ty: Type) -> Result<Id, Diagnostic> {
        if !ty.elem().is_i1() {
            return Ok(value);
        }
        let (bool, held) = (self.ty(ty)?, self.memory_ty(ty)?);
        let zero = self.out.null(held);
        Ok(self.op(Op::INotEqual, bool, &[value, zero]))
    }

    /// The same as memory holds it.
    pub fn stored_number(&mut self, value: Id, ty: Type) -> Result<Id, Diagnostic> {
        if !ty.elem().is_i1() {
            return Ok(value);
        }
        let held = self.memory_ty(ty)?;
        let one = self.int_constant(1, ty.with_elem(Type::int(8)))?;
        let zero = self.out.null(held);
        Ok(self.op(Op::Select, held, &[value, one, zero]))
    }

    /// The parts of a type, each with its number.
    fn numbered_parts(&self, ty: Type) -> Vec<u32> {
        let inhabited = |k: &u32| part_type(ty, i64::from(*k)).is_some_and(|part| !is_empty(part));
        (0..num_parts(ty) as u32).filter(inhabited).collect()
    }

    /// A value in memory that hosts see, part by part: its type is another one there.
    pub fn load_parts(&mut self, place: Place) -> Result<Id, Diagnostic> {
        let ty = self.ty(place.ty)?;
        let mut parts = Vec::new();
        for k in 0..num_parts(place.ty) as u32 {
            let part = part_type(place.ty, i64::from(k)).ok_or_else(|| self.internal("no parts"))?;
            if is_empty(part) {
                parts.push(self.null(part)?);
                continue;
            }
            let index = self.out.word(k);
            let part = self.part(place, index, i64::from(k))?;
            parts.push(self.load(part)?);
        }
        Ok(self.op(Op::CompositeConstruct, ty, &parts))
    }

    pub fn store_parts(&mut self, place: Place, value: Id) -> Result<(), Diagnostic> {
        for k in self.numbered_parts(place.ty) {
            let (part, _) = self.taken(value, place.ty, &[k])?;
            let index = self.out.word(k);
            let at = self.part(place, index, i64::from(k))?;
            self.store(at, part)?;
        }
        Ok(())
    }

    /// Makes a place zero.
    pub fn clear(&mut self, place: Place) -> Result<(), Diagnostic> {
        if is_empty(place.ty) {
            return Ok(());
        }
        if pieces(place.ty) > MOST_AT_ONCE {
            return self.for_parts(place.ty, &mut |e, index, number| {
                let part = e.part(place, index, number)?;
                e.clear(part)
            });
        }
        let ty = self.place_ty(place)?;
        let zero = self.out.null(ty);
        self.run(Op::Store, &[place.pointer, zero]);
        Ok(())
    }

    /// Copies what is at one place to another of the same type.
    pub fn copy(&mut self, to: Place, from: Place) -> Result<(), Diagnostic> {
        if is_empty(to.ty) {
            return Ok(());
        }
        if pieces(to.ty) > MOST_AT_ONCE {
            return self.for_parts(to.ty, &mut |e, index, number| {
                let (to, from) = (e.part(to, index, number)?, e.part(from, index, number)?);
                e.copy(to, from)
            });
        }
        let value = self.load(from)?;
        self.store(to, value)
    }

    /// Does something for each part of a large type: by a loop, if they are alike.
    fn for_parts(
        &mut self,
        ty: Type,
        each: &mut dyn FnMut(&mut Self, Id, i64) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        if let Some(s) = StructType::of(ty) {
            for k in 0..s.num_fields() {
                let index = self.out.word(k as u32);
                each(self, index, k as i64)?;
            }
            return Ok(());
        }
        let count = as_array(ty).map_or(num_parts(ty) as u64, |(count, _)| count);
        let (zero, end, one) = (self.out.word(0), self.out.word(count as u32), self.out.word(1));
        self.counted_loop((zero, end, one), &mut |e, index| each(e, index, -1))
    }
}
