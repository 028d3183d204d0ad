//! How large types are. Generic code that asks for itself with larger and larger arguments ends
//! here, before the types get too large to be printed or walked.

use caustic_ir::{Attr, AttrKind, Type, TypeKind};
use rustc_hash::FxHashMap;

/// Parts that the arguments of one instance may have when written out, and how deep they may be
/// nested.
const MAX_PARTS: u32 = 4096;
const MAX_DEPTH: u32 = 64;

#[derive(Clone, Copy, Default)]
struct Size {
    parts: u32,
    depth: u32,
}

impl Size {
    fn with(self, other: Size) -> Size {
        Size { parts: self.parts.saturating_add(other.parts), depth: self.depth.max(other.depth) }
    }
    fn around(self) -> Size {
        Size { parts: self.parts.saturating_add(1), depth: self.depth.saturating_add(1) }
    }
}

/// The sizes of the types met so far.
#[derive(Default)]
pub struct Sizes {
    known: FxHashMap<Type, Size>,
}

impl Sizes {
    /// Whether arguments are of a size that a program can have.
    pub fn admit(&mut self, args: &[Attr]) -> bool {
        let size = args.iter().fold(Size::default(), |sum, &a| sum.with(self.attr(a)));
        size.parts <= MAX_PARTS && size.depth <= MAX_DEPTH
    }

    fn attr(&mut self, attr: Attr) -> Size {
        match attr.kind() {
            AttrKind::Type(ty) => self.ty(*ty),
            AttrKind::Array(items) => items.iter().fold(Size::default(), |sum, &a| sum.with(self.attr(a))),
            AttrKind::Dict(items) => items.iter().fold(Size::default(), |sum, &(_, a)| sum.with(self.attr(a))),
            _ => Size { parts: 1, depth: 0 },
        }
    }

    fn ty(&mut self, ty: Type) -> Size {
        if let Some(&size) = self.known.get(&ty) {
            return size;
        }
        let inside = match ty.kind() {
            TypeKind::Dialect { params, .. } => params.iter().fold(Size::default(), |sum, &p| sum.with(self.attr(p))),
            TypeKind::Function { inputs, results } => {
                inputs.iter().chain(results).fold(Size::default(), |sum, &t| sum.with(self.ty(t)))
            }
            _ => Size::default(),
        };
        let size = inside.around();
        self.known.insert(ty, size);
        size
    }
}
