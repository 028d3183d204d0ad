//! Pointers to places that are not in memory: variables that carry derivatives, variables of the
//! caller that were passed as `inout`, and fields of the object of a `[mutating]` method. The
//! address of such a place is not a number. A pointer that is made from one and is only followed is
//! another name of the place, and derivatives pass through it as through the place itself. Every
//! other use is refused.

use super::types::TyKind;
use super::*;
use crate::lower::private::FOLLOWED_ADDRESS;

impl Checker<'_> {
    /// A pointer to `place`, if the place is not in memory.
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

    /// Whether a variable or a part of it carries derivatives. Memory carries none.
    pub(super) fn carries_derivative(&mut self, local: LocalId) -> bool {
        let ty = self.cx.locals.get(local.0 as usize).map(|l| l.ty.as_value());
        self.cx.differentiable && ty.is_some_and(|ty| self.is_differentiable_type(ty))
    }

    /// The place that such a pointer names.
    pub(super) fn followed_place(&self, pointer: &Expr) -> Option<Expr> {
        let ExprKind::Construct(parts) = &pointer.kind else { return None };
        match parts.as_slice() {
            [Expr { kind: ExprKind::Intrinsic { op, args }, .. }] if *op == *FOLLOWED_ADDRESS => args.first().cloned(),
            _ => None,
        }
    }

    /// Declares the pointer `name` as another name of the place that its initializer points to, if
    /// that is not in memory. The indices are evaluated now.
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
