//! A bound on the size of generic arguments. Code that needs itself with arguments of twice the
//! size would fill the memory long before its instances nest too deeply.

use super::types::{GArg, TyKind};
use super::*;
use caustic_ir::codes;

/// The most types in the arguments of an instance.
pub(crate) const MAX_ARGUMENT_TYPES: u32 = 4096;

impl Checker<'_> {
    /// The number of types in generic arguments, counted up to the limit.
    pub(crate) fn types_in_args(&self, args: &[GArg]) -> u32 {
        let mut left = MAX_ARGUMENT_TYPES + 1;
        args.iter().for_each(|a| self.count_types(*a, &mut left));
        MAX_ARGUMENT_TYPES + 1 - left
    }

    fn count_types(&self, arg: GArg, left: &mut u32) {
        let GArg::Ty(ty) = arg else { return };
        *left = left.saturating_sub(1);
        match ty.kind() {
            _ if *left == 0 => {}
            TyKind::Struct(id) => *left = left.saturating_sub(self.structs[id.0 as usize].argument_types),
            TyKind::Array(t, _)
            | TyKind::ArrayOf(t, _)
            | TyKind::Uniform(t, _)
            | TyKind::Pair(t)
            | TyKind::Buffer { elem: t, .. } => self.count_types(GArg::Ty(*t), left),
            TyKind::Pack(list) => list.iter().for_each(|a| self.count_types(*a, left)),
            TyKind::Interface(i) => i.args.iter().for_each(|a| self.count_types(*a, left)),
            _ => {}
        }
    }

    /// Reports an instance whose arguments are too large. Returns whether they are.
    pub(crate) fn has_too_large_arguments(&mut self, name: Name, args: &[GArg], span: Span) -> bool {
        if self.types_in_args(args) <= MAX_ARGUMENT_TYPES {
            return false;
        }
        let text = format!("the generic arguments of an instance of `{name}` are too large");
        let note = format!("they name more than {MAX_ARGUMENT_TYPES} types: it needs itself with ever larger ones");
        self.error(codes::E0231, span, text).notes.push(note);
        true
    }
}
