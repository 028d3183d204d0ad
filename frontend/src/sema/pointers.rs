//! Differentiable pointer types. Such a type stands for a place, and derivative functions take a
//! pair of that place and the place of its derivative (`IDifferentiablePtrType`,
//! `DifferentialPtrPair`; seeds: user guide, "Differentiable Ptr types").

use super::types::{InterfaceRef, TyKind};
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// The differential of a differentiable pointer type; `None` for other types.
    pub(crate) fn pointer_differential(&mut self, ty: Ty) -> Option<Ty> {
        let id = self.pointer_interface?;
        let may_be = matches!(
            ty.kind(),
            TyKind::Struct(_) | TyKind::Param(_) | TyKind::Assoc { .. } | TyKind::Buffer { .. } | TyKind::Resource(_)
        );
        let interface = InterfaceRef { id, args: Args::none() };
        (may_be && self.conforms(ty, interface)).then(|| self.assoc(ty, interface, Name::new("Differential")))
    }

    /// The type of a pointer parameter in a derivative function; `None` for other types.
    pub(crate) fn pointer_pair(&mut self, ty: Ty) -> Option<Ty> {
        self.pointer_differential(ty)?;
        Some(self.prelude_type("DifferentialPtrPair", ty))
    }

    /// `T.Differential`, if it is not an ordinary member.
    pub(crate) fn differential_member(&mut self, ty: Ty, span: Span) -> Option<Ty> {
        if let Some(d) = self.differential(ty) {
            return Some(d);
        }
        if !self.type_members(ty, Name::new("Differential")).is_empty() {
            return None;
        }
        Some(self.differential_or_error(ty, span))
    }

    /// Checks that a differentiable function neither changes such a pointer nor returns one.
    pub(crate) fn check_pointers(&mut self, f: FuncId) {
        if self.pointer_interface.is_none() {
            return;
        }
        let info = &self.funcs[f.0 as usize];
        if !info.is_differentiable() {
            return;
        }
        let (params, ret, at) = (info.params.clone(), info.ret, info.decl.name().map_or(info.decl.span, |n| n.span));
        let returned = (ret, at, "return");
        let changed = params.iter().filter(|p| p.dir != Dir::In && !p.no_diff).map(|p| (p.ty, p.span, "change"));
        for (ty, span, verb) in changed.chain([returned]) {
            if self.pointer_differential(ty).is_some() {
                let shown = self.show(ty);
                let text = format!("a differentiable function cannot {verb} a differentiable pointer (`{shown}`)");
                self.error(codes::E0315, span, text)
                    .notes
                    .push("such pointers can only be `in` parameters".to_string());
            }
        }
    }
}
