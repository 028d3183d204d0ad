//! Checks operators and conversions on types that depend on generic parameters. An operation is
//! allowed if the bound allows it for every member of its set; which operation it becomes is
//! decided when the arguments are known.

use super::bounds::TypeSet;
use super::types::{Scalar, TyKind, Val};
use super::*;
use ast::{BinOp, UnOp};
use caustic_ir::codes;

/// The shape of a type. A parameter counts as one part, whatever it stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    One,
    Vector(Val),
    Matrix(Val, Val),
}

impl Form {
    fn of(ty: Ty) -> Option<Form> {
        Some(match ty.kind() {
            TyKind::Scalar(_) | TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. } => Form::One,
            TyKind::Vector(_, n) => Form::Vector(Val::int(*n as i64)),
            TyKind::VectorOf(_, n) => Form::Vector(*n),
            TyKind::Matrix(_, r, c) => Form::Matrix(Val::int(*r as i64), Val::int(*c as i64)),
            TyKind::MatrixOf(_, r, c) => Form::Matrix(*r, *c),
            _ => return None,
        })
    }
    fn over(self, element: Ty) -> Ty {
        match self {
            Form::One => element,
            Form::Vector(n) => Ty::vector_of(element, n),
            Form::Matrix(r, c) => Ty::matrix_of(element, r, c),
        }
    }
}

/// The type of an operator's operands together: both have one element type, and a single value is
/// spread.
fn meet(a: Ty, b: Ty) -> Option<Ty> {
    let (x, y) = (a.element()?, b.element()?);
    let element = match (x.as_scalar(), y.as_scalar()) {
        _ if x == y => x,
        (Some(s), Some(t)) => Ty::scalar(ops::join_scalars(s, t)),
        _ => return None,
    };
    let form = match (Form::of(a)?, Form::of(b)?) {
        (f, g) if f == g => f,
        (Form::One, f) | (f, Form::One) => f,
        _ => return None,
    };
    Some(form.over(element))
}

impl Checker<'_> {
    /// Reports a type that an operator does not take.
    fn refuse_operand(&mut self, op: &str, types: &[Ty], span: Span) -> Expr {
        let shown: Vec<String> = types.iter().map(|t| format!("`{}`", self.show(*t))).collect();
        let bound = types
            .iter()
            .find(|t| matches!(t.kind(), TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. }))
            .copied();
        let name = bound.map(|t| self.show(t));
        let d = self.error(codes::E0212, span, format!("`{op}` does not take {}", shown.join(" and ")));
        if let Some(name) = name {
            d.notes.push(format!("`{name}` can do what its bounds say; convert with `{name}(…)`"));
        }
        Expr::error(span)
    }

    pub(crate) fn abstract_binary(&mut self, op: BinOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let (a, b) = (lhs.ty, rhs.ty);
        if a == b && self.is_any_enum(a) && (op.is_comparison() || op.is_bitwise()) {
            let ty = if op.is_comparison() { Ty::bool() } else { a };
            return Expr { ty, span, kind: ExprKind::Binary { op, lhs: lhs.into(), rhs: rhs.into() } };
        }
        if op.is_shift() && meet(a, b).is_none() && self.is_shift(a, b) {
            return Expr { ty: a, span, kind: ExprKind::Binary { op, lhs: lhs.into(), rhs: rhs.into() } };
        }
        let Some(ty) = meet(a, b) else { return self.refuse_operand(op.text(), &[a, b], span) };
        let allowed = self.element_set(ty).is_some_and(|set| match op {
            _ if op.is_comparison() => true,
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => set.only_numbers(),
            _ => set.no_floats(),
        });
        if !allowed {
            return self.refuse_operand(op.text(), &[a, b], span);
        }
        let (lhs, rhs) = (self.convert(lhs, ty), self.convert(rhs, ty));
        let result = match Form::of(ty) {
            Some(form) if op.is_comparison() => form.over(Ty::bool()),
            _ => ty,
        };
        Expr { ty: result, span, kind: ExprKind::Binary { op, lhs: lhs.into(), rhs: rhs.into() } }
    }

    /// Whether the first can be shifted by the second: both are integers of the same form, possibly
    /// of different types.
    fn is_shift(&mut self, value: Ty, count: Ty) -> bool {
        let same = Form::of(value).is_some_and(|form| Form::of(count) == Some(form));
        same && [value, count]
            .into_iter()
            .all(|ty| self.element_set(ty).is_some_and(|set| set.only_ints() && set.only_scalars()))
    }

    pub(crate) fn abstract_unary(&mut self, op: UnOp, arg: Expr, span: Span) -> Expr {
        let ty = arg.ty;
        let set = self.element_set(ty);
        let allowed = |test: fn(TypeSet) -> bool| set.is_some_and(test);
        let op = match op {
            UnOp::Plus if allowed(TypeSet::only_numbers) => return arg,
            UnOp::Neg if allowed(TypeSet::only_numbers) => UnaryOp::Neg,
            UnOp::BitNot if allowed(TypeSet::no_floats) || self.is_any_enum(ty) => UnaryOp::BitNot,
            UnOp::Not if ty.element() == Some(Ty::bool()) => UnaryOp::Not,
            UnOp::Not if self.is_any_enum(ty) => {
                let arg = self.coerce(arg, Ty::bool());
                return Expr { ty: Ty::bool(), span, kind: ExprKind::Unary { op: UnaryOp::Not, arg: arg.into() } };
            }
            _ => {
                return self.refuse_operand(operators::unary_text(op), &[ty], span);
            }
        };
        Expr { ty, span, kind: ExprKind::Unary { op, arg: arg.into() } }
    }

    /// Returns the type in which `place op= value` is computed, or `None` after it reported why
    /// there is none.
    pub(crate) fn abstract_compound(&mut self, op: BinOp, place: Ty, value: Ty, span: Span) -> Option<Ty> {
        let set = self.element_set(place);
        let allowed = set.is_some_and(|s| match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => s.only_numbers(),
            _ => s.no_floats(),
        });
        if !allowed || meet(place, value) != Some(place) {
            self.refuse_operand(&format!("{}=", op.text()), &[place, value], span);
            return None;
        }
        Some(place)
    }

    /// The cost of an implicit conversion: a single value is spread over a vector, and elements
    /// convert as builtin types do. `None` if there is no such conversion.
    pub(crate) fn abstract_cost(&mut self, from: Ty, to: Ty) -> Option<convert::Cost> {
        const BY_CONSTRAINT: convert::Cost = 100;
        if self.facts_of(to).made_from.contains(&(from, true)) {
            return Some(BY_CONSTRAINT);
        }
        let (x, y) = (from.element()?, to.element()?);
        let element = match (x.as_scalar(), y.as_scalar()) {
            _ if x == y => 0,
            (Some(s), Some(t)) => convert::scalar_cost(s, t),
            _ => return None,
        };
        match (Form::of(from)?, Form::of(to)?) {
            (f, g) if f == g => Some(element),
            (Form::One, _) => Some(element + 2),
            _ => None,
        }
    }

    /// `T(x)` and `(T)x`, if the bounds say that both types are numbers.
    pub(crate) fn abstract_cast(&mut self, e: Expr, to: Ty, span: Span) -> Option<Expr> {
        if self.facts_of(to).made_from.iter().any(|(t, _)| *t == e.ty) {
            return Some(Expr { ty: to, span, kind: ExprKind::ConvertAny(e.into()) });
        }
        // An enum converts as its integer type, like the cast of a known enum.
        let number = match (self.is_any_enum(e.ty), self.is_any_enum(to)) {
            (true, false) => Some(to),
            (false, true) => Some(e.ty),
            _ => None,
        };
        if let Some(number) = number {
            let fits = Form::of(number) == Some(Form::One) && self.element_set(number).is_some();
            return fits.then(|| Expr { ty: to, span, kind: ExprKind::ConvertAny(e.into()) });
        }
        if self.element_set(e.ty).is_none() || self.element_set(to).is_none() {
            return None;
        }
        let fits = match (Form::of(e.ty)?, Form::of(to)?) {
            (f, g) if f == g => true,
            (Form::One, _) => true,
            // A parameter may stand for a vector.
            (_, Form::One) => !self.element_set(to).is_some_and(TypeSet::only_scalars),
            _ => false,
        };
        fits.then(|| Expr { ty: to, span, kind: ExprKind::ConvertAny(e.into()) })
    }

    /// `T(a, b, …)` for a type that depends on generic parameters.
    pub(crate) fn abstract_construct(&mut self, ty: Ty, mut args: Vec<Expr>, span: Span) -> Expr {
        let members = match ty.kind() {
            TyKind::VectorOf(..) | TyKind::MatrixOf(..) => Vec::new(),
            _ => self.type_members(ty, Name::new("__init")),
        };
        if !members.is_empty() {
            let name = ast::Ident { name: Name::new("__init"), span };
            let group =
                expr::Group { name, members, this: None, through_type: true, explicit: None, modes: Vec::new(), span };
            return self.call_group(group, args, span);
        }
        if args.len() == 1 {
            let arg = args.remove(0);
            return self.cast(arg, ty, span);
        }
        let (element, count) = match ty.kind() {
            TyKind::VectorOf(t, n) => (*t, n.as_int()),
            TyKind::MatrixOf(t, r, c) => (*t, r.as_int().zip(c.as_int()).map(|(r, c)| r * c)),
            TyKind::ArrayOf(t, n) => (*t, n.as_int()),
            _ => {
                let shown = self.show(ty);
                self.error(codes::E0203, span, format!("a `{shown}` cannot be constructed from these values"));
                return Expr::error(span);
            }
        };
        let mut parts = Vec::with_capacity(args.len());
        let mut have = 0;
        for a in args {
            let part = match a.ty.kind() {
                TyKind::Vector(_, n) => Ty::vector_of(element, Val::int(*n as i64)),
                TyKind::VectorOf(_, n) => Ty::vector_of(element, *n),
                _ => element,
            };
            have += match Form::of(part) {
                Some(Form::Vector(n)) => n.as_int().unwrap_or(0),
                _ => 1,
            };
            let span = a.span;
            parts.push(if a.ty == part { a } else { self.cast(a, part, span) });
        }
        if count != Some(have) {
            let shown = self.show(ty);
            self.error(codes::E0204, span, format!("{have} components do not make a `{shown}`"));
            return Expr::error(span);
        }
        Expr { ty, span, kind: ExprKind::Construct(parts) }
    }

    /// `{ … }` for a vector or a matrix whose size is not known: its numbers become elements now,
    /// and the arguments of the instance decide which constructor takes them.
    pub(crate) fn list_for_abstract_vector(&mut self, mut parts: Vec<Expr>, element: Ty, to: Ty, span: Span) -> Expr {
        for part in &mut parts {
            let has_parts = matches!(Form::of(part.ty), Some(Form::Vector(_) | Form::Matrix(..)));
            if !has_parts && !matches!(part.kind, ExprKind::InitList(_)) {
                *part = self.coerce(part.clone(), element);
            }
        }
        let list = Expr { ty: Ty::new(TyKind::InitList), span, kind: ExprKind::InitList(parts) };
        Expr { ty: to, span, kind: ExprKind::ConvertAny(list.into()) }
    }

    /// Converts a condition whose type depends on generic parameters to `bool`.
    pub(crate) fn abstract_condition(&mut self, e: Expr) -> Option<Expr> {
        let one = matches!(Form::of(e.ty), Some(Form::One));
        let scalar = self.element_set(e.ty).is_some_and(TypeSet::only_scalars);
        let span = e.span;
        (one && scalar).then(|| Expr { ty: Ty::scalar(Scalar::Bool), span, kind: ExprKind::ConvertAny(e.into()) })
    }
}
