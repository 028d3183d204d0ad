//! Textures: words in a buffer, first what a texture is, then its texels. Samples have become reads
//! of texels before, so that a sample has the same bits everywhere.
//!
//! The first eight words: two that nobody reads, width, height and depth, layers, levels, and the
//! format (how many components a texel has, and times 256 what each is: 0 a byte from 0 to 1, 1 to
//! 3 a float of 16, 32 or 64 bits, 4 to 7 an integer of 8 to 64 bits, 8 to 11 one without sign).
//! The texels follow by layer, level, z, y and x. A sampler is two words: whether it is linear in
//! the first byte, and what becomes of coordinates outside in the second.

use super::super::expr::{Bound, atom};
use super::super::{Frame, Printer, Text};
use crate::ops::prec;
use crate::tree::{Expr, Kind};
use crate::types::Ty;
use caustic_dialects::reflect::Scalar;
use caustic_dialects::tex::{self, Shape, TextureType};
use caustic_ir::{Diagnostic, Name};

/// Where no texture has a texel.
const NOWHERE: &str = "0xffffffffu";

/// More names in functions that reach a texture.
pub(in super::super) const TEXEL_VARIABLES: [&str; 11] =
    ["axis", "bytes", "k", "kind", "last", "single", "unit", "whole", "x", "y", "z"];

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

    /// The functions that know what a texture is: the size of a level in a direction, the bytes of
    /// a component, and where a texel is.
    fn texture_functions(&mut self, words: &str, ty: TextureType) -> Result<[String; 3], Diagnostic> {
        let base = words.trim_end_matches('_').to_string();
        let [size, bytes, texel] = ["size", "bytes", "texel"].map(|what| {
            let (name, new) = self.made_name(&format!("texture {what} {words}"), &format!("{base}_{what}"));
            (name, new)
        });
        if texel.1 {
            let place = self.shader_ty(&Ty::Vector { shape: vec![4], elem: Scalar::I32 }, false)?;
            let dims = ty.shape.dims();
            let (size, bytes, texel) = (&size.0, &bytes.0, &texel.0);
            let layer = match ty.indices() > dims {
                true => format!("place.{}", super::instance::AXES[dims]),
                false => "0".to_string(),
            };
            let mut inside = String::new();
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
                let number = match k < dims {
                    true => format!("uint(place.{axis} + at_offset.{axis})"),
                    false => "0u".to_string(),
                };
                inside += &format!("    uint {axis} = {number};\n");
                if k < dims {
                    inside += &format!("    if ({axis} >= {size}({k}u, at_level)) return {NOWHERE};\n");
                }
            }
            self.shading.reaches.push(format!(
                "uint {size}(uint axis, int at_level) {{\n    \
                 uint number = at_level < 0 ? {words}[2u + axis] : at_level < 32 ? {words}[2u + axis] >> at_level : 0u;\n    \
                 return number == 0u ? 1u : number;\n}}\n\n\
                 uint {bytes}() {{\n    uint kind = {words}[7] >> 8;\n    \
                 return kind == 0u ? 1u : kind < 4u ? 1u << kind : 1u << ((kind - 4u) & 3u);\n}}\n\n\
                 uint {texel}({place} place, {place} at_offset, int at_level) {{\n    int at_layer = {layer};\n    \
                 if (at_level < 0 || at_level >= int({words}[6]) || at_layer < 0 || at_layer >= int({words}[5])) return {NOWHERE};\n\
                 {inside}    uint number = (z * {size}(1u, at_level) + y) * {size}(0u, at_level) + x;\n    \
                 for (int k = 0; k < int({words}[6]); k++) {{\n        \
                 number += {size}(0u, k) * {size}(1u, k) * {size}(2u, k) * uint(k < at_level ? at_layer + 1 : at_layer);\n    }}\n    \
                 return 32u + number * {bytes}() * ({words}[7] & 255u);\n}}\n"
            ));
        }
        Ok([size.0, bytes.0, texel.0])
    }

    /// Numbers as the language's four.
    fn four(&mut self, f: &Frame<'_>, value: &Expr) -> Text {
        let text = self.expr(f, value)?;
        let word = self.shader_ty(&Ty::Vector { shape: vec![4], elem: Scalar::I32 }, false)?;
        let zeros = |count: usize| ", 0".repeat(count);
        Ok(match &value.ty {
            Ty::Scalar(_) => format!("{word}({text}{})", zeros(3)),
            Ty::Vector { shape, .. } if shape[..] == [4] => format!("{word}({text})"),
            Ty::Vector { shape, .. } if shape.len() == 1 && shape[0] < 4 => {
                let parts = self.shader_ty(&value.ty.with_scalar(Scalar::I32), false)?;
                match shape[0] {
                    1 => format!("{word}({}{})", self.part_text(&text, &value.ty, 0), zeros(3)),
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
        let word = self.shader_ty(&Ty::Vector { shape: vec![4], elem: Scalar::I32 }, false)?;
        let offset = match offset {
            Some(offset) => self.four(f, offset)?,
            None => self.splat_of(&word, "0")?,
        };
        Ok(format!("{texel}({place}, {offset}, {level})"))
    }

    pub(super) fn shader_texture(
        &mut self,
        f: &Frame<'_>,
        (op, texture, args): (&str, &Expr, &[Expr]),
        result: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let (words, ty) = self.texture_words(texture, false)?;
        if op == tex::SamplerState::NAME {
            let state = format!("{words}[0] & 255u | ({words}[0] >> 8 & 255u) << 1");
            return Ok(if result.is_unsigned() { Bound(state, prec::BIT_OR) } else { atom(format!("int({state})")) });
        }
        let ty = ty.ok_or_else(|| self.internal("not a texture"))?;
        match (op, args) {
            (_, [place, level, offset @ ..]) if op == tex::Load::NAME || op == tex::Texel::NAME => {
                let level = format!("int({})", self.expr(f, level)?);
                let texel = self.texel_place(f, (&words, ty), place, &level, offset.first())?;
                let load = self.texel_load((&words, ty), result)?;
                Ok(atom(format!("{load}({texel})")))
            }
            (_, [level]) if op == tex::Size::NAME => {
                let [size, ..] = self.texture_functions(&words, ty)?;
                let level = format!("int({})", self.expr(f, level)?);
                let of = |axis: u32| format!("{size}({axis}u, {level})");
                let third = match ty.shape {
                    Shape::D3 => of(2),
                    Shape::Cube => format!("{words}[5] / 6u"),
                    _ => format!("{words}[5]"),
                };
                let last = if ty.shape == Shape::Samples { of(2) } else { format!("{words}[6]") };
                Ok(atom(format!("{}({}, {}, {third}, {last})", self.shader_ty(result, false)?, of(0), of(1))))
            }
            _ => Err(self.refuse(format!("`{op}`"))),
        }
    }

    /// The function that reads a texel as a value of a type.
    fn texel_load(&mut self, (words, ty): (&str, TextureType), result: &Ty) -> Text {
        let [_, bytes, _] = self.texture_functions(words, ty)?;
        let base = words.trim_end_matches('_').to_string();
        let scalar = result.scalar().ok_or_else(|| self.internal("a texel of no number"))?;
        let word = self.shader_ty(result, false)?;
        let part = self.shader_ty(&Ty::Scalar(scalar), false)?;
        let (component, new) =
            self.made_name(&format!("component {words} {part}"), &format!("{base}_component_{part}"));
        if new {
            let (float, integer) = (self.component_of_float(words)?, self.component_of_integer(words)?);
            let (float, integer) = (format!("{float}(at)"), format!("{integer}(at)"));
            let number = if scalar.is_float() {
                let double = self.converted(&integer, Scalar::I64, Scalar::F64)?;
                let from_float = self.converted(&float, Scalar::F64, scalar)?;
                let from_integer = self.converted(&double, Scalar::F64, scalar)?;
                format!("kind < 4u ? {from_float} : {from_integer}")
            } else {
                let near = self.long_of_double(&float)?;
                let from_float = self.converted(&near, Scalar::I64, scalar)?;
                format!("kind < 4u ? {from_float} : {}", self.converted(&integer, Scalar::I64, scalar)?)
            };
            let zero = self.shader_zero(&Ty::Scalar(scalar), false)?;
            let one = match scalar.is_float() {
                true => self.float_literal(1.0, scalar)?.0,
                false => self.integer_literal(1, scalar).0,
            };
            self.shading.reaches.push(format!(
                "{part} {component}(uint at_texel, uint number) {{\n    if (at_texel == {NOWHERE}) return {zero};\n    \
                 if (number >= ({words}[7] & 255u)) return number == 3u ? {one} : {zero};\n    \
                 uint at = at_texel + number * {bytes}(), kind = {words}[7] >> 8;\n    return {number};\n}}\n"
            ));
        }
        let (load, new) = self.made_name(&format!("texel load {words} {word}"), &format!("{base}_load_{word}"));
        if new {
            let count = result.len().unwrap_or(1);
            let parts: Vec<String> = (0..count).map(|k| format!("{component}(at_texel, {k}u)")).collect();
            self.shading
                .reaches
                .push(format!("{word} {load}(uint at_texel) {{ return {word}({}); }}\n", parts.join(", ")));
        }
        Ok(load)
    }

    /// A double as an integer of 64 bits, the nearest there is.
    fn long_of_double(&mut self, text: &str) -> Text {
        let long = (self.language.scalar)(Scalar::I64);
        let (id, name) = match self.is_words(Scalar::I64) {
            true => ("saturate_to_wide_signed", "saturate_to_wide_signed".to_string()),
            false => ("saturate", format!("saturate_to_{long}")),
        };
        let of = if self.is_words(Scalar::I64) { Scalar::F64 } else { Scalar::I64 };
        self.instance(id, Scalar::F64, of)?;
        Ok(format!("{name}({text})"))
    }

    /// The function that reads the bits of a component at a byte; components do not straddle words.
    fn component_bits(&mut self, words: &str) -> Text {
        let base = words.trim_end_matches('_').to_string();
        let (name, new) = self.made_name(&format!("bits of {words}"), &format!("{base}_bits"));
        if new {
            let bytes = self.made_name(&format!("texture bytes {words}"), &format!("{base}_bytes")).0;
            let two = self.shader_ty(&Ty::Vector { shape: vec![2], elem: Scalar::U32 }, false)?;
            self.shading.reaches.push(format!(
                "{two} {name}(uint at) {{\n    uint low = {words}[at >> 2], bytes = {bytes}();\n    \
                 low = bytes == 1u ? low >> ((at & 3u) * 8u) & 0xffu : bytes == 2u ? low >> ((at & 2u) * 8u) & 0xffffu : low;\n    \
                 return {two}(low, bytes == 8u ? {words}[(at >> 2) + 1u] : 0u);\n}}\n"
            ));
        }
        Ok(name)
    }

    /// The function that reads a component that is a float, at a byte.
    fn component_of_float(&mut self, words: &str) -> Text {
        let base = words.trim_end_matches('_').to_string();
        let (name, new) = self.made_name(&format!("float of {words}"), &format!("{base}_float"));
        if new {
            let bits = self.component_bits(words)?;
            self.note_scalar(Scalar::F64, false)?;
            let two = self.shader_ty(&Ty::Vector { shape: vec![2], elem: Scalar::U32 }, false)?;
            let suffix = (self.language.suffix)(Scalar::F64);
            let single = (self.shader()?.bits_as)(Scalar::U32, Scalar::F32).unwrap_or("float");
            let (half, double) = match self.is_words(Scalar::U64) {
                true => {
                    self.instance("double_of_words", Scalar::F64, Scalar::F64)?;
                    (self.held_bits("bits.x", Scalar::U16, Scalar::F16)?, "double_of_words")
                }
                false => ("unpackHalf2x16(bits.x).x".to_string(), "packDouble2x32"),
            };
            self.shading.reaches.push(format!(
                "double {name}(uint at) {{\n    {two} bits = {bits}(at);\n    uint kind = {words}[7] >> 8;\n    \
                 precise double unit = double(bits.x) / 255.0{suffix};\n    \
                 float single = kind == 0u ? float(unit) : kind == 1u ? {half} : {single}(bits.x);\n    \
                 return kind == 3u ? {double}(bits) : double(single);\n}}\n"
            ));
        }
        Ok(name)
    }

    /// The function that reads a component that is an integer, at a byte.
    fn component_of_integer(&mut self, words: &str) -> Text {
        let base = words.trim_end_matches('_').to_string();
        let (name, new) = self.made_name(&format!("integer of {words}"), &format!("{base}_integer"));
        if new {
            let (bits, long) = (self.component_bits(words)?, (self.language.scalar)(Scalar::I64));
            self.note_scalar(Scalar::U64, false)?;
            let two = self.shader_ty(&Ty::Vector { shape: vec![2], elem: Scalar::U32 }, false)?;
            let signed = self.converted("int(bits.x << last) >> int(last)", Scalar::I32, Scalar::I64)?;
            let unsigned = self.converted("bits.x", Scalar::U32, Scalar::I64)?;
            let whole = match self.is_words(Scalar::U64) {
                true => "bits".to_string(),
                false => format!("{long}({})", (self.shader()?.syntax.joined)("bits.x", "bits.y")),
            };
            self.shading.reaches.push(format!(
                "{long} {name}(uint at) {{\n    {two} bits = {bits}(at);\n    uint kind = {words}[7] >> 8;\n    \
                 uint last = kind == 4u ? 24u : kind == 5u ? 16u : 0u;\n    \
                 {long} number = kind < 8u ? {signed} : {unsigned};\n    \
                 return (kind & 3u) == 3u ? {whole} : number;\n}}\n"
            ));
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
        let (word, part) = (self.shader_ty(value, false)?, self.shader_ty(&Ty::Scalar(scalar), false)?);
        let (write, new) = self.made_name(&format!("write {words} {part}"), &format!("{base}_write_{part}"));
        if new {
            self.instance("round_away", Scalar::F64, Scalar::F64)?;
            self.instance("is_nan", Scalar::F64, Scalar::F64)?;
            self.note_scalar(Scalar::F16, false)?;
            let scalars = [Scalar::F16, Scalar::F32, Scalar::F64, Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64];
            let mut stores = Vec::new();
            for scalar in scalars {
                stores.push((scalar, self.store_bytes(words, &Ty::Scalar(scalar), true)?));
            }
            let long = (self.language.scalar)(Scalar::I64);
            let integer = match scalar.is_float() {
                true => self.long_of_double("whole")?,
                false => self.converted("value", scalar, Scalar::I64)?,
            };
            let whole = self.converted("value", scalar, Scalar::F64)?;
            let (zero, rounded) = (self.integer_literal(0, Scalar::I64).0, self.long_of_double("round_away(unit)")?);
            let s = (self.language.suffix)(Scalar::F64);
            let unit = format!("(whole < 0.0{s} ? 0.0{s} : whole > 1.0{s} ? 1.0{s} : whole) * 255.0{s}");
            let of = |p: &mut Self, k: usize, value: &str| {
                let from = if k < 3 { Scalar::F64 } else { Scalar::I64 };
                Ok::<_, Diagnostic>(format!("{}(at, {})", stores[k].1, p.converted(value, from, stores[k].0)?))
            };
            let mut text = format!(
                "void {write}(uint at, {part} value) {{\n    precise double whole = {whole};\n    {long} number = {integer};\n    \
                 precise double unit = {unit};\n    uint kind = {words}[7] >> 8, bytes = {bytes}();\n    \
                 if (kind == 0u) number = is_nan(whole) ? {zero} : {rounded};\n"
            );
            for (k, kind) in [(0, 1), (1, 2), (2, 3)] {
                text += &format!("    if (kind == {kind}u) {{ {}; return; }}\n", of(self, k, "whole")?);
            }
            for (k, count) in [(3, 1), (4, 2), (5, 4)] {
                text += &format!("    if (bytes == {count}u) {{ {}; return; }}\n", of(self, k, "number")?);
            }
            text += &format!("    {};\n}}\n", of(self, 6, "number")?);
            self.shading.reaches.push(text);
        }
        let (store, new) = self.made_name(&format!("texel store {words} {word}"), &format!("{base}_store_{word}"));
        if new {
            let count = value.len().unwrap_or(1) as usize;
            let zero = self.shader_zero(&Ty::Scalar(scalar), false)?;
            let mut body = format!("    if (at_texel == {NOWHERE}) return;\n    uint rest = {words}[7] & 255u;\n");
            for k in 0..4 {
                let part = if k < count { self.part_text("value", value, k) } else { zero.clone() };
                body += &format!("    if (rest > {k}u) {write}(at_texel + {k}u * {bytes}(), {part});\n");
            }
            self.shading.reaches.push(format!("void {store}(uint at_texel, {word} value) {{\n{body}}}\n"));
        }
        Ok(store)
    }
}
