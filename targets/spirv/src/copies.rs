//! Values on their way between registers and memory that hosts see, and copies and zeros of what is
//! large, which are loops.

use crate::assembly::Id;
use crate::assembly::Operand;
use crate::emit::Emit;
use crate::grammar::Op;
use crate::memory::Place;
use crate::types::{has_truth, is_empty, is_native, pieces};
use caustic_dialects::agg::{StructType, as_array, num_parts, part_type};
use caustic_ir::{Diagnostic, Type};

/// Arrays of more pieces are copied and made zero by loops.
const MOST_AT_ONCE: u64 = 16;

impl Emit<'_> {
    /// A value that was loaded from memory.
    pub fn from_memory(&mut self, value: Id, ty: Type) -> Result<Id, Diagnostic> {
        if !is_native(ty) {
            return self.each_part(value, ty, false);
        }
        if !ty.elem().is_i1() {
            return Ok(value);
        }
        let (bool, held) = (self.ty(ty)?, self.memory_ty(ty)?);
        let zero = self.out.null(held);
        Ok(self.op(Op::INotEqual, bool, &[value, zero]))
    }

    /// A value as memory holds it.
    pub fn to_memory(&mut self, value: Id, ty: Type) -> Result<Id, Diagnostic> {
        if !is_native(ty) {
            return self.each_part(value, ty, true);
        }
        if !ty.elem().is_i1() {
            return Ok(value);
        }
        let held = self.memory_ty(ty)?;
        let one = self.int_constant(1, ty.with_elem(Type::int(8)))?;
        let zero = self.out.null(held);
        Ok(self.op(Op::Select, held, &[value, one, zero]))
    }

    fn each_part(&mut self, value: Id, ty: Type, to_memory: bool) -> Result<Id, Diagnostic> {
        let (held, plain) = (self.memory_ty(ty)?, self.ty(ty)?);
        let (from, to) = if to_memory { (plain, held) } else { (held, plain) };
        if from == to {
            return Ok(value);
        }
        if !has_truth(ty) {
            return Ok(self.op(Op::CopyLogical, to, &[value]));
        }
        let mut parts = Vec::new();
        for k in 0..num_parts(ty).max(usize::from(StructType::of(ty).is_none())) {
            let part = part_type(ty, k as i64).ok_or_else(|| self.internal("no parts"))?;
            let part_ty = if to_memory { self.ty(part)? } else { self.memory_ty(part)? };
            let operands = vec![Operand::Id(value), Operand::Literal(k as u32)];
            let taken = self.op_of(Op::CompositeExtract, part_ty, operands);
            parts.push(if to_memory { self.to_memory(taken, part)? } else { self.from_memory(taken, part)? });
        }
        Ok(self.op(Op::CompositeConstruct, to, &parts))
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
