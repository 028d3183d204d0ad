//! Which types memory holds as C lays them out in a language that aligns its vectors by their
//! sizes. A buffer of others is words in the text.

use super::super::Printer;
use super::super::place::ir_size;
use crate::types::Ty;
use caustic_dialects::agg::{StructType, as_buffer, is_byte_view};
use caustic_dialects::reflect::resource_type;
use caustic_runtime::layout::struct_layout;

impl Printer<'_> {
    /// Finds the buffers that are words.
    pub(super) fn note_words(&mut self) {
        if self.language.shader.is_none_or(|s| s.syntax.memory.scalar) {
            return;
        }
        for param in &self.module.interface.params {
            let ty = self.module.ir.get(param.symbol).and_then(resource_type);
            let Some((elem, _)) = ty.filter(|ty| !is_byte_view(*ty)).and_then(as_buffer) else { continue };
            if !Ty::of(elem, false).is_some_and(|ty| self.is_laid_out(&ty)) {
                self.shading.worded.insert(param.symbol);
            }
        }
    }

    /// Whether elements of a buffer are laid out as C lays them out.
    fn is_laid_out(&self, ty: &Ty) -> bool {
        self.alignment(ty).zip(ir_size(ty)).is_some_and(|(align, size)| size % align == 0)
    }

    /// The alignment of a type in the language, if all in it is where C has it.
    fn alignment(&self, ty: &Ty) -> Option<u64> {
        match ty {
            Ty::Scalar(scalar) => (scalar.size() >= 4).then_some(scalar.size() as u64),
            Ty::Vector { shape, elem } if self.is_native(ty) => {
                let size = u64::from(*shape.first()?) * elem.size() as u64;
                (elem.size() >= 4).then_some(size.next_power_of_two())
            }
            Ty::Vector { .. } | Ty::Array(..) => {
                let part = self.module.signs.part(ty, -1)?;
                self.is_laid_out(&part).then(|| self.alignment(&part))?
            }
            Ty::Struct(of) => {
                let fields: Vec<_> = StructType(*of).fields().map(|f| f.ty).collect();
                let (_, offsets) = struct_layout(&fields)?;
                let (mut most, mut end) = (4, 0);
                for (index, offset) in offsets.into_iter().enumerate() {
                    let field = self.module.signs.field(*of, index)?;
                    let align = self.alignment(&field)?;
                    // One compiler knows no alignment but that of words.
                    if offset % align != 0 || offset != end {
                        return None;
                    }
                    end += ir_size(&field)?;
                    most = most.max(align);
                }
                (ir_size(ty)? == end && end % most == 0).then_some(most)
            }
            Ty::Tape(_) | Ty::Handle(_) => None,
        }
    }
}
