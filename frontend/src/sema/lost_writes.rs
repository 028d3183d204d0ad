//! Warns about calls of which a part of what they write is lost: two arguments that are the same
//! place, and methods that change a copy.

use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// Warns about two arguments of a call that are written to and are the same place, or a place
    /// and a part of it.
    pub(super) fn check_aliases(&mut self, params: &[Param], args: &[Expr]) {
        if self.cx.in_prelude {
            return;
        }
        let written: Vec<(&Param, &Expr)> = params.iter().zip(args).filter(|(p, _)| p.dir != Dir::In).collect();
        for (i, (second, b)) in written.iter().enumerate() {
            let same = |(_, a): &&(&Param, &Expr)| self.is_within(a, b) || self.is_within(b, a);
            let Some((first, a)) = written[..i].iter().find(same) else { continue };
            let (name, at) = (first.name, self.loc(a.span));
            let text = format!("`{}` and `{name}` are the same place here: what one of them gets is lost", second.name);
            self.warn(codes::W0250, b.span, text).labels.push((at, format!("passed as `{name}`")));
            return;
        }
    }

    /// Whether a place is another one or a part of it, as far as that is known.
    fn is_within(&self, place: &Expr, of: &Expr) -> bool {
        self.is_same_place(place, of)
            || match &place.kind {
                ExprKind::Field { base, .. }
                | ExprKind::Index { base, .. }
                | ExprKind::Swizzle { base, .. }
                | ExprKind::PairPart { base, .. } => self.is_within(base, of),
                _ => false,
            }
    }

    fn is_same_place(&self, a: &Expr, b: &Expr) -> bool {
        match (&a.kind, &b.kind) {
            (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
            (ExprKind::Static { id: a, .. }, ExprKind::Static { id: b, .. }) => a == b,
            (ExprKind::Field { base: a, index: i }, ExprKind::Field { base: b, index: k }) => {
                i == k && self.is_same_place(a, b)
            }
            (ExprKind::Index { base: a, index: i }, ExprKind::Index { base: b, index: k }) => {
                let same = matches!((&i.kind, &k.kind), (ExprKind::Local(i), ExprKind::Local(k)) if i == k);
                let known = self.fold(i).filter(|i| self.fold(k) == Some(*i)).is_some();
                (same || known) && self.is_same_place(a, b)
            }
            (ExprKind::Swizzle { base: a, comps: i }, ExprKind::Swizzle { base: b, comps: k }) => {
                i.iter().any(|c| k.contains(c)) && self.is_same_place(a, b)
            }
            _ => false,
        }
    }

    /// Warns about a method of the program that changes a parameter which is a copy, or an element
    /// of one.
    pub(super) fn check_changed_copy(&mut self, method: FuncId, object: &Expr, named: Span) {
        let Some(local) = element_of(object) else { return };
        let of = &self.cx.locals[local.0 as usize];
        let is_copy = of.param.is_some() && self.cx.this != Some(local) && !self.cx.of_caller.contains(&local);
        let info = &self.funcs[method.0 as usize];
        // A requirement may change nothing of its object.
        let is_required = matches!(info.owner, Some(Owner::Interface(_)));
        if !is_copy || self.cx.in_prelude || info.is_prelude || is_required {
            return;
        }
        let (name, method, declared) = (of.name, info.name, self.loc(of.span));
        let text = format!("`{method}` changes `{name}`, which is a copy: the caller sees nothing of it");
        let d = self.warn(codes::W0251, named, text);
        d.labels.push((declared, "a parameter without `inout`".to_string()));
        d.notes.push(format!("pass it `inout`, or change a variable: `var mine = {name};`"));
    }
}

/// The variable that a place is an element of, or all of.
fn element_of(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(l) => Some(*l),
        ExprKind::Index { base, .. } => element_of(base),
        _ => None,
    }
}
