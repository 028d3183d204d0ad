//! Parts of packs: `__first`, `__last`, `__trimFirst` and `__trimLast` of a list of types or of a
//! value of pack type.
//!
//! Each part is again a list; `__first(P)` is the `each` of the list that has only the first
//! element. So one form of type, [`TyKind::Part`], represents all parts of a list that is not known
//! yet, and the facts about the list hold for the elements of the part.

use super::expr::Res;
use super::generics::Subst;
use super::types::{Args, GArg, PackPart, ParamId, TyKind};
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// The part of a list.
    pub(crate) fn part_of(&mut self, list: Ty, part: PackPart) -> Ty {
        match list.kind() {
            TyKind::Pack(all) => {
                let open = |a: &GArg| matches!(a, GArg::Ty(t) if self.is_pack(*t));
                let near = match part {
                    PackPart::First | PackPart::TrimFirst => all.first(),
                    PackPart::Last | PackPart::TrimLast => all.last(),
                };
                match near {
                    Some(a) if open(a) => Ty::new(TyKind::Part(list, part)),
                    _ => Ty::new(TyKind::Pack(Args::new(part.take(all).to_vec()))),
                }
            }
            TyKind::Expand(pattern, of) if let Some(p) = self.parameter_of(*of) => {
                let of = self.part_of(*of, part);
                let mut s = Subst::default();
                s.set(p, GArg::Ty(of));
                let pattern = self.subst(*pattern, &s);
                self.expand_type(pattern, of)
            }
            TyKind::Error => list,
            _ => Ty::new(TyKind::Part(list, part)),
        }
    }

    fn parameter_of(&self, list: Ty) -> Option<ParamId> {
        match list.kind() {
            TyKind::Param(p) => Some(*p),
            _ => None,
        }
    }

    /// The type of the only element of a list with one element.
    fn single(&mut self, list: Ty) -> Ty {
        match list.kind() {
            TyKind::Pack(all) => match all.as_ref() {
                [GArg::Ty(t)] => *t,
                _ => Ty::error(),
            },
            _ => self.element_of(list),
        }
    }

    /// Whether the list has an element, whatever its unknown parts become.
    fn never_empty(&mut self, list: Ty) -> bool {
        match list.kind() {
            TyKind::Pack(all) => all.iter().any(|a| match a {
                GArg::Ty(t) if self.is_pack(*t) => self.never_empty(*t),
                _ => true,
            }),
            TyKind::Expand(_, of) => self.never_empty(*of),
            TyKind::Param(_) if self.full_packs.contains(&list) => true,
            TyKind::Param(_) => {
                let mut at = self.namespaces[self.current_ns().0 as usize].gens;
                while let Some(g) = at {
                    self.ensure_generics(g);
                    let generics = &self.generics[g.0 as usize];
                    at = generics.outer;
                    let says = |c: &generics::Constraint| match c.bound {
                        bounds::Bound::NonEmpty => true,
                        bounds::Bound::Counts(n) => n.as_int().is_some_and(|n| n > 0),
                        _ => false,
                    };
                    if generics.constraints.iter().any(|c| c.ty == list && says(c)) {
                        return true;
                    }
                }
                false
            }
            TyKind::Part(_, part) => part.is_single(),
            _ => true,
        }
    }

    /// `__first(P)` and the like as a type: one element, or a list without one. `None` if the
    /// argument is no type.
    pub(crate) fn pack_part_type(&mut self, name: ast::Ident, args: &[ast::Expr], span: Span) -> Option<Ty> {
        if name.name == *"__packBranch" {
            return Some(self.pack_branch(args, span));
        }
        let part = PackPart::named(&name.name)?;
        let [of] = args else {
            self.error(codes::E0204, span, format!("`{}` takes one pack", name.name));
            return Some(Ty::error());
        };
        let list = self.try_type(of)?;
        let list = self.tuple_pack(list).unwrap_or(list);
        if !self.has_part(list, part, name, span) {
            return Some(Ty::error());
        }
        let found = self.part_of(list, part);
        Some(if part.is_single() { self.single(found) } else { found })
    }

    /// `__packBranch(P, A, B)`: `A` if the list has no elements, and otherwise `B`. While the list is
    /// not known, it is the first element of a `B` for each element of the list, and then an `A`.
    fn pack_branch(&mut self, args: &[ast::Expr], span: Span) -> Ty {
        let [of, empty, full] = args else {
            self.error(codes::E0204, span, "`__packBranch` takes a pack and two types");
            return Ty::error();
        };
        let list = self.resolve_type(of);
        let empty = self.resolve_type(empty);
        // In the other branch, the list has an element.
        self.full_packs.push(list);
        let full = self.resolve_type(full);
        self.full_packs.pop();
        if [list, empty, full].iter().any(|t| t.is_error()) {
            return Ty::error();
        }
        if !self.is_pack(list) {
            let shown = self.show(list);
            self.error(codes::E0265, of.span, format!("`__packBranch` takes a pack, this is `{shown}`"));
            return Ty::error();
        }
        match list.kind() {
            TyKind::Pack(all) if all.is_empty() => empty,
            _ if self.never_empty(list) => full,
            _ => {
                let choices = vec![GArg::Ty(Ty::new(TyKind::Expand(full, list))), GArg::Ty(empty)];
                let first = self.part_of(Ty::new(TyKind::Pack(Args::new(choices))), PackPart::First);
                self.single(first)
            }
        }
    }

    fn has_part(&mut self, list: Ty, part: PackPart, name: ast::Ident, span: Span) -> bool {
        if list.is_error() {
            return false;
        }
        let text = if !self.is_pack(list) {
            let shown = self.show(list);
            format!("`{}` takes a pack, this is `{shown}`", name.name)
        } else if part.is_single() && !self.never_empty(list) {
            format!("`{}` is taken of a pack that may be empty", name.name)
        } else {
            return true;
        };
        let d = self.error(codes::E0265, span, text);
        d.notes.push(
            "a generic parameter `each T` is a pack; `where nonempty(T)` says that it has an element".to_string(),
        );
        false
    }

    /// Checks a call of one of the four.
    pub(crate) fn check_pack_part(&mut self, name: ast::Ident, args: &[ast::Expr], span: Span) -> Res {
        let (Some(part), [of]) = (PackPart::named(&name.name), args) else {
            self.error(codes::E0204, span, format!("`{}` takes one pack", name.name));
            return Res::Val(Expr::error(span));
        };
        let value = match self.resolve(of) {
            Res::Ty(_) => {
                let found = self.pack_part_type(name, args, span);
                return Res::Ty(found.unwrap_or(Ty::error()));
            }
            found => self.value_of(found, of.span),
        };
        let list = self.tuple_pack(value.ty).unwrap_or(value.ty);
        if !self.has_part(list, part, name, of.span) {
            return Res::Val(Expr::error(span));
        }
        let found = self.part_of(list, part);
        let ty = if part.is_single() { self.single(found) } else { found };
        Res::Val(Expr { ty, span, kind: ExprKind::PackPart { value: value.into(), part } })
    }

    /// Replaces the part of a value of pack type, once the value is a tuple.
    pub(crate) fn part_of_value(&mut self, e: &mut Expr) {
        let ExprKind::PackPart { value, part } = &mut e.kind else { return };
        let (part, value) = (*part, std::mem::replace(&mut **value, Expr::error(e.span)));
        let mut all = Vec::new();
        self.splice(value, &mut all);
        let mut taken = part.take(&all).to_vec();
        match part.is_single() {
            true => match taken.pop() {
                Some(one) => *e = one,
                None => e.kind = ExprKind::Zero,
            },
            false => {
                let list = self.make_pack(taken.iter().map(|p| p.ty));
                e.ty = self.tuple_type(list);
                e.kind = ExprKind::Construct(taken);
            }
        }
    }
}
