//! Numbers of 8 and 16 bits that are held by wider ones, where a language has none: an integer by
//! one of 32 bits with its value, a half by a float. No arithmetic on them comes here
//! (`legalize-small`), or each result is cut (`emulated.rs`); what is converted to one is cut or
//! rounded.

use super::super::{Printer, Text};
use crate::lang::syntax::Small;
use crate::types::{Ty, is_integer};
use caustic_dialects::reflect::Scalar;
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
}
