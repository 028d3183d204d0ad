//! Places in memory: slots, uniforms, elements of buffers, and their parts; reading and writing
//! them.
//!
//! Invariant: what an index finds is inside: `legalize-bounds` saw to it, and says so on the op.

use crate::assembly::{Id, Operand};
use crate::emit::Emit;
use crate::grammar::{Op, Word, storage};
use crate::types::{is_empty, is_native, member};
use caustic_dialects::agg::{self, INSIDE, as_buffer, as_slot, ends_unsized, is_byte_view, part_type};
use caustic_dialects::arith;
use caustic_dialects::place::places;
use caustic_ir::{Diagnostic, Name, OpId, Type, ValueId};

/// A place: a pointer, where it leads, and of which type.
#[derive(Clone, Copy)]
pub struct Place {
    pub pointer: Id,
    pub class: Word,
    /// Whether it is laid out as hosts see it.
    pub memory: bool,
    pub ty: Type,
}

impl Place {
    pub fn whole(pointer: Id, class: Word, memory: bool, ty: Type) -> Place {
        Place { pointer, class, memory, ty }
    }
}

/// What a buffer is.
#[derive(Clone, Copy, Debug)]
pub enum Buffer {
    /// A resource, as elements of a type.
    Elements(Name, Type),
    /// Its bytes.
    Bytes(Name),
    /// What a pointer leads to.
    Pointee(ValueId),
    /// None at all.
    Nothing,
}

/// A step of a path.
#[derive(Clone, Copy)]
pub enum Step {
    Part(u32),
    Index(ValueId),
}

impl Emit<'_> {
    /// The type that values of the place have there.
    pub fn place_ty(&mut self, place: Place) -> Result<Id, Diagnostic> {
        if place.memory { self.memory_ty(place.ty) } else { self.ty(place.ty) }
    }

    /// The steps of a path; negative ones are given by `indices`.
    pub fn steps(&self, path: &[i64], indices: &[ValueId]) -> Result<Vec<Step>, Diagnostic> {
        let mut indices = indices.iter();
        let step = |&step: &i64| match u32::try_from(step) {
            Ok(part) => Ok(Step::Part(part)),
            Err(_) => {
                let index = indices.next().ok_or_else(|| self.internal("a path without its index"))?;
                Ok(Step::Index(*index))
            }
        };
        path.iter().map(step).collect()
    }

    /// An index as the machine takes it: one that was widened before as it was.
    pub fn index(&mut self, value: ValueId) -> Result<Id, Diagnostic> {
        if let Some(&(narrow, _)) = self.code.narrow.get(&value) {
            return Ok(narrow);
        }
        let constant = arith::constant_of(self.body, value).and_then(|a| a.as_int());
        match constant.and_then(|k| u32::try_from(k).ok()) {
            Some(k) => Ok(self.out.word(k)),
            None => self.value(value),
        }
    }

    /// Part `number` of a place, or the one that `index` finds. What holds nothing is nowhere.
    pub fn part(&mut self, place: Place, index: Id, number: i64) -> Result<Place, Diagnostic> {
        let ty = part_type(place.ty, number).ok_or_else(|| self.internal(format!("{} has no part", place.ty)))?;
        let part = Place { ty, ..place };
        if is_empty(ty) {
            return Ok(part);
        }
        let index = match u32::try_from(number) {
            Ok(field) if place.memory => self.out.word(member(place.ty, field)),
            _ => index,
        };
        let to = self.place_ty(part)?;
        let pointer = self.out.pointer(place.class, to);
        Ok(Place { pointer: self.op(Op::AccessChain, pointer, &[place.pointer, index]), ..part })
    }

    /// The place that steps lead to.
    pub fn walk(&mut self, place: Place, steps: &[Step]) -> Result<Place, Diagnostic> {
        if steps.is_empty() {
            return Ok(place);
        }
        let (mut ty, mut operands) = (place.ty, vec![place.pointer]);
        for step in steps {
            if ends_unsized(ty) {
                return Err(self.refuse("an array without a size"));
            }
            let (number, id) = match *step {
                Step::Part(k) => {
                    let index = if place.memory { member(ty, k) } else { k };
                    (i64::from(k), self.out.word(index))
                }
                Step::Index(value) => (-1, self.index(value)?),
            };
            operands.push(id);
            ty = part_type(ty, number).ok_or_else(|| self.internal(format!("{ty} has no part {number}")))?;
        }
        let part = Place { ty, ..place };
        if is_empty(ty) {
            return Ok(part);
        }
        let to = self.place_ty(part)?;
        let pointer = self.out.pointer(place.class, to);
        Ok(Place { pointer: self.op(Op::AccessChain, pointer, &operands), ..part })
    }

    /// The value at a place.
    pub fn load(&mut self, place: Place) -> Result<Id, Diagnostic> {
        if is_empty(place.ty) {
            return self.null(place.ty);
        }
        if place.memory && !is_native(place.ty) {
            return self.load_parts(place);
        }
        let ty = self.place_ty(place)?;
        let loaded = self.op(Op::Load, ty, &[place.pointer]);
        if place.memory { self.loaded_number(loaded, place.ty) } else { Ok(loaded) }
    }

    pub fn store(&mut self, place: Place, value: Id) -> Result<(), Diagnostic> {
        if is_empty(place.ty) {
            return Ok(());
        }
        if place.memory && !is_native(place.ty) {
            return self.store_parts(place, value);
        }
        let value = if place.memory { self.stored_number(value, place.ty)? } else { value };
        self.run(Op::Store, &[place.pointer, value]);
        Ok(())
    }

    // ----- slots and uniforms

    /// The place that a slot is.
    pub fn slot(&mut self, slot: ValueId) -> Result<Place, Diagnostic> {
        let body = self.body;
        let held = as_slot(body.ty(slot)).ok_or_else(|| self.internal("no slot"))?;
        if let Some(v) = body.def_op(slot).and_then(|op| agg::GlobalSlot::cast(body, op)) {
            let name = v.name(body).ok_or_else(|| self.internal("no name"))?;
            return self.uniform_place(name)?.ok_or_else(|| self.refuse("such a uniform"));
        }
        if let (false, Some(constant)) = (self.code.values.contains_key(&slot), self.code.tables.get(slot).cloned()) {
            let (ty, first) = (self.ty(held)?, self.table(&constant, held)?);
            let pointer = self.variable_of(ty, Some(first));
            self.bind_value(slot, pointer);
        }
        let pointer = self.code.values.get(&slot).copied().ok_or_else(|| self.refuse("a slot that is chosen"))?;
        Ok(Place::whole(pointer, storage::FUNCTION, false, held))
    }

    /// Where a uniform is; nowhere, if it holds nothing.
    pub fn uniform_place(&mut self, name: Name) -> Result<Option<Place>, Diagnostic> {
        let Some((block, member, ty)) = self.uniform(name)? else { return Ok(None) };
        let class = self.uniform_class();
        let to = self.memory_ty(ty)?;
        let pointer = self.out.pointer(class, to);
        let member = self.out.word(member);
        let pointer = self.op(Op::AccessChain, pointer, &[block, member]);
        Ok(Some(Place::whole(pointer, class, true, ty)))
    }

    /// A variable for a value, which has it already.
    pub fn spilled(&mut self, value: Id, ty: Type) -> Result<Place, Diagnostic> {
        let held = self.ty(ty)?;
        let pointer = self.variable(held);
        let place = Place::whole(pointer, storage::FUNCTION, false, ty);
        self.store(place, value)?;
        Ok(place)
    }

    // ----- buffers

    /// The buffer that a value is.
    pub fn buffer(&self, value: ValueId) -> Result<Buffer, Diagnostic> {
        let body = self.body;
        let op = body.def_op(value).ok_or_else(|| self.refuse("a resource as a value"))?;
        if let Some(v) = agg::Pointee::cast(body, op) {
            return Ok(Buffer::Pointee(v.address(body)));
        }
        if let Some(v) = agg::Global::cast(body, op) {
            let name = v.name(body).ok_or_else(|| self.internal("no name"))?;
            return match self.is_bytes(name) || self.is_worded(name) {
                true => Ok(Buffer::Bytes(name)),
                false => Ok(Buffer::Elements(name, self.contents(name)?)),
            };
        }
        if let Some(v) = agg::View::cast(body, op) {
            let of = self.buffer(v.buffer(body))?;
            let ty = body.ty(value);
            return match (of, is_byte_view(ty)) {
                (Buffer::Elements(name, _), true) => Ok(Buffer::Bytes(name)),
                (of, true) => Ok(of),
                (Buffer::Elements(name, _) | Buffer::Bytes(name), false) => {
                    let (elem, _) = as_buffer(ty).ok_or_else(|| self.internal("no buffer"))?;
                    Ok(Buffer::Elements(name, elem))
                }
                (Buffer::Nothing, false) => Ok(Buffer::Nothing),
                (Buffer::Pointee(_), false) => Err(self.refuse("what a pointer leads to as numbers")),
            };
        }
        if agg::Zero::is(body, op) {
            return Ok(Buffer::Nothing);
        }
        Err(self.refuse("a resource as a value"))
    }

    /// Element `index` of a buffer, which is inside.
    pub fn element(&mut self, (name, elem): (Name, Type), index: Id) -> Result<Place, Diagnostic> {
        if self.is_shared(name) {
            let variable = self.shared(name)?;
            if self.is_worded(name) {
                let uint = self.out.int(32);
                let pointer = self.out.pointer(storage::WORKGROUP, uint);
                let pointer = self.op(Op::AccessChain, pointer, &[variable, index]);
                return Ok(Place::whole(pointer, storage::WORKGROUP, false, elem));
            }
            if self.contents(name)? != elem {
                return Err(self.refuse("the memory of a group as other numbers"));
            }
            return Ok(Place::whole(variable, storage::WORKGROUP, false, elem));
        }
        let view = self.view(name, elem)?;
        let to = self.memory_ty(elem)?;
        let pointer = self.out.pointer(storage::STORAGE_BUFFER, to);
        let zero = self.out.word(0);
        let pointer = self.op(Op::AccessChain, pointer, &[view.variable, zero, index]);
        Ok(Place::whole(pointer, storage::STORAGE_BUFFER, true, elem))
    }

    /// The place in elements of a buffer that an op reads or writes.
    pub fn element_place(&mut self, op: OpId, of: (Name, Type), index: ValueId) -> Result<Place, Diagnostic> {
        let steps = self.buffer_steps(op)?;
        let index = self.index(index)?;
        let element = self.element(of, index)?;
        self.walk(element, &steps)
    }

    /// The steps from an element to the part that an op reads or writes.
    pub fn buffer_steps(&self, op: OpId) -> Result<Vec<Step>, Diagnostic> {
        let body = self.body;
        let place = places(body, op).into_iter().find(|p| p.element.is_some());
        let place = place.ok_or_else(|| self.internal("an op without a place"))?;
        self.steps(&place.path.unwrap_or_default(), place.indices)
    }

    /// Whether an element of which the op reads or writes a part goes on behind its struct.
    fn has_unsized_part(&self, op: OpId) -> bool {
        places(self.body, op)
            .iter()
            .any(|p| as_buffer(self.body.ty(p.base)).is_some_and(|(elem, _)| ends_unsized(elem)))
    }

    /// That the op's indices are inside.
    pub fn inside(&self, op: OpId) -> Result<(), Diagnostic> {
        match self.body.attr(op, INSIDE) {
            Some(_) => Ok(()),
            None if self.has_unsized_part(op) => {
                Err(self.refuse("an array without a size, which goes on behind its struct,"))
            }
            None => Err(self.internal("an index that `legalize-bounds` did not see")),
        }
    }

    /// How many elements are bound, as 32 bits.
    pub fn count(&mut self, name: Name, elem: Type) -> Result<Id, Diagnostic> {
        let view = self.view(name, elem)?;
        let uint = self.out.int(32);
        Ok(self.op_of(Op::ArrayLength, uint, vec![Operand::Id(view.variable), Operand::Literal(0)]))
    }

    /// How many bytes are bound, as 32 bits.
    pub fn byte_count(&mut self, name: Name) -> Result<Id, Diagnostic> {
        if self.is_shared(name) {
            let bytes = self.size(self.contents(name)?)?;
            return Ok(self.out.word(bytes as u32));
        }
        let (elem, size) = match self.is_words(name) {
            true => (Type::i32(), 4),
            false => {
                let elem = self.contents(name)?;
                (elem, self.size(elem)? as u32)
            }
        };
        let count = self.count(name, elem)?;
        let (uint, size) = (self.out.int(32), self.out.word(size));
        Ok(self.op(Op::IMul, uint, &[count, size]))
    }

    /// `agg.buffer_len`, in 32 bits.
    pub fn length(&mut self, buffer: ValueId) -> Result<Id, Diagnostic> {
        Ok(match self.buffer(buffer)? {
            Buffer::Elements(name, _) if self.is_shared(name) => self.out.word(1),
            Buffer::Nothing => self.out.word(0),
            Buffer::Elements(_, elem) if is_empty(elem) => {
                return Err(self.refuse("the length of a buffer of nothing"));
            }
            Buffer::Elements(name, elem) => self.count(name, elem)?,
            Buffer::Bytes(name) => self.byte_count(name)?,
            Buffer::Pointee(_) => return Err(self.refuse("the length of what a pointer leads to")),
        })
    }
}
