//! Textures: words in a buffer, first what a texture is, then its texels. Samples have become reads
//! of texels before, so that a sample has the same bits everywhere.
//!
//! The first eight words: two that nobody reads, width, height and depth, layers, levels, and the
//! format (how many components a texel has, and times 256 what each is: 0 a byte from 0 to 1, 1 to
//! 3 a float of 16, 32 or 64 bits, 4 to 7 an integer of 8 to 64 bits, 8 to 11 one without sign).
//! The texels follow by layer, level, z, y and x. A sampler is two words: whether it is linear in
//! the first byte, and what becomes of coordinates outside in the second.
//!
//! A component is read as a double; in a language without them as a float of 32 bits, to which a
//! double in memory is rounded.

use super::super::expr::{Bound, atom};
use super::super::{Frame, Printer, Text};
use super::emulated::is_wide;
use crate::ops::{self, prec};
use crate::tree::{Expr, Kind};
use crate::types::Ty;
use caustic_dialects::arith;
use caustic_dialects::reflect::Scalar;
use caustic_dialects::tex::{self, Shape, TextureType};
use caustic_ir::{Diagnostic, Name};

/// Where no texture has a texel.
const NOWHERE: &str = "0xffffffffu";

/// More names in functions that reach a texture.
pub(in super::super) const TEXEL_VARIABLES: [&str; 15] = [
    "at_layer", "axis", "bytes", "k", "kind", "last", "place", "rest", "single", "two", "unit", "whole", "x", "y", "z",
];

impl Printer<'_> {
    /// Whether texels cannot be read.
    pub(in super::super) fn lacks_texels(&self) -> Result<bool, Diagnostic> {
        Ok(!self.shader()?.syntax.texels)
    }

    /// A texture or sampler in the text: its words and its type.
    fn texture_words(&mut self, texture: &Expr, written: bool) -> Result<(String, Option<TextureType>), Diagnostic> {
        let Ty::Handle(ty) = texture.ty else { return Err(self.internal("not a texture")) };
        let name: Option<Name> = match &texture.kind {
            Kind::Handle(buffer) => buffer.resource(),
            _ => None,
        };
        let name = name.ok_or_else(|| self.refuse("one of several textures"))?;
        self.shading.textures.insert(name);
        if written {
            self.shading.written.insert(name);
        }
        Ok((self.known(name)?, TextureType::of(ty)))
    }

    /// The float that a component is read as.
    pub(super) fn texel_float(&self) -> Scalar {
        let lacks = self.language.shader.is_some_and(|s| (s.lacks)(Scalar::F64).is_some());
        if lacks { Scalar::F32 } else { Scalar::F64 }
    }

    fn two_words(&mut self) -> Text {
        self.shader_ty(&Ty::Vector { shape: vec![2], elem: Scalar::U32 }, false)
    }

    fn four_words(&mut self, elem: Scalar) -> Text {
        self.shader_ty(&Ty::Vector { shape: vec![4], elem }, false)
    }

    /// The declaration of what a component is.
    fn texel_kind(&self, words: &str) -> String {
        let uint = self.word(Scalar::U32);
        (self.statements().constant)(uint, "kind", &format!("{} >> 8u", self.word_at(words, "7u")))
    }

    /// The functions that know what a texture is: the size of a level in a direction, the bytes of
    /// a component, and where a texel is.
    fn texture_functions(&mut self, words: &str, ty: TextureType) -> Result<[String; 3], Diagnostic> {
        let base = words.trim_end_matches('_').to_string();
        let [size, bytes, texel] = ["size", "bytes", "texel"]
            .map(|what| self.made_name(&format!("texture {what} {words}"), &format!("{base}_{what}")));
        let names = [size.0, bytes.0, texel.0];
        if !texel.1 {
            return Ok(names);
        }
        let [size, bytes, texel] = &names;
        let (syntax, [uint, int]) = (self.statements(), [Scalar::U32, Scalar::I32].map(|s| self.word(s)));
        let (constant, when, choose) = (syntax.constant, syntax.when, syntax.choose);
        let whole = self.word_at(words, "2u + axis");
        let part = choose("at_level < 32", &format!("{whole} >> {uint}(at_level)"), "0u");
        let lines = [
            constant(uint, "number", &choose("at_level < 0", &whole, &part)),
            format!("return {};", choose("number == 0u", "1u", "number")),
        ];
        self.reaching_function(Some(uint), size, &[(uint, "axis"), (int, "at_level")], &lines);
        let lines = [
            self.texel_kind(words),
            when("kind == 0u", "return 1u;"),
            format!("return {};", choose("kind < 4u", "1u << kind", "1u << ((kind - 4u) & 3u)")),
        ];
        self.reaching_function(Some(uint), bytes, &[], &lines);

        let dims = ty.shape.dims();
        let layer = match ty.indices() > dims {
            true => format!("place.{}", super::instance::AXES[dims]),
            false => "0".to_string(),
        };
        let [layers, levels, format] = ["5u", "6u", "7u"].map(|k| self.word_at(words, k));
        let outside =
            format!("at_level < 0 || at_level >= {int}({levels}) || at_layer < 0 || at_layer >= {int}({layers})");
        let nowhere = format!("return {NOWHERE};");
        let mut lines = vec![constant(int, "at_layer", &layer), when(&outside, &nowhere)];
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let inside = k < dims;
            let number = format!("{uint}(place.{axis}) + {uint}(at_offset.{axis})");
            lines.push(constant(uint, axis, if inside { &number } else { "0u" }));
            if inside {
                lines.push(when(&format!("{axis} >= {size}({k}u, at_level)"), &nowhere));
            }
        }
        let of = |axis: u32| format!("{size}({axis}u, {int}(k))");
        let times = choose(&format!("{int}(k) < at_level"), "at_layer + 1", "at_layer");
        let add = format!("number += {} * {} * {} * {uint}({times});", of(0), of(1), of(2));
        let first = format!("(z * {size}(1u, at_level) + y) * {size}(0u, at_level) + x");
        lines.push((syntax.variable)(uint, "number", &first));
        lines.push((syntax.repeat)("k", &levels, &add));
        lines.push(format!("return 32u + number * {bytes}() * ({format} & 255u);"));
        let place = self.four_words(Scalar::I32)?;
        let params = [(&place[..], "place"), (&place[..], "at_offset"), (int, "at_level")];
        self.reaching_function(Some(uint), texel, &params, &lines);
        Ok(names)
    }

    /// Numbers as the language's four.
    fn four(&mut self, f: &Frame<'_>, value: &Expr) -> Text {
        let text = self.expr(f, value)?;
        let word = self.four_words(Scalar::I32)?;
        let zeros = |count: usize| ", 0".repeat(count);
        Ok(match &value.ty {
            Ty::Scalar(Scalar::I32) => format!("{word}({text}{})", zeros(3)),
            Ty::Scalar(_) => format!("{word}({}({text}){})", self.word(Scalar::I32), zeros(3)),
            Ty::Vector { shape, .. } if shape[..] == [4] => format!("{word}({text})"),
            Ty::Vector { shape, elem } if shape.len() == 1 && shape[0] < 4 => {
                let parts = self.shader_ty(&value.ty.with_scalar(Scalar::I32), false)?;
                match shape[0] {
                    1 => format!("{word}({}{})", self.part_text(&text, &value.ty, 0), zeros(3)),
                    n if *elem == Scalar::I32 => format!("{word}({text}{})", zeros(4 - n as usize)),
                    n => format!("{word}({parts}({text}){})", zeros(4 - n as usize)),
                }
            }
            _ => return Err(self.refuse("a place of so many numbers")),
        })
    }

    /// Where a texel is.
    fn texel_place(
        &mut self,
        f: &Frame<'_>,
        (words, ty): (&str, TextureType),
        place: &Expr,
        level: &str,
        offset: Option<&Expr>,
    ) -> Text {
        let [_, _, texel] = self.texture_functions(words, ty)?;
        let place = self.four(f, place)?;
        let word = self.four_words(Scalar::I32)?;
        let offset = match offset {
            Some(offset) => self.four(f, offset)?,
            None => self.splat_of(&word, "0")?,
        };
        Ok(format!("{texel}({place}, {offset}, {level})"))
    }

    /// The number of a level, as an `int`.
    fn texel_level(&mut self, f: &Frame<'_>, level: &Expr) -> Text {
        let text = self.expr(f, level)?;
        let int = level.ty == Ty::Scalar(Scalar::I32);
        Ok(if int { text } else { format!("{}({text})", self.word(Scalar::I32)) })
    }

    pub(super) fn shader_texture(
        &mut self,
        f: &Frame<'_>,
        (op, texture, args): (&str, &Expr, &[Expr]),
        result: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let (words, ty) = self.texture_words(texture, false)?;
        if op == tex::SamplerState::NAME {
            let state = format!("({words}[0] & 255u) | ((({words}[0] >> 8u) & 255u) << 1u)");
            let int = self.word(Scalar::I32);
            return Ok(match result.is_unsigned() {
                true => Bound(state, prec::BIT_OR),
                false => atom(format!("{int}({state})")),
            });
        }
        let ty = ty.ok_or_else(|| self.internal("not a texture"))?;
        match (op, args) {
            (_, [place, level, offset @ ..]) if op == tex::Load::NAME || op == tex::Texel::NAME => {
                let level = self.texel_level(f, level)?;
                let texel = self.texel_place(f, (&words, ty), place, &level, offset.first())?;
                let load = self.texel_load((&words, ty), result)?;
                Ok(atom(format!("{load}({texel})")))
            }
            (_, [level]) if op == tex::Size::NAME => {
                let [size, ..] = self.texture_functions(&words, ty)?;
                let level = self.texel_level(f, level)?;
                let of = |axis: u32| format!("{size}({axis}u, {level})");
                let [layers, levels] = ["5u", "6u"].map(|k| self.word_at(&words, k));
                let third = match ty.shape {
                    Shape::D3 => of(2),
                    Shape::Cube => format!("{layers} / 6u"),
                    _ => layers,
                };
                let last = if ty.shape == Shape::Samples { of(2) } else { levels };
                let (word, numbers) = (self.shader_ty(result, false)?, self.four_words(Scalar::U32)?);
                let parts = format!("{}, {}, {third}, {last}", of(0), of(1));
                let same = word == numbers || !self.in_words();
                Ok(atom(if same { format!("{word}({parts})") } else { format!("{word}({numbers}({parts}))") }))
            }
            _ => Err(self.refuse(format!("`{op}`"))),
        }
    }

    /// A number as one of another type, where a component is read or written.
    fn texel_number(&mut self, text: &str, from: Scalar, to: Scalar) -> Text {
        if from == to {
            return Ok(text.to_string());
        }
        if from.is_float() && to == Scalar::I64 {
            return self.long_of(text, from);
        }
        if !self.in_words() {
            return self.converted(text, from, to);
        }
        if is_wide(from) || is_wide(to) {
            return self.emulated_convert(text, from, to);
        }
        let same = self.word(from) == self.word(to);
        let text = if same { text.to_string() } else { format!("{}({text})", self.word(to)) };
        self.cut(&text, to)
    }

    /// The function that reads a texel as a value of a type.
    fn texel_load(&mut self, (words, ty): (&str, TextureType), result: &Ty) -> Text {
        let [_, bytes, _] = self.texture_functions(words, ty)?;
        let base = words.trim_end_matches('_').to_string();
        let scalar = result.scalar().ok_or_else(|| self.internal("a texel of no number"))?;
        let (word, key) = self.word_in_memory(result)?;
        let (_, part_key) = self.word_in_memory(&Ty::Scalar(scalar))?;
        let part = self.shader_ty(&Ty::Scalar(scalar), false)?;
        let (component, new) =
            self.made_name(&format!("component {words} {part_key}"), &format!("{base}_component_{part_key}"));
        let (syntax, uint) = (self.statements(), self.word(Scalar::U32));
        if new {
            let (float, integer) = (self.component_of_float(words)?, self.component_of_integer(words)?);
            let (float, integer) = (format!("{float}(at)"), format!("{integer}(at)"));
            let of = self.texel_float();
            let (from_float, from_integer) = if scalar.is_float() {
                let near = self.texel_number(&integer, Scalar::I64, of)?;
                (self.texel_number(&float, of, scalar)?, self.texel_number(&near, of, scalar)?)
            } else {
                let near = self.texel_number(&float, of, Scalar::I64)?;
                (self.texel_number(&near, Scalar::I64, scalar)?, self.texel_number(&integer, Scalar::I64, scalar)?)
            };
            let zero = self.shader_zero(&Ty::Scalar(scalar), false)?;
            let one = match scalar.is_float() {
                true => self.float_literal(1.0, scalar)?.0,
                false => self.integer_literal(1, scalar).0,
            };
            let beyond = format!("number >= ({} & 255u)", self.word_at(words, "7u"));
            let last = (syntax.choose)("number == 3u", &one, &zero);
            let lines = [
                (syntax.when)(&format!("at_texel == {NOWHERE}"), &format!("return {zero};")),
                (syntax.when)(&beyond, &format!("return {last};")),
                (syntax.constant)(uint, "at", &format!("at_texel + number * {bytes}()")),
                self.texel_kind(words),
                (syntax.when)("kind < 4u", &format!("return {from_float};")),
                format!("return {from_integer};"),
            ];
            self.reaching_function(Some(&part), &component, &[(uint, "at_texel"), (uint, "number")], &lines);
        }
        let (load, new) = self.made_name(&format!("texel load {words} {word}"), &format!("{base}_load_{key}"));
        if new {
            let result_word = self.shader_ty(result, false)?;
            let count = result.len().unwrap_or(1);
            let parts: Vec<String> = (0..count).map(|k| format!("{component}(at_texel, {k}u)")).collect();
            let value = match &parts[..] {
                [one] => one.clone(),
                _ => format!("{result_word}({})", parts.join(", ")),
            };
            self.reaching_function(Some(&result_word), &load, &[(uint, "at_texel")], &[format!("return {value};")]);
        }
        Ok(load)
    }

    /// A float as an integer of 64 bits, the nearest there is.
    fn long_of(&mut self, text: &str, from: Scalar) -> Text {
        if self.in_words() {
            self.instance("float64", Scalar::U64, Scalar::U64)?;
            return Ok(format!("int64_of_float({text})"));
        }
        let long = (self.language.scalar)(Scalar::I64);
        let (id, name) = match self.is_words(Scalar::I64) {
            true => ("saturate_to_wide_signed", "saturate_to_wide_signed".to_string()),
            false => ("saturate", format!("saturate_to_{long}")),
        };
        let of = if self.is_words(Scalar::I64) { from } else { Scalar::I64 };
        self.instance(id, from, of)?;
        Ok(format!("{name}({text})"))
    }

    /// The function that reads the bits of a component at a byte; components do not straddle words.
    fn component_bits(&mut self, words: &str) -> Text {
        let base = words.trim_end_matches('_').to_string();
        let (name, new) = self.made_name(&format!("bits of {words}"), &format!("{base}_bits"));
        if new {
            let bytes = self.made_name(&format!("texture bytes {words}"), &format!("{base}_bytes")).0;
            let (two, syntax, uint) = (self.two_words()?, self.statements(), self.word(Scalar::U32));
            let second = self.word_at(words, "(at >> 2u) + 1u");
            let lines = [
                (syntax.constant)(uint, "bytes", &format!("{bytes}()")),
                (syntax.variable)(uint, "low", &self.word_at(words, "at >> 2u")),
                (syntax.when)("bytes == 1u", "low = (low >> ((at & 3u) * 8u)) & 0xffu;"),
                (syntax.when)("bytes == 2u", "low = (low >> ((at & 2u) * 8u)) & 0xffffu;"),
                format!("return {two}(low, {});", (syntax.choose)("bytes == 8u", &second, "0u")),
            ];
            self.reaching_function(Some(&two), &name, &[(uint, "at")], &lines);
        }
        Ok(name)
    }

    /// The function that reads a component that is a float, at a byte.
    fn component_of_float(&mut self, words: &str) -> Text {
        let base = words.trim_end_matches('_').to_string();
        let (name, new) = self.made_name(&format!("float of {words}"), &format!("{base}_float"));
        if !new {
            return Ok(name);
        }
        let bits = self.component_bits(words)?;
        let (two, of) = (self.two_words()?, self.texel_float());
        self.note_scalar(of, false)?;
        let (syntax, uint, float) = (self.statements(), self.word(Scalar::U32), self.word(of));
        let suffix = (self.language.suffix)(of);
        let single = (self.shader()?.bits_as)(Scalar::U32, Scalar::F32).unwrap_or("float");
        let mut lines = vec![(syntax.constant)(&two, "bits", &format!("{bits}(at)")), self.texel_kind(words)];
        if of == Scalar::F32 {
            self.note_texel_division();
            self.instance("float_of_double", Scalar::F32, Scalar::F32)?;
            let half = self.float_of_half_bits("bits.x")?;
            lines.extend([
                (syntax.when)("kind == 0u", &format!("return {float}(bits.x) / 255.0{suffix};")),
                (syntax.when)("kind == 1u", &format!("return {half};")),
                (syntax.when)("kind == 2u", &format!("return {single}(bits.x);")),
                "return float_of_double(bits);".to_string(),
            ]);
        } else {
            let (half, double) = match self.is_words(Scalar::U64) {
                true => {
                    self.instance("double_of_words", Scalar::F64, Scalar::F64)?;
                    (self.held_bits("bits.x", Scalar::U16, Scalar::F16)?, "double_of_words")
                }
                false => ("unpackHalf2x16(bits.x).x".to_string(), "packDouble2x32"),
            };
            lines.extend([
                format!("precise double unit = double(bits.x) / 255.0{suffix};"),
                format!("float single = kind == 0u ? float(unit) : kind == 1u ? {half} : {single}(bits.x);"),
                format!("return kind == 3u ? {double}(bits) : double(single);"),
            ]);
        }
        self.reaching_function(Some(float), &name, &[(uint, "at")], &lines);
        Ok(name)
    }

    /// The float that a half is, by its bits, in a language without doubles.
    fn float_of_half_bits(&mut self, bits: &str) -> Text {
        if self.in_words() {
            return self.half_bits(bits, Scalar::U16, Scalar::F16);
        }
        self.note_scalar(Scalar::F16, false)?;
        self.instance("half_of_bits", Scalar::F16, Scalar::F16)?;
        Ok(format!("{}(half_of_bits({bits}))", self.word(Scalar::F32)))
    }

    /// Notes how exact the language's division is.
    fn note_texel_division(&mut self) {
        let row = ops::row(arith::DivF::DEF, &Ty::Scalar(Scalar::F32));
        if let Some((row, shader)) = row.zip(self.language.shader) {
            self.note_accuracy(row.op.name, (shader.shading)(row).accuracy);
        }
    }

    /// The function that reads a component that is an integer, at a byte.
    fn component_of_integer(&mut self, words: &str) -> Text {
        let base = words.trim_end_matches('_').to_string();
        let (name, new) = self.made_name(&format!("integer of {words}"), &format!("{base}_integer"));
        if new {
            let (bits, long) = (self.component_bits(words)?, (self.language.scalar)(Scalar::I64));
            self.note_scalar(Scalar::U64, false)?;
            let (two, syntax) = (self.two_words()?, self.statements());
            let [uint, int] = [Scalar::U32, Scalar::I32].map(|s| self.word(s));
            let signed = format!("{int}(bits.x << last) >> last");
            let signed = self.texel_number(&signed, Scalar::I32, Scalar::I64)?;
            let unsigned = self.texel_number("bits.x", Scalar::U32, Scalar::I64)?;
            let whole = match self.is_words(Scalar::U64) {
                true => "bits".to_string(),
                false => format!("{long}({})", (self.shader()?.syntax.joined)("bits.x", "bits.y")),
            };
            let last = (syntax.choose)("kind == 5u", "16u", "0u");
            let lines = [
                (syntax.constant)(&two, "bits", &format!("{bits}(at)")),
                self.texel_kind(words),
                (syntax.constant)(uint, "last", &(syntax.choose)("kind == 4u", "24u", &last)),
                (syntax.when)("(kind & 3u) == 3u", &format!("return {whole};")),
                (syntax.when)("kind < 8u", &format!("return {signed};")),
                format!("return {unsigned};"),
            ];
            self.reaching_function(Some(long), &name, &[(uint, "at")], &lines);
        }
        Ok(name)
    }

    pub(super) fn shader_texel_update(
        &mut self,
        f: &Frame<'_>,
        kind: &str,
        (texture, args): (&Expr, &[Expr]),
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let (words, texture) = self.texture_words(texture, true)?;
        let texture = texture.ok_or_else(|| self.internal("not a texture"))?;
        let (place, values) = args.split_last().ok_or_else(|| self.internal("an update without a place"))?;
        let mut given = vec![self.texel_place(f, (&words, texture), place, "0", None)?];
        for value in values {
            given.push(self.expr(f, value)?);
        }
        let update = self.atomic_of_words(kind, &words, ty)?;
        Ok(atom(format!("{update}({})", given.join(", "))))
    }

    pub(in super::super) fn shader_texel_store(&mut self, f: &Frame<'_>, texture: &Expr, args: &[Expr]) -> Text {
        let (words, texture) = self.texture_words(texture, true)?;
        let texture = texture.ok_or_else(|| self.internal("not a texture"))?;
        let [value, place] = args else { return Err(self.internal("a store without a place")) };
        let texel = self.texel_place(f, (&words, texture), place, "0", None)?;
        let store = self.texel_store_function((&words, texture), &value.ty.clone())?;
        Ok(format!("{store}({texel}, {});", self.expr(f, value)?))
    }

    /// The function that writes a value to a texel.
    fn texel_store_function(&mut self, (words, ty): (&str, TextureType), value: &Ty) -> Text {
        let [_, bytes, _] = self.texture_functions(words, ty)?;
        let base = words.trim_end_matches('_').to_string();
        let scalar = value.scalar().ok_or_else(|| self.internal("a texel of no number"))?;
        let (word, key) = self.word_in_memory(value)?;
        let (_, part_key) = self.word_in_memory(&Ty::Scalar(scalar))?;
        let part = self.shader_ty(&Ty::Scalar(scalar), false)?;
        let (syntax, uint) = (self.statements(), self.word(Scalar::U32));
        let (write, new) = self.made_name(&format!("write {words} {part_key}"), &format!("{base}_write_{part_key}"));
        if new {
            let lines = self.component_store(words, scalar, &bytes)?;
            self.reaching_function(None, &write, &[(uint, "at"), (&part, "value")], &lines);
        }
        let (store, new) = self.made_name(&format!("texel store {words} {word}"), &format!("{base}_store_{key}"));
        if new {
            let value_word = self.shader_ty(value, false)?;
            let count = value.len().unwrap_or(1) as usize;
            let zero = self.shader_zero(&Ty::Scalar(scalar), false)?;
            let rest = format!("{} & 255u", self.word_at(words, "7u"));
            let mut lines = vec![
                (syntax.when)(&format!("at_texel == {NOWHERE}"), "return;"),
                (syntax.constant)(uint, "rest", &rest),
            ];
            for k in 0..4 {
                let part = if k < count { self.part_text("value", value, k) } else { zero.clone() };
                let call = format!("{write}(at_texel + {k}u * {bytes}(), {part});");
                lines.push((syntax.when)(&format!("rest > {k}u"), &call));
            }
            self.reaching_function(None, &store, &[(uint, "at_texel"), (&value_word, "value")], &lines);
        }
        Ok(store)
    }

    /// The statements that write a value, of a type, to a component at a byte.
    fn component_store(&mut self, words: &str, scalar: Scalar, bytes: &str) -> Result<Vec<String>, Diagnostic> {
        self.note_scalar(Scalar::F16, false)?;
        let of = self.texel_float();
        let stored = |p: &mut Self, value: &str, from: Scalar, to: Scalar| {
            let store = p.store_bytes(words, &Ty::Scalar(to), true)?;
            Ok::<_, Diagnostic>(format!("{store}(at, {});", p.texel_number(value, from, to)?))
        };
        let mut last = Vec::new();
        for (kind, to) in [(1, Scalar::F16), (2, Scalar::F32)] {
            last.push((format!("kind == {kind}u"), stored(self, "whole", of, to)?));
        }
        last.push((
            "kind == 3u".to_string(),
            match of {
                Scalar::F64 => stored(self, "whole", of, of)?,
                _ => {
                    self.instance("double_bits", Scalar::F32, Scalar::F32)?;
                    stored(self, "double_bits(whole)", Scalar::U64, Scalar::U64)?
                }
            },
        ));
        for (count, to) in [(1, Scalar::U8), (2, Scalar::U16), (4, Scalar::U32)] {
            last.push((format!("bytes == {count}u"), stored(self, "number", Scalar::I64, to)?));
        }
        let wide = stored(self, "number", Scalar::I64, Scalar::U64)?;
        let (syntax, uint) = (self.statements(), self.word(Scalar::U32));
        let whole = self.texel_number("value", scalar, of)?;
        let from = if scalar.is_float() { of } else { scalar };
        let integer = self.texel_number(if scalar.is_float() { "whole" } else { "value" }, from, Scalar::I64)?;
        let (long, float) = (self.word(Scalar::I64), self.word(of));
        let number = (syntax.variable)(long, "number", &integer);
        let mut lines = vec![self.texel_kind(words), (syntax.constant)(uint, "bytes", &format!("{bytes}()"))];
        if of == Scalar::F32 {
            self.instance("unit_bits", Scalar::F32, Scalar::F32)?;
            let unit = self.texel_number("unit_bits(whole)", Scalar::U32, Scalar::I64)?;
            lines.extend([
                (syntax.constant)(float, "whole", &whole),
                number,
                (syntax.when)("kind == 0u", &format!("number = {unit};")),
            ]);
        } else {
            self.instance("round_away", Scalar::F64, Scalar::F64)?;
            self.instance("is_nan", Scalar::F64, Scalar::F64)?;
            let s = (self.language.suffix)(Scalar::F64);
            let unit = format!("(whole < 0.0{s} ? 0.0{s} : whole > 1.0{s} ? 1.0{s} : whole) * 255.0{s}");
            let (zero, rounded) = (self.integer_literal(0, Scalar::I64).0, self.long_of("round_away(unit)", of)?);
            lines.extend([
                format!("precise double whole = {whole};"),
                number,
                format!("precise double unit = {unit};"),
                format!("if (kind == 0u) number = is_nan(whole) ? {zero} : {rounded};"),
            ]);
        }
        lines.extend(last.iter().map(|(when, store)| format!("if ({when}) {{ {store} return; }}")));
        lines.push(wide);
        Ok(lines)
    }
}
