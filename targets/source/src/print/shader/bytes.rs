//! Buffers by bytes: an array of words in the text, of which values of any type are read and
//! written at any byte.

use super::super::expr::{Bound, atom};
use super::super::place::ir_size;
use super::super::{Frame, Printer, Text};
use super::place::is_unsized_field;
use crate::ops::prec;
use crate::tree::{Access, Buffer, Expr, Kind, Literal, Place, Root, Step};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Name};

/// A place in bytes: the words (those of any resource, if a pointer leads there), where in them, of
/// which type, and what is left of the steps.
struct Bytes<'p> {
    words: Option<String>,
    at: String,
    /// Whether it begins at a whole word.
    aligned: bool,
    ty: Ty,
    rest: &'p [Step],
}

impl Printer<'_> {
    /// The words of a buffer.
    pub(super) fn words(&mut self, buffer: &Buffer, written: bool) -> Text {
        let name = buffer.resource().ok_or_else(|| {
            self.refuse(match buffer {
                Buffer::Pointee(_) => "a pointer",
                Buffer::None => "a buffer that is none",
                Buffer::Resource(..) => "one of several resources, chosen by an index,",
                _ => "a resource as a value",
            })
        })?;
        if self.is_shared(name) {
            self.shading.worded.insert(name);
            return self.known(name);
        }
        if written {
            self.shading.written.insert(name);
        }
        if self.in_words() {
            self.shading.worded.insert(name);
        }
        if self.is_bytes(name) { self.known(name) } else { self.view_of_words(name) }
    }

    fn view_of_words(&mut self, name: Name) -> Text {
        let size = self.module.contents(name).and_then(|ty| ir_size(&ty)).unwrap_or(1);
        if !size.is_multiple_of(4) {
            return Err(self.refuse("a buffer of small elements by bytes"));
        }
        self.view(name, &crate::types::UINT)
    }

    fn bytes_place<'p>(
        &mut self,
        f: &Frame<'_>,
        place: &'p Place,
        (buffer, index, how): (&Buffer, &Expr, Access),
        written: bool,
    ) -> Result<Bytes<'p>, Diagnostic> {
        let pointer = match buffer {
            Buffer::Pointee(address) if address.ty == crate::types::INDEX => Some(self.expr(f, address)?),
            Buffer::Pointee(address) => Some(self.shader_convert(f, address, &crate::types::INDEX)?.0),
            _ => None,
        };
        let words = if pointer.is_some() { None } else { Some(self.words(buffer, written)?) };
        let mut aligned = pointer.is_none()
            && matches!(place.root, Root::Element { how, aligned, .. } if aligned || how == Access::Elements);
        let mut terms: Vec<String> = pointer.iter().cloned().collect();
        let nothing = is_nothing(index);
        if how == Access::Elements {
            if !nothing {
                let size = ir_size(&place.of).ok_or_else(|| self.refuse("a part without a size"))?;
                aligned &= size.is_multiple_of(4);
                let element = match written_place(index, size) {
                    Some(at) => format!("{at}u"),
                    None => {
                        self.instance("element", Scalar::U32, Scalar::U32)?;
                        format!("element({}, {size}u)", self.unsigned_index(f, index)?.0)
                    }
                };
                let wide = pointer.is_some() && self.is_words(Scalar::I64);
                terms.push(if wide { self.pair(&element, "0u") } else { element });
            }
        } else if !nothing || pointer.is_none() {
            terms.push(match pointer {
                Some(_) => self.shader_convert(f, index, &crate::types::INDEX)?.within(prec::ADD),
                None => self.unsigned_term(f, index, prec::ADD)?,
            });
        }
        if how == Access::Bytes {
            let at = self.place_of_terms(pointer.is_some(), terms)?;
            return Ok(Bytes { words, at, aligned, ty: place.of.clone(), rest: &place.steps });
        }
        let (more, ty, whole) = self.steps_in_bytes(f, place, pointer.is_some())?;
        aligned &= whole;
        terms.extend(more);
        if terms.is_empty() {
            terms.push(self.bytes_literal(0, pointer.is_some()));
        }
        Ok(Bytes { words, at: self.place_of_terms(pointer.is_some(), terms)?, aligned, ty, rest: &[] })
    }

    /// The bytes to the part that steps lead to, as terms, its type, and whether they are whole
    /// words.
    fn steps_in_bytes(
        &mut self,
        f: &Frame<'_>,
        place: &Place,
        pointer: bool,
    ) -> Result<(Vec<String>, Ty, bool), Diagnostic> {
        let choose = self.statements().choose;
        let (mut terms, mut whole) = (Vec::new(), true);
        let (mut ty, mut fixed, mut unsized_part) = (place.of.clone(), 0, false);
        for step in &place.steps {
            let number = if let Step::Part(k) = step { *k as i64 } else { -1 };
            let part = self.module.signs.part(&ty, number).ok_or_else(|| self.internal("no such part"))?;
            let bytes = ir_size(&part).ok_or_else(|| self.refuse("a part without a size"))?;
            match (step, &ty) {
                (Step::Part(k), Ty::Struct(of)) => {
                    fixed += self.field_offset(*of, *k)?;
                    if is_unsized_field(*of, *k) {
                        // It goes on as far as the buffer does.
                        unsized_part = true;
                        ty = part;
                        continue;
                    }
                }
                (Step::Part(k), _) => fixed += *k as u64 * bytes,
                (Step::Index(index), _) => {
                    let count = match unsized_part {
                        true => u64::from(u32::MAX >> 1) / bytes.max(1),
                        false => ty.len().ok_or_else(|| self.refuse("an array without a size"))?,
                    };
                    if let Some(Literal::Int(value)) = index.literal()
                        && let Some(value) = u64::try_from(value).ok().filter(|&n| unsized_part && n < count)
                    {
                        fixed += value * bytes;
                        (ty, unsized_part) = (part, false);
                        continue;
                    }
                    let index = self.unsigned_term(f, index, prec::POSTFIX)?;
                    whole &= bytes.is_multiple_of(4);
                    // What is out of range is nowhere.
                    terms.push(match pointer {
                        true if self.is_words(Scalar::I64) => {
                            let inside = self.pair(&format!("{index} * {bytes}u"), "0u");
                            let beyond = self.pair("0u", "0xc0000000u");
                            format!("({})", choose(&format!("{index} < {count}u"), &inside, &beyond))
                        }
                        true => {
                            let beyond = self.integer_literal(-1 << 62, Scalar::I64).0;
                            format!("({index} < {count}u ? {}({index}) * {bytes}l : {beyond})", self.word(Scalar::I64))
                        }
                        false => {
                            let inside = format!("{index} * {bytes}u");
                            format!("({})", choose(&format!("{index} < {count}u"), &inside, "0x80000000u"))
                        }
                    });
                }
            }
            (ty, unsized_part) = (part, false);
        }
        if fixed > 0 {
            terms.push(self.bytes_literal(fixed, pointer));
        }
        Ok((terms, ty, whole && fixed.is_multiple_of(4)))
    }

    fn bytes_literal(&self, bytes: u64, pointer: bool) -> String {
        self.integer_literal(bytes as i64, if pointer { Scalar::I64 } else { Scalar::U32 }).0
    }

    /// Numbers of bytes, or of what pointers are, added.
    fn place_of_terms(&mut self, by_pointer: bool, terms: Vec<String>) -> Text {
        if by_pointer { self.wide_sum(terms) } else { Ok(terms.join(" + ")) }
    }

    /// A part of a uniform that begins at a byte of the words that all uniforms are.
    pub(super) fn read_uniform(&mut self, f: &Frame<'_>, place: &Place, offset: u64) -> Result<Bound, Diagnostic> {
        let (more, ty, whole) = self.steps_in_bytes(f, place, false)?;
        let words = self.uniforms();
        let terms: Vec<String> = std::iter::once(format!("{offset}u")).chain(more).collect();
        let load = self.load(&words, &ty, whole && offset.is_multiple_of(4))?;
        Ok(atom(format!("{load}({})", terms.join(" + "))))
    }

    /// Whether a place is in bytes of a resource in the text, and then where.
    pub(super) fn by_bytes<'p>(&self, place: &'p Place) -> Option<(&'p Buffer, &'p Expr, Access)> {
        let Root::Element { buffer, index, how, .. } = &place.root else { return None };
        let worded = buffer
            .resource()
            .is_some_and(|name| self.shading.worded.contains(&name) || self.is_shared(name) && !is_nothing(index));
        (*how != Access::Elements || worded).then_some((buffer, &**index, *how))
    }

    /// How many bytes a resource of words has.
    pub(super) fn bytes_of_words(&mut self, name: Name) -> Text {
        let known = self.known(name)?;
        self.bytes_in(&known)
    }

    /// How many bytes an array of words has.
    pub(super) fn bytes_in(&mut self, words: &str) -> Text {
        let shared = &self.module.interface.shared;
        let of = shared.iter().find(|s| self.known(s.symbol).is_ok_and(|name| name == words));
        Ok(match of.map(|shared| shared.bytes) {
            Some(bytes) => format!("{bytes}u"),
            // It is told in bytes.
            None if self.hands_over() => self.length_of(words)?,
            None if self.in_words() => format!("{} * 4u", self.length_of(words)?),
            None => format!("uint({}) * 4u", self.length_of(words)?),
        })
    }

    pub(super) fn read_bytes(
        &mut self,
        f: &Frame<'_>,
        place: &Place,
        (buffer, index, how): (&Buffer, &Expr, Access),
        _: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let Bytes { words, at, aligned, ty, rest } = self.bytes_place(f, place, (buffer, index, how), false)?;
        let load = match &words {
            Some(words) => self.load(words, &ty, aligned)?,
            None => self.through_pointer("load", &ty)?,
        };
        let (text, of, stored) = self.parts_of(f, format!("{load}({at})"), ty, rest)?;
        self.in_registers(atom(text), &of, stored)
    }

    pub(super) fn write_bytes(
        &mut self,
        f: &Frame<'_>,
        place: &Place,
        (buffer, index, how): (&Buffer, &Expr, Access),
        value: &Expr,
    ) -> Text {
        let Bytes { words, at, aligned, ty, rest } = self.bytes_place(f, place, (buffer, index, how), true)?;
        if !rest.is_empty() {
            return Err(self.refuse("a part of a value in bytes"));
        }
        let store = match &words {
            Some(words) => self.store_bytes(words, &ty, aligned)?,
            None => self.through_pointer("store", &ty)?,
        };
        let value = self.expr(f, value)?;
        Ok(format!("{store}({at}, {value});"))
    }

    /// The scalars of a type in memory, by their offsets, how to reach them in a value, and whether
    /// they are in it as in memory.
    pub(super) fn scalars_at(
        &mut self,
        (ty, stored): (&Ty, bool),
        offset: u64,
        path: &str,
    ) -> Result<Vec<(Scalar, u64, String, bool)>, Diagnostic> {
        let inside = self.stores(ty, stored);
        Ok(match ty {
            Ty::Scalar(s) => vec![(*s, offset, path.to_string(), stored)],
            Ty::Struct(of) => {
                let mut all = Vec::new();
                for index in 0..StructType(*of).num_fields() {
                    let field = self.field_ty(*of, index)?;
                    if !field.is_empty() {
                        let at = offset + self.field_offset(*of, index)?;
                        let name = self.field_name(*of, index)?;
                        all.extend(self.scalars_at((&field, inside), at, &format!("{path}.{name}"))?);
                    }
                }
                all
            }
            _ => {
                let part = self.module.signs.part(ty, -1).ok_or_else(|| self.refuse("such a type in bytes"))?;
                let size = ir_size(&part).ok_or_else(|| self.refuse("a part without a size"))?;
                let mut all = Vec::new();
                for k in 0..ty.len().unwrap_or(0) {
                    let path = self.part_text(path, ty, k as usize);
                    all.extend(self.scalars_at((&part, inside), offset + k * size, &path)?);
                }
                all
            }
        })
    }

    /// The function that reads a word at any byte.
    fn load_word(&mut self, words: &str) -> String {
        let (name, new) = self.made_name(&format!("word {words}"), &format!("{}_word", words.trim_end_matches('_')));
        if new {
            let (low, high) = (self.word_at(words, "at >> 2u"), self.word_at(words, "(at >> 2u) + 1u"));
            let (syntax, uint) = (self.statements(), self.word(Scalar::U32));
            let lines = [
                (syntax.constant)(uint, "low", &low),
                (syntax.constant)(uint, "shift", "(at & 3u) * 8u"),
                (syntax.when)("shift == 0u", "return low;"),
                format!("return (low >> shift) | ({high} << (32u - shift));"),
            ];
            self.reaching_function(Some(uint), &name, &[(uint, "at")], &lines);
        }
        name
    }

    fn load_byte(&mut self, words: &str) -> String {
        let (name, new) = self.made_name(&format!("byte {words}"), &format!("{}_byte", words.trim_end_matches('_')));
        if new {
            let (uint, word) = (self.word(Scalar::U32), self.word_at(words, "at >> 2u"));
            let line = format!("return ({word} >> ((at & 3u) * 8u)) & 0xffu;");
            self.reaching_function(Some(uint), &name, &[(uint, "at")], &[line]);
        }
        name
    }

    /// A word of an array of words.
    pub(super) fn word_at(&self, words: &str, index: &str) -> String {
        self.loaded(words, &format!("{words}[{index}]"))
    }

    /// A function that reaches a resource, of these statements.
    pub(super) fn reaching_function(
        &mut self,
        result: Option<&str>,
        name: &str,
        params: &[(&str, &str)],
        lines: &[String],
    ) {
        let body: String = lines.iter().map(|line| format!("\n    {line}")).collect();
        let text = self.made_function(result, name, params, &(body + "\n"));
        self.shading.reaches.push(text);
    }

    /// The word that is `offset` bytes behind `at`, which may be at a whole word.
    fn word_behind(&mut self, words: &str, offset: u64, aligned: bool) -> String {
        if aligned && offset.is_multiple_of(4) {
            return self.word_at(words, &word_index(offset));
        }
        format!("{}({})", self.load_word(words), byte_index(offset))
    }

    /// A scalar that is `offset` bytes behind `at`.
    fn load_scalar(&mut self, words: &str, scalar: Scalar, offset: u64, aligned: bool) -> Text {
        let word = (self.language.scalar)(scalar);
        self.note_scalar(scalar, false)?;
        let bits = match scalar.size() {
            1 => format!("{}({})", self.load_byte(words), byte_index(offset)),
            2 => {
                let byte = self.load_byte(words);
                format!("({byte}({}) | ({byte}({}) << 8u))", byte_index(offset), byte_index(offset + 1))
            }
            4 => self.word_behind(words, offset, aligned),
            _ => {
                let [low, high] = [offset, offset + 4].map(|at| self.word_behind(words, at, aligned));
                if self.in_words() {
                    return Ok(format!("vec2u({low}, {high})"));
                }
                if self.is_words(Scalar::U64) {
                    let pair = self.pair(&low, &high);
                    if scalar != Scalar::F64 {
                        return Ok(pair);
                    }
                    self.instance("double_of_words", scalar, scalar)?;
                    return Ok(format!("double_of_words({pair})"));
                }
                (self.shader()?.syntax.joined)(&low, &high)
            }
        };
        let unsigned = match scalar {
            Scalar::F16 => Scalar::U16,
            Scalar::F32 => Scalar::U32,
            Scalar::F64 => Scalar::U64,
            _ => {
                return Ok(match scalar {
                    Scalar::Bool => format!("{bits} != 0u"),
                    Scalar::U32 => bits,
                    _ if self.in_words() && !scalar.is_signed() => bits,
                    _ if self.in_words() => self.cut(&format!("{word}({bits})"), scalar)?,
                    _ if self.is_held(scalar) => self.cut(&bits, scalar)?,
                    // Bits beyond the width are cut.
                    _ => format!("{word}({bits})"),
                });
            }
        };
        if self.in_words() && scalar == Scalar::F16 {
            return self.half_bits(&bits, Scalar::U16, Scalar::F16);
        }
        self.note_scalar(unsigned, false)?;
        let from = (self.shader()?.bits_as)(unsigned, scalar).unwrap_or(word);
        Ok(match scalar {
            Scalar::F16 => format!("{from}({}({bits}))", (self.language.scalar)(unsigned)),
            _ => format!("{from}({bits})"),
        })
    }

    /// The function that reads a value at a byte, or at a whole word; zero, unless all its bytes
    /// are inside.
    pub(super) fn load(&mut self, words: &str, ty: &Ty, aligned: bool) -> Text {
        let (word, size) =
            (self.shader_ty(ty, false)?, ir_size(ty).ok_or_else(|| self.refuse("a part without a size"))?);
        let aligned = aligned || !self.has_words(ty)?;
        let (name, new) = self.access_name("load", words, ty, aligned)?;
        if !new {
            return Ok(name);
        }
        let zero = self.shader_zero(ty, false)?;
        let bytes = self.bytes_in(words)?;
        let outside = format!("!(at <= {bytes} && {bytes} - at >= {size}u)");
        let mut lines = vec![(self.statements().when)(&outside, &format!("return {zero};"))];
        if ty.is_scalar() {
            let scalar = ty.scalar().ok_or_else(|| self.internal("no scalar"))?;
            lines.push(format!("return {};", self.load_scalar(words, scalar, 0, aligned)?));
        } else {
            lines.push((self.statements().variable)(&word, "value", &zero));
            for (scalar, offset, path, stored) in self.scalars_at((ty, false), 0, "value")? {
                let loaded = self.load_scalar(words, scalar, offset, aligned)?;
                let truth = self.truth_scalar();
                let loaded = if scalar == Scalar::Bool && stored && truth != Scalar::Bool {
                    format!("{}({loaded} ? 1 : 0)", self.word(truth))
                } else {
                    loaded
                };
                lines.push(format!("{path} = {loaded};"));
            }
            lines.push("return value;".to_string());
        };
        self.reaching_function(Some(&word), &name, &[(self.word(Scalar::U32), "at")], &lines);
        Ok(name)
    }

    /// Whether there are scalars of a word or more in a type.
    fn has_words(&mut self, ty: &Ty) -> Result<bool, Diagnostic> {
        Ok(self.scalars_at((ty, false), 0, "")?.iter().any(|(scalar, ..)| scalar.size() >= 4))
    }

    /// The name of the function that reads or writes a type in an array of words.
    fn access_name(&mut self, what: &str, words: &str, ty: &Ty, aligned: bool) -> Result<(String, bool), Diagnostic> {
        let (key, wanted) = self.word_in_memory(ty)?;
        let how = if aligned { "" } else { "unaligned_" };
        let wanted = format!("{}_{what}_{how}{wanted}", words.trim_end_matches('_'));
        Ok(self.made_name(&format!("{what} {how}{words} {key}"), &wanted))
    }

    /// The statement that writes the word that is `offset` bytes behind `at`.
    fn set_word_behind(&mut self, words: &str, offset: u64, value: &str, aligned: bool) -> Text {
        if aligned && offset.is_multiple_of(4) {
            return Ok(self.set_word_at(words, &word_index(offset), value));
        }
        Ok(format!("{}({}, {value});", self.store_word(words)?, byte_index(offset)))
    }

    fn store_word(&mut self, words: &str) -> Text {
        let byte = self.store_byte(words)?;
        let (name, new) =
            self.made_name(&format!("set word {words}"), &format!("{}_set_word", words.trim_end_matches('_')));
        if new {
            let (syntax, uint) = (self.statements(), self.word(Scalar::U32));
            let bytes = (syntax.repeat)("low", "4u", &format!("{byte}(at + low, (value >> (8u * low)) & 0xffu);"));
            let lines = [
                (syntax.when)("(at & 3u) == 0u", &self.set_word_at(words, "at >> 2u", "value")),
                (syntax.when)("(at & 3u) != 0u", &bytes),
            ];
            self.reaching_function(None, &name, &[(uint, "at"), (uint, "value")], &lines);
        }
        Ok(name)
    }

    /// The statement that writes a word of an array of words.
    fn set_word_at(&self, words: &str, index: &str, value: &str) -> String {
        self.stored(words, &format!("{words}[{index}]"), value)
    }

    /// Other threads may write the bytes beside it.
    fn store_byte(&mut self, words: &str) -> Text {
        let update = self.shader()?.syntax.update;
        let at = self.updated_place(&format!("{words}[at >> 2u]"), self.word(Scalar::U32))?;
        let clear = update(self.updates("and")?, &at, "~(0xffu << shift)", None);
        let set = update(self.updates("or")?, &at, "value << shift", None);
        let (name, new) =
            self.made_name(&format!("set byte {words}"), &format!("{}_set_byte", words.trim_end_matches('_')));
        if new {
            let (syntax, uint) = (self.statements(), self.word(Scalar::U32));
            self.note_updated(words);
            let lines = [(syntax.constant)(uint, "shift", "(at & 3u) * 8u"), clear, set];
            self.reaching_function(None, &name, &[(uint, "at"), (uint, "value")], &lines);
        }
        Ok(name)
    }

    /// The function that writes a value at a byte, or at a whole word, if all its bytes are inside.
    pub(super) fn store_bytes(&mut self, words: &str, ty: &Ty, aligned: bool) -> Text {
        let (word, size) =
            (self.shader_ty(ty, false)?, ir_size(ty).ok_or_else(|| self.refuse("a part without a size"))?);
        let aligned = aligned || !self.has_words(ty)?;
        let (name, new) = self.access_name("store", words, ty, aligned)?;
        if !new {
            return Ok(name);
        }
        let bytes = self.bytes_in(words)?;
        let mut lines =
            vec![(self.statements().when)(&format!("!(at <= {bytes} && {bytes} - at >= {size}u)"), "return;")];
        let uint = self.word(Scalar::U32);
        for (scalar, offset, path, stored) in self.scalars_at((ty, false), 0, "value")? {
            let at = byte_index(offset);
            self.note_scalar(scalar, false)?;
            let unsigned = match scalar {
                Scalar::F16 => Some(Scalar::U16),
                Scalar::F32 => Some(Scalar::U32),
                Scalar::F64 => Some(Scalar::U64),
                _ => None,
            };
            let bits = match unsigned {
                Some(to) if self.in_words() && scalar == Scalar::F16 => self.half_bits(&path, scalar, to)?,
                Some(to) => {
                    self.note_scalar(to, false)?;
                    format!("{}({path})", (self.shader()?.bits_as)(scalar, to).unwrap_or(uint))
                }
                None => path,
            };
            match scalar.size() {
                1 => {
                    let set = self.store_byte(words)?;
                    let bits = if scalar == Scalar::Bool {
                        let truth = self.truth_scalar();
                        let plain = !stored || truth == Scalar::Bool;
                        let none = if plain { "false".to_string() } else { format!("{}(0)", self.word(truth)) };
                        (self.statements().choose)(&format!("{bits} != {none}"), "1u", "0u")
                    } else {
                        format!("{uint}({bits}) & 0xffu")
                    };
                    lines.push(format!("{set}({at}, {bits});"));
                }
                2 => {
                    let set = self.store_byte(words)?;
                    lines.push(format!("{set}({at}, {uint}({bits}) & 0xffu);"));
                    lines.push(format!("{set}({at} + 1u, ({uint}({bits}) >> 8u) & 0xffu);"));
                }
                4 => {
                    let is_word = unsigned.is_some() || scalar == Scalar::U32;
                    let bits = if is_word { bits } else { format!("{uint}({bits})") };
                    lines.push(self.set_word_behind(words, offset, &bits, aligned)?);
                }
                _ => {
                    let [low, high] = if self.in_words() || self.is_words(Scalar::U64) {
                        if scalar == Scalar::F64 {
                            self.instance("words_of_double", scalar, scalar)?;
                        }
                        [format!("{bits}.x"), format!("{bits}.y")]
                    } else {
                        self.note_scalar(Scalar::U64, false)?;
                        let whole = self.word(Scalar::U64);
                        [format!("{uint}({whole}({bits}))"), format!("{uint}({whole}({bits}) >> 32)")]
                    };
                    lines.push(self.set_word_behind(words, offset, &low, aligned)?);
                    lines.push(self.set_word_behind(words, offset + 4, &high, aligned)?);
                }
            }
        }
        self.reaching_function(None, &name, &[(uint, "at"), (&word, "value")], &lines);
        Ok(name)
    }

    pub(super) fn atomic_in_bytes(
        &mut self,
        f: &Frame<'_>,
        kind: &str,
        place: &Place,
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let Root::Element { buffer, index, how, .. } = &place.root else { return Err(self.internal("no element")) };
        let how = if *how == Access::Bytes { Access::Parts } else { *how };
        let Bytes { words, at, .. } = self.bytes_place(f, place, (buffer, index, how), true)?;
        let name = match &words {
            Some(words) => self.atomic_of_words(kind, words, ty)?,
            None => self.through_pointer(kind, ty)?,
        };
        let mut given = vec![at];
        for arg in args {
            given.push(self.expr(f, arg)?);
        }
        Ok(atom(format!("{name}({})", given.join(", "))))
    }

    /// The function that updates a word of a buffer by bytes.
    pub(super) fn atomic_of_words(&mut self, kind: &str, words: &str, ty: &Ty) -> Text {
        let scalar = ty.scalar().ok_or_else(|| self.internal("an update of no scalar"))?;
        let (word, zero) = (self.shader_ty(ty, false)?, self.shader_zero(ty, false)?);
        let uint = self.word(Scalar::U32);
        let (body, inside) = match scalar.size() {
            4 => {
                self.note_updated(words);
                let body = self.atomic_body(kind, &format!("{words}[at >> 2u]"), ty, (uint, scalar.is_float()))?;
                (body, self.word_inside(words)?)
            }
            8 if self.in_words() || self.updates_by_pointer() => return Err(self.refuse_update("64 bits", 8)),
            8 => {
                let of = self.module.interface.params.iter().map(|p| p.symbol);
                let of = of.filter(|&p| !self.is_shared(p)).find(|&p| self.reaches_words(p, words));
                let of = of.ok_or_else(|| self.refuse_update("64 bits in the memory of a group", 8))?;
                if scalar.is_float() {
                    return Err(self.refuse_update("a double", 8));
                }
                let view = self.view(of, &Ty::Scalar(Scalar::U64))?;
                let body = self.atomic_body(kind, &format!("{view}[at >> 3]"), ty, ("uint64_t", false))?;
                (body, format!("at >> 3 < {}", self.length_of(&view)?))
            }
            _ => (self.atomic_of_part(kind, words, scalar)?, self.word_inside(words)?),
        };
        let (name, new) = self.made_name(
            &format!("atomic {kind} {words} {ty:?}"),
            &format!("{}_{}_{word}", words.trim_end_matches('_'), super::place::atomic_name(kind)),
        );
        if new {
            let params: &[(&str, &str)] = match kind {
                "cas" => &[(uint, "at"), (&word, "expected"), (&word, "value")],
                _ => &[(uint, "at"), (&word, "value")],
            };
            let check = (self.statements().when)(&format!("!({inside})"), &format!("return {zero};"));
            let text = self.made_function(Some(&word), &name, params, &format!("\n    {check}\n{body}"));
            self.shading.reaches.push(text);
        }
        Ok(name)
    }

    /// Whether the word at a byte is one of an array of words.
    fn word_inside(&mut self, words: &str) -> Text {
        let shared = &self.module.interface.shared;
        let of = shared.iter().find(|s| self.known(s.symbol).is_ok_and(|name| name == words));
        Ok(match of.map(|shared| shared.bytes.div_ceil(4)) {
            Some(count) => format!("(at >> 2u) < {count}u"),
            // What is left behind the last whole word is a word, too.
            None if self.hands_over() => format!("at < {}", self.length_of(words)?),
            None => format!("(at >> 2u) < {}", self.length_of(words)?),
        })
    }

    /// Whether a resource's memory is this array of words.
    fn reaches_words(&self, resource: Name, words: &str) -> bool {
        let viewed = self.shading.views.get(words).is_some_and(|(of, _)| *of == resource);
        viewed || self.known(resource).is_ok_and(|name| name == words)
    }

    /// What updates a part of a word: its neighbours in the word stay as they are.
    fn atomic_of_part(&mut self, kind: &str, words: &str, scalar: Scalar) -> Text {
        if self.is_held(scalar) || self.in_words() {
            return Err(self.refuse_update("a small number", scalar.size()));
        }
        if self.updates_by_pointer() {
            return self.pointed_part(kind, words, scalar);
        }
        let word = (self.language.scalar)(scalar);
        let bits = 8 * scalar.size() as u32;
        let unsigned = if bits == 16 { Scalar::U16 } else { Scalar::U8 };
        self.note_scalar(scalar, false)?;
        self.note_scalar(unsigned, false)?;
        let part = (self.language.scalar)(unsigned);
        let [from, to] = [(unsigned, scalar), (scalar, unsigned)]
            .map(|(a, b)| self.language.shader.and_then(|s| (s.bits_as)(a, b)).unwrap_or((self.language.scalar)(b)));
        let new = self.combined_values(kind, scalar)?;
        let update = self.shader()?.syntax.update;
        let swapped = update(self.updates("cas")?, &format!("{words}[at >> 2]"), "bits, low", Some(("uint", "number")));
        let (low, mask) = (4 - scalar.size(), u32::MAX >> (32 - bits));
        Ok(format!(
            "    uint shift = (at & {low}u) * 8u;\n    for (;;) {{\n        uint bits = {words}[at >> 2];\n        \
             {word} old = {from}({part}(bits >> shift & {mask}u));\n        precise {word} both = {new};\n        \
             uint low = bits & ~({mask}u << shift) | (uint({to}(both)) & {mask}u) << shift;\n        \
             {swapped}\n        if (number == bits) return old;\n    }}\n"
        ))
    }
}

/// The first byte of an element whose number is written.
fn written_place(index: &Expr, size: u64) -> Option<u64> {
    let Some(Literal::Int(number)) = index.literal() else { return None };
    u64::try_from(number).ok()?.checked_mul(size).filter(|&at| at <= 0x7fff_ffff)
}

/// Whether an index is a written zero.
fn is_nothing(index: &Expr) -> bool {
    index.literal() == Some(Literal::Int(0)) || matches!(index.kind, Kind::Zero)
}

/// The byte that is so many behind `at`.
fn byte_index(offset: u64) -> String {
    if offset == 0 { "at".to_string() } else { format!("at + {offset}u") }
}

/// The number of the word that is so many bytes behind `at`.
fn word_index(offset: u64) -> String {
    if offset == 0 { "at >> 2u".to_string() } else { format!("(at >> 2u) + {}u", offset / 4) }
}
