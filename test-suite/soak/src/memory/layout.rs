//! The layout of memory that the command line documents: C's layout, with vectors as arrays of
//! their numbers.

use super::tree::{Program, Ty};

/// The size of a pointer.
pub const POINTER: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    pub size: usize,
    pub align: usize,
}

impl Program {
    pub fn layout(&self, ty: &Ty) -> Layout {
        match ty {
            Ty::Num(n) => Layout { size: n.size(), align: n.size() },
            Ty::Vec(n, count) => Layout { size: n.size() * count, align: n.size() },
            Ty::Array(elem, count) => {
                let elem = self.layout(elem);
                Layout { size: elem.size * count, align: elem.align }
            }
            Ty::Ptr(_) => Layout { size: POINTER, align: POINTER },
            Ty::Struct(s) => {
                let (mut size, mut align) = (0usize, 1);
                for field in self.fields(*s) {
                    let field = self.layout(field);
                    size = size.next_multiple_of(field.align) + field.size;
                    align = align.max(field.align);
                }
                Layout { size: size.next_multiple_of(align), align }
            }
        }
    }

    /// The offset of a field in a struct.
    pub fn field_offset(&self, s: usize, field: usize) -> usize {
        let mut at = 0usize;
        for (n, ty) in self.fields(s).iter().enumerate() {
            let layout = self.layout(ty);
            at = at.next_multiple_of(layout.align);
            if n == field {
                break;
            }
            at += layout.size;
        }
        at
    }

    /// The numbers and pointers of a type, with their offsets from `at` on.
    pub fn leaves(&self, ty: &Ty, at: usize, out: &mut Vec<(usize, Ty)>) {
        match ty {
            Ty::Num(_) | Ty::Ptr(_) => out.push((at, ty.clone())),
            Ty::Vec(n, count) => out.extend((0..*count).map(|i| (at + i * n.size(), Ty::Num(*n)))),
            Ty::Array(elem, count) => {
                let stride = self.layout(elem).size;
                (0..*count).for_each(|i| self.leaves(elem, at + i * stride, out));
            }
            Ty::Struct(s) => {
                for (n, field) in self.fields(*s).iter().enumerate() {
                    self.leaves(field, at + self.field_offset(*s, n), out);
                }
            }
        }
    }
}
