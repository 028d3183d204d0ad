//! Equalities: what `where T == U` makes of types in the declaration that states it.
//!
//! Such a clause replaces one of the two types by the other. In a body the replacement is complete
//! ([`Checker::settled`]): each type that the body names, and the type of each value in it, is the
//! type that the clause gives, so that members, operators, overloads and conversions are those of
//! that type. The signature keeps the parameters as written, because inference finds their
//! arguments by them, and the clause is then checked for these arguments. Nothing is inferred from
//! an equality, as in slangc.

use super::bounds::{Bound, Facts};
use super::generics::Subst;
use super::types::{GArg, InterfaceRef, ParamId, TyKind};
use super::*;

impl Checker<'_> {
    /// Records that two types are equal inside of the declaration that states it.
    pub(crate) fn assume_equal(&mut self, ty: Ty, other: Ty) {
        let (ty, other) = (self.canonical(ty), self.canonical(other));
        // A dependent type is replaced by the other one, unless that contains it: `T == T.A`
        // replaces `T.A`.
        let replaceable = |c: &Self, from: Ty, to: Ty| c.is_dependent(from) && !c.is_made_of(to, from);
        let (from, to) = match () {
            () if replaceable(self, ty, other) => (ty, other),
            () if replaceable(self, other, ty) => (other, ty),
            () => return,
        };
        self.equal.insert(from, to);
        if self.is_dependent(to) {
            let both = self.facts_of_equal(from, to);
            self.facts.insert(to, both);
        }
    }

    /// The parameters in force inside of a declaration that equal other types, with these types;
    /// `None` if no clause states an equality.
    pub(crate) fn equalities_of(&mut self, gens: Option<GenId>) -> Option<Rc<Subst>> {
        if self.equal.is_empty() {
            return None;
        }
        let (mut found, mut at) = (false, gens);
        while let Some(g) = at {
            let info = &self.generics[g.0 as usize];
            found |= info.constraints.iter().any(|c| matches!(c.bound, Bound::Equals(_)));
            at = info.outer;
        }
        let mut s = Subst::default();
        for p in self.all_params(gens).into_iter().filter(|_| found) {
            let own = Ty::new(TyKind::Param(p));
            let same = self.canonical(own);
            if same != own {
                s.set(p, GArg::Ty(same));
            }
        }
        found.then(|| s.into())
    }

    /// Adds what clauses make of a declaration's own parameters to the arguments of those around
    /// it.
    pub(crate) fn set_equal(&mut self, own: &[ParamId], s: &mut Subst) {
        for p in own {
            let param = Ty::new(TyKind::Param(*p));
            let same = self.canonical(param);
            if same != param {
                let same = self.subst(same, s);
                s.set(*p, GArg::Ty(same));
            }
        }
    }

    /// What a type is in the body that is being checked.
    pub(crate) fn settled(&mut self, mut ty: Ty) -> Ty {
        let Some(s) = self.cx.equal.clone() else { return ty };
        // What replaces a parameter may mention others. No clause is circular, so this ends.
        for _ in 0..generics::MAX_INSTANCE_DEPTH {
            let next = self.subst(ty, &s);
            let next = self.canonical(next);
            if next == ty {
                break;
            }
            ty = next;
        }
        ty
    }

    /// The facts about a type that equals another one: those about either.
    pub(crate) fn facts_of_equal(&mut self, ty: Ty, same: Ty) -> Rc<Facts> {
        let mut facts = match self.facts.get(&same) {
            Some(known) => (**known).clone(),
            None => (*self.facts_of(same)).clone(),
        };
        if let Some(own) = self.facts.get(&ty).cloned() {
            facts.builtin = match (facts.builtin, own.builtin) {
                (Some(a), Some(b)) => Some(a.and(b)),
                (a, b) => a.or(b),
            };
            facts.differentiable |= own.differentiable;
            facts.accumulable |= own.accumulable;
            facts.has_default |= own.has_default;
            facts.opaque |= own.opaque;
            facts.made_from.extend(own.made_from.iter().copied());
            let more = own.interfaces.iter().filter(|i| !facts.interfaces.contains(i)).copied();
            let more: Vec<InterfaceRef> = more.collect();
            facts.interfaces.extend(more);
        }
        Rc::new(facts)
    }

    /// Whether a type is `other`, or contains it directly or through equality constraints.
    fn is_made_of(&self, ty: Ty, other: Ty) -> bool {
        let of = |t: Ty| self.is_made_of(t, other);
        if ty == other {
            return true;
        }
        if let Some(next) = self.equal.get(&ty) {
            return of(*next);
        }
        match ty.kind() {
            TyKind::VectorOf(t, _) | TyKind::MatrixOf(t, ..) | TyKind::ArrayOf(t, _) | TyKind::Array(t, _) => of(*t),
            TyKind::Pair(t) | TyKind::Each(t) | TyKind::Part(t, _) | TyKind::Assoc { base: t, .. } => of(*t),
            TyKind::Expand(pattern, list) => of(*pattern) || of(*list),
            TyKind::Pack(list) => packs::types_in(list).any(of),
            TyKind::Struct(id) => match &self.structs[id.0 as usize].instance_of {
                Some((_, args)) => packs::types_in(args).any(of),
                None => false,
            },
            _ => false,
        }
    }

    /// The type that equality constraints replace a type by, also within vectors, matrices and
    /// arrays. This terminates because [`Checker::assume_equal`] accepts no circular constraint.
    pub(crate) fn canonical(&self, ty: Ty) -> Ty {
        if self.equal.is_empty() {
            return ty;
        }
        if let Some(next) = self.equal.get(&ty) {
            return self.canonical(*next);
        }
        match *ty.kind() {
            TyKind::VectorOf(t, n) => Ty::vector_of(self.canonical(t), n),
            TyKind::MatrixOf(t, r, c) => Ty::matrix_of(self.canonical(t), r, c),
            TyKind::ArrayOf(t, n) => Ty::array_of(self.canonical(t), n),
            TyKind::Array(t, n) => Ty::array(self.canonical(t), n),
            _ => ty,
        }
    }
}
