//! Pointers to what lies in no memory: variables that carry derivatives, what a caller passed as
//! `inout`, fields of the object of a `[mutating]` method. Such an address is no number. A pointer
//! that is made of one and only followed is another name for the place, which derivatives pass
//! through like through the place itself; all else that is done with it is refused.

use super::types::TyKind;
use super::*;
use crate::lower::private::FOLLOWED_ADDRESS;

impl Checker<'_> {
    /// A pointer to `place`, if that lies in no memory.
    pub(super) fn followed_pointer(&mut self, place: &Expr, span: Span) -> Option<Expr> {
        let local = root(place)?;
        if !self.carries_derivative(local) && !self.cx.of_caller.contains(&local) {
            return None;
        }
        let ty = self.pointer_type(place.ty.as_value());
        let op = Name::new(FOLLOWED_ADDRESS);
        let kind = ExprKind::Intrinsic { op, args: vec![place.clone()] };
        Some(self.pointer(Expr { ty: Ty::scalar(types::Scalar::U64), span, kind }, ty))
    }

    /// Whether derivatives flow through a variable, or through a part of it: what lies in memory
    /// has none.
    pub(super) fn carries_derivative(&mut self, local: LocalId) -> bool {
        let ty = self.cx.locals.get(local.0 as usize).map(|l| l.ty.as_value());
        self.cx.differentiable && ty.is_some_and(|ty| self.is_differentiable_type(ty))
    }

    /// Where such a pointer leads.
    pub(super) fn followed_place(&self, pointer: &Expr) -> Option<Expr> {
        let ExprKind::Construct(parts) = &pointer.kind else { return None };
        match parts.as_slice() {
            [Expr { kind: ExprKind::Intrinsic { op, args }, .. }] if *op == *FOLLOWED_ADDRESS => args.first().cloned(),
            _ => None,
        }
    }

    /// The pointer `name` is declared as another name for where its initializer leads, if that lies
    /// in no memory. What its indices are is decided now.
    pub(super) fn name_place(
        &mut self,
        name: Name,
        init: Option<&Expr>,
        declared: Option<Ty>,
        out: &mut Vec<Stmt>,
    ) -> bool {
        let Some(pointer) = init.filter(|p| declared.is_none_or(|t| t == p.ty)) else { return false };
        let Some(mut place) = self.followed_place(pointer) else { return false };
        self.before(out);
        self.hold_indices(&mut place, out);
        let Some(pointer) = self.followed_pointer(&place, pointer.span) else { return false };
        self.declare_pointer(name, pointer);
        true
    }

    fn hold_indices(&mut self, place: &mut Expr, out: &mut Vec<Stmt>) {
        match &mut place.kind {
            ExprKind::Field { base, .. } | ExprKind::Swizzle { base, .. } => self.hold_indices(base, out),
            ExprKind::Index { base, index } => {
                self.hold_indices(base, out);
                if self.fold(index).is_some() {
                    return;
                }
                let (ty, span) = (index.ty, index.span);
                let local = self.hidden_local(ty, span);
                let held = Expr { ty, span, kind: ExprKind::Local(local) };
                let init = Some(std::mem::replace(&mut **index, held));
                out.push(Stmt { span, kind: StmtKind::Var { local, init } });
            }
            _ => {}
        }
    }
}

/// The variable that a place is a part of.
fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Field { base, .. } => root(base),
        ExprKind::Index { base, .. } if matches!(base.ty.kind(), TyKind::Array(..)) || base.ty.is_arith() => root(base),
        ExprKind::Swizzle { base, comps } if comps.len() == 1 => root(base),
        _ => None,
    }
}
