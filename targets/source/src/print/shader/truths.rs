//! Truth values in memory of a shader: numbers of which all but 0 hold. A value that is copied as
//! a whole is written with 0 and 1.

use super::super::{Printer, Text};
use crate::tree::{Place, Root};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;

impl Printer<'_> {
    /// A value of memory's type that is written to a place.
    pub(super) fn written_truths(&mut self, place: &Place, text: String, ty: &Ty) -> Text {
        let Root::Element { buffer, .. } = &place.root else { return Ok(text) };
        let shared = buffer.resource().is_some_and(|name| self.is_shared(name));
        let aggregate = matches!(ty, Ty::Struct(_) | Ty::Array(..));
        if shared || !aggregate || self.truth_scalar() == Scalar::Bool || !self.has_truths(ty) {
            return Ok(text);
        }
        let word = self.shader_ty(ty, true)?;
        let wanted = format!("truths_{}", self.word_of_ty(ty, true)?);
        let (name, new) = self.made_name(&format!("truths {word}"), &wanted);
        if new {
            let mut lines = Vec::new();
            self.set_to_truths("value", ty, 0, &mut lines)?;
            let body: String = lines.iter().map(|line| format!("\n    {line}")).collect();
            let body = format!("{body}\n    return value;\n");
            let text = self.made_function(Some(&word), &name, &[(&word, "value")], &body);
            self.shading.made.push(text);
        }
        Ok(format!("{name}({text})"))
    }

    fn set_to_truths(&mut self, path: &str, ty: &Ty, depth: usize, out: &mut Vec<String>) -> Result<(), Diagnostic> {
        match ty {
            _ if !self.has_truths(ty) => {}
            Ty::Scalar(_) => {
                let word = self.word(self.truth_scalar());
                let one = (self.statements().choose)(&format!("{path} != {word}(0)"), "1", "0");
                out.push(format!("{path} = {word}({one});"));
            }
            Ty::Struct(of) => {
                for index in 0..StructType(*of).num_fields() {
                    let field = self.field_ty(*of, index)?;
                    let name = self.field_name(*of, index)?;
                    self.set_to_truths(&format!("{path}.{name}"), &field, depth, out)?;
                }
            }
            Ty::Array(count, elem) => {
                let (counter, mut inner) = (format!("i{depth}"), Vec::new());
                let item = self.item(path, ty, &counter);
                self.set_to_truths(&item, elem, depth + 1, &mut inner)?;
                let inner = if inner.len() == 1 { inner.concat() } else { format!("{{ {} }}", inner.join(" ")) };
                out.push((self.statements().repeat)(&counter, &format!("{count}u"), &inner));
            }
            _ => {
                let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
                for k in 0..ty.len().unwrap_or(0) {
                    let path = self.part_text(path, ty, k as usize);
                    self.set_to_truths(&path, &part, depth, out)?;
                }
            }
        }
        Ok(())
    }
}
