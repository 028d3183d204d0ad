//! Bytes of padding that are fields in the text: what writes a struct to a resource leaves them
//! alone, as they belong to nobody.

use super::super::{Printer, Text};
use crate::tree::{Place, Root};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_ir::Diagnostic;

impl Printer<'_> {
    /// Whether a type has fields in the text that are padding.
    pub(super) fn is_padded(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(of) => {
                let mut fields = (0..StructType(*of).num_fields()).filter_map(|k| self.module.signs.field(*of, k));
                self.padding(*of).is_some() || fields.any(|field| self.is_padded(&field))
            }
            Ty::Array(_, elem) => self.is_padded(elem),
            _ => false,
        }
    }

    /// The statement that writes a value to a place, `at` in the resource `root`.
    pub(super) fn write(&mut self, place: &Place, (root, at): (&str, &str), value: &str, ty: &Ty) -> Text {
        let Root::Element { buffer, .. } = &place.root else { return Ok(self.stored(root, at, value)) };
        let shared = buffer.resource().is_some_and(|name| self.is_shared(name));
        if shared || !self.is_padded(ty) {
            return Ok(self.stored(root, at, value));
        }
        let named = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let (mut lines, mut from) = (Vec::new(), value.to_string());
        if !named {
            from = self.function_name("made");
            lines.push((self.statements().constant)(&self.shader_ty(ty, true)?, &from, value));
        }
        self.write_fields((root, at), &from, ty, 0, &mut lines)?;
        Ok(format!("{{ {} }}", lines.join(" ")))
    }

    fn write_fields(
        &mut self,
        (root, at): (&str, &str),
        from: &str,
        ty: &Ty,
        depth: usize,
        out: &mut Vec<String>,
    ) -> Result<(), Diagnostic> {
        match ty {
            Ty::Struct(of) if self.is_padded(ty) => {
                for index in 0..StructType(*of).num_fields() {
                    let field = self.field_ty(*of, index)?;
                    if !field.is_empty() {
                        let name = self.field_name(*of, index)?;
                        let (at, from) = (format!("{at}.{name}"), format!("{from}.{name}"));
                        self.write_fields((root, &at), &from, &field, depth, out)?;
                    }
                }
            }
            Ty::Array(count, elem) if self.is_padded(ty) => {
                let (counter, mut inner) = (format!("i{depth}"), Vec::new());
                let (at, from) = (self.item(at, ty, &counter), self.item(from, ty, &counter));
                self.write_fields((root, &at), &from, elem, depth + 1, &mut inner)?;
                let inner = format!("{{ {} }}", inner.join(" "));
                out.push((self.statements().repeat)(&counter, &format!("{count}u"), &inner));
            }
            _ => out.push(self.stored(root, at, from)),
        }
        Ok(())
    }
}
