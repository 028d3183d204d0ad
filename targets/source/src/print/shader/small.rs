//! Numbers of 8 and 16 bits that are held by wider ones, where a language has none: an integer by
//! one of 32 bits with its value, a half by a float. No arithmetic on them comes here
//! (`legalize-small`), or each result of an op is cut; what is converted to one is cut or rounded.

use super::super::expr::{Bound, atom};
use super::super::{Printer, Text};
use crate::lang::syntax::Small;
use crate::ops::Row;
use crate::types::{Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use caustic_dialects::{arith, math};
use caustic_ir::Diagnostic;

impl Printer<'_> {
    /// Whether a scalar is held by a wider one.
    pub(super) fn is_held(&self, scalar: Scalar) -> bool {
        let small = scalar != Scalar::Bool && scalar.size() < 4;
        small && self.language.shader.is_some_and(|s| s.syntax.small != Small::Native)
    }

    /// A wider number as a small one.
    pub(super) fn cut(&mut self, text: &str, to: Scalar) -> Text {
        if !self.is_held(to) {
            return Ok(text.to_string());
        }
        if self.in_words() && is_integer(to) {
            return Ok(format!("extractBits({text}, 0u, {}u)", 8 * to.size()));
        }
        let id = match to {
            Scalar::I8 => "cut_i8",
            Scalar::U8 => "cut_u8",
            Scalar::I16 => "cut_i16",
            Scalar::U16 => "cut_u16",
            _ => "to_half",
        };
        self.instance(id, to, to)?;
        let word = (self.language.scalar)(to);
        Ok(if self.in_words() { format!("{id}({text})") } else { format!("{id}({word}({text}))") })
    }

    /// A double as a half, rounded once.
    pub(super) fn half_of_double(&mut self, text: &str) -> Text {
        self.instance("half_of_double", Scalar::F32, Scalar::F32)?;
        Ok(format!("to_half({text})"))
    }

    /// What the bits of a small number are as another type.
    pub(super) fn held_bits(&mut self, text: &str, from: Scalar, to: Scalar) -> Text {
        let shader = self.shader()?;
        let bits = match (shader.bits_as)(from, Scalar::U16).filter(|_| from == Scalar::F16) {
            Some(function) => format!("{function}({text})"),
            None => text.to_string(),
        };
        match (shader.bits_as)(Scalar::U16, to).filter(|_| to == Scalar::F16) {
            Some(function) => Ok(format!("{function}(uint({bits}))")),
            None => self.cut(&bits, to),
        }
    }

    /// A word for a type in keys and names of functions that read and write memory: types may be
    /// held by the same one.
    pub(super) fn word_in_memory(&mut self, ty: &Ty) -> Result<(String, String), Diagnostic> {
        let (mut key, mut name) = (self.shader_ty(ty, false)?, self.word_of_ty(ty, false)?);
        let mut inner = ty;
        while let Ty::Array(_, elem) = inner {
            inner = elem;
        }
        if let Some(scalar) = inner.scalar().filter(|s| self.is_held(*s)) {
            key += scalar.name();
            name = format!("{name}_{}", scalar.name());
        }
        Ok((key, name))
    }

    /// Whether values of a type are cut after each operation.
    pub(super) fn is_cut(&self, ty: &Ty) -> bool {
        let cuts = self.language.shader.is_some_and(|s| s.syntax.small == Small::Cut);
        cuts && ty.scalar().is_some_and(|s| self.is_held(s))
    }

    /// The result of an operation as a value of its type.
    pub(super) fn cut_to(&mut self, text: Bound, ty: &Ty) -> Result<Bound, Diagnostic> {
        if !self.is_cut(ty) {
            return Ok(text);
        }
        let scalar = ty.scalar().ok_or_else(|| self.internal("no scalar"))?;
        if self.is_native(ty) && scalar != Scalar::F16 {
            return Ok(atom(self.cut(&text.0, scalar)?));
        }
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| Ok(atom(p.cut(&texts[0], scalar)?));
        let name = format!("cut_{}{}", if scalar.is_float() { "half" } else { "" }, 8 * scalar.size());
        self.lifted_call(&name, &[(text.0, ty.clone())], ty, &mut one)
    }

    /// Whether an op gives a value of its type where its operands are such.
    pub(super) fn keeps(row: &Row) -> bool {
        let kept = [
            arith::NegF::NAME,
            math::AbsF::NAME,
            arith::AndI::NAME,
            arith::OrI::NAME,
            arith::XOrI::NAME,
            arith::MinNumF::NAME,
            arith::MaxNumF::NAME,
            arith::MinimumF::NAME,
            arith::MaximumF::NAME,
            arith::MinSI::NAME,
            arith::MaxSI::NAME,
            arith::MinUI::NAME,
            arith::MaxUI::NAME,
        ];
        kept.contains(&row.op.name)
    }

    /// Bits of a half as an integer, or the other way around.
    pub(super) fn half_bits(&mut self, text: &str, from: Scalar, to: Scalar) -> Text {
        if from == Scalar::F16 {
            self.instance("half_bits", Scalar::F32, Scalar::F32)?;
            let bits = format!("half_bits({text})");
            return Ok(if to == Scalar::I16 { format!("extractBits(i32({bits}), 0u, 16u)") } else { bits });
        }
        self.instance("float_of_half", Scalar::F32, Scalar::F32)?;
        Ok(format!("float_of_half(u32({text}) & 0xffffu)"))
    }
}
