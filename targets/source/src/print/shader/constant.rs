//! Constants of tables, in the types that they have in a text.

use super::super::tables::{braces, number};
use super::super::{Printer, Text};
use crate::lang::syntax::Values;
use crate::tree::{Constant, Literal};
use crate::types::Ty;

impl Printer<'_> {
    /// A constant that may be stored as in memory.
    pub(in super::super) fn shader_constant(&mut self, ty: &Ty, value: &Constant, stored: bool) -> Text {
        if let Ty::Scalar(scalar) = ty {
            let scalar = self.stored_scalar(*scalar, stored);
            return Ok(match number(value, scalar) {
                Literal::Bool(value) => value.to_string(),
                Literal::Int(value) => self.integer_literal(value, scalar).0,
                Literal::Float(value) => self.float_literal(value, scalar)?.0,
            });
        }
        let inside = self.stores(ty, stored);
        let mut texts = Vec::new();
        for (ty, value) in self.parts_of_constant(ty, value)? {
            texts.push(self.shader_constant(&ty, &value, inside)?);
        }
        if let Ty::Struct(of) = ty {
            if let Some(padding) = self.padding_field(*of)? {
                texts.push(self.shader_zero(&padding, true)?);
            }
            if texts.is_empty() && !self.shader()?.syntax.empty_structs {
                texts.push("0u".to_string());
            }
        }
        let native = self.is_native(ty);
        match self.shader()?.syntax.values {
            Values::Made if !native => Ok(braces(&texts, matches!(ty, Ty::Struct(_)))),
            _ => self.construct(ty, stored, &texts),
        }
    }
}
