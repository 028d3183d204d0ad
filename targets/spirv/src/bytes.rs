//! Buffers by bytes: words, of which values of any type are read and written at any byte.
//!
//! Functions are made for it, one for each resource and type; each looks whether all bytes are
//! inside. Bytes beside those that are written belong to other threads: parts of words are written
//! by atomic updates.

use crate::assembly::{Id, Operand};
use crate::emit::{Emit, Helper};
use crate::grammar::Op;
use crate::memory::{Buffer, Step};
use crate::types::{is_empty, pieces};
use caustic_dialects::agg::{
    StructType, as_array, as_buffer, ends_unsized, is_byte_view, is_pointee, num_parts, part_type,
};
use caustic_dialects::arith;
use caustic_ir::{Diagnostic, Name, OpId, Type, ValueId};
use caustic_runtime::layout::struct_layout;
use caustic_source::counts_words;

/// Values of more scalars are not taken apart.
const MOST_PIECES: u64 = 4096;

/// Where an access by bytes leads.
#[derive(Clone, Copy)]
pub enum Words {
    Resource(Name),
    Pointer,
}

/// An access by bytes: where, which byte (a number of 32 bits in a resource, else an address), and
/// what is there, of which the steps that are left lead to a part.
pub struct Bytes {
    pub words: Words,
    pub at: Id,
    /// Whether it begins at a whole word.
    pub aligned: bool,
    pub ty: Type,
    pub rest: Vec<Step>,
}

impl Emit<'_> {
    /// The offset of a field of a struct.
    fn field_offset(&self, of: StructType, field: u32) -> Result<u64, Diagnostic> {
        let types: Vec<Type> = of.fields().map(|f| f.ty).collect();
        let offsets = struct_layout(&types).map(|(_, offsets)| offsets);
        let offset = offsets.and_then(|o| o.get(field as usize).copied());
        offset.ok_or_else(|| self.refuse("a struct without a layout"))
    }

    /// Adds where steps lead to an offset in bytes, as numbers of this type; an index outside leads
    /// nowhere.
    pub fn offset(&mut self, at: Id, (of, steps): (Type, &[Step]), number: Type) -> Result<(Id, Type), Diagnostic> {
        let (mut ty, mut sum, mut fixed) = (of, at, 0u64);
        let word = self.ty(number)?;
        for step in steps {
            let part = match step {
                Step::Part(k) => part_type(ty, i64::from(*k)),
                Step::Index(_) => part_type(ty, -1),
            };
            let part = part.ok_or_else(|| self.internal(format!("{ty} has no such part")))?;
            match (step, StructType::of(ty)) {
                (Step::Part(k), Some(s)) => fixed += self.field_offset(s, *k)?,
                (Step::Part(k), None) => fixed += u64::from(*k) * self.size(part)?,
                (Step::Index(value), _) => {
                    let count = as_array(ty).map_or(num_parts(ty) as u64, |(count, _)| count);
                    let index = self.index_as(*value, number)?;
                    let size = self.int_constant(self.size(part)? as i64, number)?;
                    let product = self.op(Op::IMul, word, &[index, size]);
                    let term = if ends_unsized(ty) {
                        product
                    } else {
                        let (bool, count) = (self.out.bool(), self.int_constant(count as i64, number)?);
                        let inside = self.op(Op::ULessThan, bool, &[index, count]);
                        let far = if number == Type::i32() { i64::from(i32::MIN) } else { -(1 << 62) };
                        let far = self.int_constant(far, number)?;
                        self.op(Op::Select, word, &[inside, product, far])
                    };
                    sum = self.op(Op::IAdd, word, &[sum, term]);
                }
            }
            ty = part;
        }
        if fixed > 0 {
            let fixed = self.int_constant(fixed as i64, number)?;
            sum = self.op(Op::IAdd, word, &[sum, fixed]);
        }
        Ok((sum, ty))
    }

    /// An index as a number of 32 or 64 bits; what 32 bits do not hold is the largest one.
    pub fn index_as(&mut self, value: ValueId, number: Type) -> Result<Id, Diagnostic> {
        if number != Type::i32() {
            let id = self.value(value)?;
            let (from, to) = (self.ty(self.body.ty(value))?, self.ty(number)?);
            return Ok(if from == to { id } else { self.op(Op::SConvert, to, &[id]) });
        }
        let (id, uint, wide) = (self.index(value)?, self.out.int(32), self.body.ty(value));
        let constant = arith::constant_of(self.body, value).and_then(|a| a.as_int());
        let is_word = constant.is_some_and(|k| u32::try_from(k).is_ok());
        if is_word || wide == Type::i32() || self.code.narrow.contains_key(&value) {
            return Ok(id);
        }
        let bool = self.out.bool();
        let most = self.int_constant(i64::from(u32::MAX), wide)?;
        let fits = self.op(Op::ULessThanEqual, bool, &[id, most]);
        let (cut, most) = (self.op(Op::UConvert, uint, &[id]), self.out.word(u32::MAX));
        Ok(self.op(Op::Select, uint, &[fits, cut, most]))
    }

    /// The bytes that an op reads or writes.
    pub fn bytes(&mut self, op: OpId, of: Buffer, buffer: ValueId, index: ValueId) -> Result<Bytes, Diagnostic> {
        let ty = self.body.ty(buffer);
        let (elem, _) = as_buffer(ty).ok_or_else(|| self.internal("no buffer"))?;
        let steps = self.buffer_steps(op)?;
        let (words, number) = match of {
            Buffer::Pointee(_) => (Words::Pointer, Type::i64()),
            Buffer::Bytes(name) => (Words::Resource(name), Type::i32()),
            _ => return Err(self.internal("no bytes")),
        };
        let aligned = matches!(words, Words::Resource(_))
            && (!is_byte_view(ty) && self.size(elem)?.is_multiple_of(4) || counts_words(self.body, index));
        let mut at = self.index_as(index, number)?;
        if let Buffer::Pointee(address) = of {
            let (base, word) = (self.value(address)?, self.ty(number)?);
            at = self.op(Op::IAdd, word, &[base, at]);
        }
        if !is_byte_view(ty) {
            // Elements of what is words here.
            let (uint, size) = (self.out.int(32), self.out.word(self.size(elem)? as u32));
            let at = self.op(Op::IMul, uint, &[at, size]);
            let (at, ty) = self.offset(at, (elem, &steps), number)?;
            let aligned = aligned && self.size(ty)?.is_multiple_of(4);
            return Ok(Bytes { words, at, aligned, ty, rest: Vec::new() });
        }
        if !is_pointee(ty) {
            if ends_unsized(elem) {
                return Err(self.refuse("an array without a size"));
            }
            return Ok(Bytes { words, at, aligned, ty: elem, rest: steps });
        }
        let (at, ty) = self.offset(at, (elem, &steps), number)?;
        Ok(Bytes { words, at, aligned: false, ty, rest: Vec::new() })
    }

    pub fn read_bytes(&mut self, op: OpId, bytes: &Bytes) -> Result<Id, Diagnostic> {
        let load = match bytes.words {
            Words::Resource(name) => self.load_function(name, bytes.ty, bytes.aligned)?,
            Words::Pointer => self.through_pointer("load", bytes.ty)?,
        };
        let value = self.call_helper(load, &[bytes.at]);
        if bytes.rest.is_empty() {
            return Ok(value);
        }
        if bytes.rest.iter().any(|s| matches!(s, Step::Index(_))) {
            self.inside(op)?;
        }
        let place = self.spilled(value, bytes.ty)?;
        let part = self.walk(place, &bytes.rest)?;
        self.load(part)
    }

    pub fn write_bytes(&mut self, bytes: &Bytes, value: Id) -> Result<(), Diagnostic> {
        if !bytes.rest.is_empty() {
            return Err(self.refuse("a part of a value in bytes"));
        }
        let store = match bytes.words {
            Words::Resource(name) => self.store_function(name, bytes.ty, bytes.aligned)?,
            Words::Pointer => self.through_pointer("store", bytes.ty)?,
        };
        self.call_helper(store, &[bytes.at, value]);
        Ok(())
    }

    // ----- functions

    /// The scalars of a type in memory, by their offsets, and how to reach them in a value.
    fn scalars_at(&self, ty: Type) -> Result<Vec<(Type, u64, Vec<u32>)>, Diagnostic> {
        if pieces(ty) > MOST_PIECES {
            return Err(self.refuse("a value as large as that in bytes"));
        }
        let mut found = Vec::new();
        self.collect_scalars(ty, 0, &[], &mut found)?;
        Ok(found)
    }

    fn collect_scalars(
        &self,
        ty: Type,
        offset: u64,
        path: &[u32],
        found: &mut Vec<(Type, u64, Vec<u32>)>,
    ) -> Result<(), Diagnostic> {
        if ty.is_scalar() {
            found.push((ty, offset, path.to_vec()));
            return Ok(());
        }
        for k in 0..num_parts(ty) as u32 {
            let part = part_type(ty, i64::from(k)).ok_or_else(|| self.refuse("such a type in bytes"))?;
            if is_empty(part) {
                continue;
            }
            let at = match StructType::of(ty) {
                Some(s) => self.field_offset(s, k)?,
                None => u64::from(k) * self.size(part)?,
            };
            self.collect_scalars(part, offset + at, &[path, &[k]].concat(), found)?;
        }
        Ok(())
    }

    /// Whether so many bytes from `at` on are inside.
    pub fn bytes_inside(&mut self, name: Name, at: Id, size: u64) -> Result<Id, Diagnostic> {
        let (uint, bool) = (self.out.int(32), self.out.bool());
        let (count, size) = (self.byte_count(name)?, self.out.word(size as u32));
        let fits = self.op(Op::ULessThanEqual, bool, &[size, count]);
        let last = self.op(Op::ISub, uint, &[count, size]);
        let before = self.op(Op::ULessThanEqual, bool, &[at, last]);
        Ok(self.op(Op::LogicalAnd, bool, &[fits, before]))
    }

    fn plus(&mut self, at: Id, offset: u64) -> Id {
        if offset == 0 {
            return at;
        }
        let (uint, offset) = (self.out.int(32), self.out.word(offset as u32));
        self.op(Op::IAdd, uint, &[at, offset])
    }

    /// The word that a byte is in, and how far to the right the byte is.
    pub fn word_and_shift(&mut self, at: Id) -> (Id, Id) {
        let uint = self.out.int(32);
        let (two, three, eight) = (self.out.word(2), self.out.word(3), self.out.word(8));
        let word = self.op(Op::ShiftRightLogical, uint, &[at, two]);
        let byte = self.op(Op::BitwiseAnd, uint, &[at, three]);
        (word, self.op(Op::IMul, uint, &[byte, eight]))
    }

    fn word_at(&mut self, name: Name, word: Id) -> Result<Id, Diagnostic> {
        let place = self.element((name, Type::i32()), word)?;
        self.load(place)
    }

    /// The function that reads 32 bits at any byte.
    fn word_function(&mut self, name: Name) -> Result<Helper, Diagnostic> {
        let uint = self.out.int(32);
        let title = format!("{}.word", self.resource_name(name));
        self.helper(format!("word {name}"), &title, (&[uint], uint), |e, args| {
            let (word, shift) = e.word_and_shift(args[0]);
            let low = e.word_at(name, word)?;
            let (bool, zero) = (e.out.bool(), e.out.word(0));
            let across = e.op(Op::INotEqual, bool, &[shift, zero]);
            let value = e.value_if(across, (uint, low), &mut |e| {
                let (one, width) = (e.out.word(1), e.out.word(32));
                let next = e.op(Op::IAdd, uint, &[word, one]);
                let high = e.word_at(name, next)?;
                let low = e.op(Op::ShiftRightLogical, uint, &[low, shift]);
                let back = e.op(Op::ISub, uint, &[width, shift]);
                let high = e.op(Op::ShiftLeftLogical, uint, &[high, back]);
                Ok(e.op(Op::BitwiseOr, uint, &[low, high]))
            })?;
            Ok(Some(value))
        })
    }

    fn byte_at(&mut self, name: Name, at: Id) -> Result<Id, Diagnostic> {
        let uint = self.out.int(32);
        let (word, shift) = self.word_and_shift(at);
        let (word, mask) = (self.word_at(name, word)?, self.out.word(0xff));
        let byte = self.op(Op::ShiftRightLogical, uint, &[word, shift]);
        Ok(self.op(Op::BitwiseAnd, uint, &[byte, mask]))
    }

    /// The word at a byte, or the one that begins there.
    fn word_from(&mut self, name: Name, at: Id, aligned: bool) -> Result<Id, Diagnostic> {
        if aligned {
            let (word, _) = self.word_and_shift(at);
            return self.word_at(name, word);
        }
        let word = self.word_function(name)?;
        Ok(self.call_helper(word, &[at]))
    }

    /// A scalar at a byte.
    fn load_scalar(&mut self, name: Name, ty: Type, at: Id, aligned: bool) -> Result<Id, Diagnostic> {
        let (uint, to) = (self.out.int(32), self.ty(ty)?);
        let bits = ty.scalar_bits().unwrap_or(64);
        let raw = match bits {
            1 | 8 => self.byte_at(name, at)?,
            16 => {
                let low = self.byte_at(name, at)?;
                let next = self.plus(at, 1);
                let (high, eight) = (self.byte_at(name, next)?, self.out.word(8));
                let high = self.op(Op::ShiftLeftLogical, uint, &[high, eight]);
                self.op(Op::BitwiseOr, uint, &[low, high])
            }
            32 => self.word_from(name, at, aligned)?,
            _ => {
                let low = self.word_from(name, at, aligned)?;
                let next = self.plus(at, 4);
                let high = self.word_from(name, next, aligned)?;
                let pair = self.out.vector(uint, 2);
                let pair = self.op(Op::CompositeConstruct, pair, &[low, high]);
                return Ok(self.op(Op::Bitcast, to, &[pair]));
            }
        };
        if bits == 1 {
            let zero = self.out.word(0);
            return Ok(self.op(Op::INotEqual, to, &[raw, zero]));
        }
        let integer = self.out.int(bits);
        let cut = if bits == 32 { raw } else { self.op(Op::UConvert, integer, &[raw]) };
        Ok(if integer == to { cut } else { self.op(Op::Bitcast, to, &[cut]) })
    }

    /// The function that reads a value at a byte, or at a whole word; zero, unless all its bytes
    /// are inside.
    pub fn load_function(&mut self, name: Name, ty: Type, aligned: bool) -> Result<Helper, Diagnostic> {
        let (uint, to) = (self.out.int(32), self.ty(ty)?);
        let size = self.size(ty)?;
        let scalars = self.scalars_at(ty)?;
        let how = how(&scalars, aligned);
        let title = format!("{}.load.{how}{ty}", self.resource_name(name));
        self.helper(format!("load {name} {how}{ty}"), &title, (&[uint], to), |e, args| {
            let zero = e.out.null(to);
            let inside = e.bytes_inside(name, args[0], size)?;
            let value = e.value_if(inside, (to, zero), &mut |e| {
                let mut ids = Vec::new();
                for (scalar, offset, _) in &scalars {
                    let at = e.plus(args[0], *offset);
                    ids.push(e.load_scalar(name, *scalar, at, aligned)?);
                }
                e.assembled(ty, &mut ids.into_iter())
            })?;
            Ok(Some(value))
        })
    }

    /// A value of its scalars, in order.
    fn assembled(&mut self, ty: Type, scalars: &mut dyn Iterator<Item = Id>) -> Result<Id, Diagnostic> {
        if is_empty(ty) {
            return self.null(ty);
        }
        if ty.is_scalar() {
            return scalars.next().ok_or_else(|| self.internal("too few scalars"));
        }
        let mut parts = Vec::new();
        for k in 0..num_parts(ty) {
            let part = part_type(ty, k as i64).ok_or_else(|| self.internal("no such part"))?;
            parts.push(self.assembled(part, scalars)?);
        }
        let id = self.ty(ty)?;
        Ok(self.op(Op::CompositeConstruct, id, &parts))
    }

    /// Writes a byte, and leaves those beside it to other threads.
    fn store_byte(&mut self, name: Name, at: Id, value: Id) -> Result<(), Diagnostic> {
        let uint = self.out.int(32);
        let (word, shift) = self.word_and_shift(at);
        let pointer = self.element((name, Type::i32()), word)?.pointer;
        let (device, relaxed, mask) = (self.out.word(1), self.out.word(0), self.out.word(0xff));
        let mask = self.op(Op::ShiftLeftLogical, uint, &[mask, shift]);
        let keep = self.op(Op::Not, uint, &[mask]);
        self.op(Op::AtomicAnd, uint, &[pointer, device, relaxed, keep]);
        let bits = self.op(Op::ShiftLeftLogical, uint, &[value, shift]);
        self.op(Op::AtomicOr, uint, &[pointer, device, relaxed, bits]);
        Ok(())
    }

    fn store_byte_of(&mut self, name: Name, at: Id, value: Id, byte: u32) -> Result<(), Diagnostic> {
        let uint = self.out.int(32);
        let (shift, mask) = (self.out.word(8 * byte), self.out.word(0xff));
        let moved = self.op(Op::ShiftRightLogical, uint, &[value, shift]);
        let cut = self.op(Op::BitwiseAnd, uint, &[moved, mask]);
        let at = self.plus(at, u64::from(byte));
        self.store_byte(name, at, cut)
    }

    /// The function that writes 32 bits at any byte.
    fn set_word_function(&mut self, name: Name) -> Result<Helper, Diagnostic> {
        let (uint, void) = (self.out.int(32), self.out.void());
        let title = format!("{}.set_word", self.resource_name(name));
        self.helper(format!("set word {name}"), &title, (&[uint, uint], void), |e, args| {
            let (at, value) = (args[0], args[1]);
            let (bool, zero, three) = (e.out.bool(), e.out.word(0), e.out.word(3));
            let rest = e.op(Op::BitwiseAnd, uint, &[at, three]);
            let aligned = e.op(Op::IEqual, bool, &[rest, zero]);
            e.only_if(aligned, &mut |e| {
                let (word, _) = e.word_and_shift(at);
                let place = e.element((name, Type::i32()), word)?;
                e.store(place, value)
            })?;
            let across = e.op(Op::LogicalNot, bool, &[aligned]);
            e.only_if(across, &mut |e| (0..4).try_for_each(|byte| e.store_byte_of(name, at, value, byte)))?;
            Ok(None)
        })
    }

    /// Writes 32 bits at a byte, or the word that begins there.
    fn set_word(&mut self, name: Name, at: Id, value: Id, aligned: bool) -> Result<(), Diagnostic> {
        if aligned {
            let (word, _) = self.word_and_shift(at);
            let place = self.element((name, Type::i32()), word)?;
            return self.store(place, value);
        }
        let set = self.set_word_function(name)?;
        self.call_helper(set, &[at, value]);
        Ok(())
    }

    fn store_scalar(&mut self, name: Name, ty: Type, at: Id, value: Id, aligned: bool) -> Result<(), Diagnostic> {
        let uint = self.out.int(32);
        let bits = ty.scalar_bits().unwrap_or(64);
        if bits == 64 {
            let pair = self.out.vector(uint, 2);
            let pair = self.op(Op::Bitcast, pair, &[value]);
            for k in 0..2 {
                let word = self.op_of(Op::CompositeExtract, uint, vec![Operand::Id(pair), Operand::Literal(k)]);
                let at = self.plus(at, 4 * u64::from(k));
                self.set_word(name, at, word, aligned)?;
            }
            return Ok(());
        }
        let raw = if bits == 1 {
            let (one, zero) = (self.out.word(1), self.out.word(0));
            self.op(Op::Select, uint, &[value, one, zero])
        } else {
            let integer = self.out.int(bits);
            let word = if ty.is_float() { self.op(Op::Bitcast, integer, &[value]) } else { value };
            if bits == 32 { word } else { self.op(Op::UConvert, uint, &[word]) }
        };
        if bits == 32 {
            return self.set_word(name, at, raw, aligned);
        }
        (0..bits.div_ceil(8)).try_for_each(|byte| self.store_byte_of(name, at, raw, byte))
    }

    /// The function that writes a value at a byte, or at a whole word, if all its bytes are inside.
    pub fn store_function(&mut self, name: Name, ty: Type, aligned: bool) -> Result<Helper, Diagnostic> {
        self.resources.write(name);
        let (uint, held, void) = (self.out.int(32), self.ty(ty)?, self.out.void());
        let size = self.size(ty)?;
        let scalars = self.scalars_at(ty)?;
        let how = how(&scalars, aligned);
        let title = format!("{}.store.{how}{ty}", self.resource_name(name));
        self.helper(format!("store {name} {how}{ty}"), &title, (&[uint, held], void), |e, args| {
            let inside = e.bytes_inside(name, args[0], size)?;
            e.only_if(inside, &mut |e| {
                for (scalar, offset, path) in &scalars {
                    let (value, _) = e.taken(args[1], ty, path)?;
                    let at = e.plus(args[0], *offset);
                    e.store_scalar(name, *scalar, at, value, aligned)?;
                }
                Ok(())
            })?;
            Ok(None)
        })
    }
}

/// The word for a function that reads or writes these scalars at any byte; those below a word are
/// always parts of one.
fn how(scalars: &[(Type, u64, Vec<u32>)], aligned: bool) -> &'static str {
    let has_words = scalars.iter().any(|(ty, ..)| ty.scalar_bits().is_none_or(|bits| bits >= 32));
    if aligned || !has_words { "" } else { "unaligned." }
}
