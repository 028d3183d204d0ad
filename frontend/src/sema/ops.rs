//! Operators: the common type of two operands, and the operand and result types of each operator.

use super::types::{Scalar, Shape, TyKind};
use super::*;
use ast::{BinOp, UnOp};
use caustic_ir::codes;

/// The common type of two scalars: float before integer, the wider before the narrower, unsigned
/// before signed.
pub(crate) fn join_scalars(a: Scalar, b: Scalar) -> Scalar {
    use Scalar::*;
    match (a.is_float(), b.is_float()) {
        (true, false) => return a,
        (false, true) => return b,
        (true, true) => return if a.bits() >= b.bits() { a } else { b },
        _ => {}
    }
    match (a, b) {
        (Bool, x) | (x, Bool) => x,
        _ if a.bits() != b.bits() => {
            if a.bits() > b.bits() {
                a
            } else {
                b
            }
        }
        _ if a.is_unsigned() => a,
        _ => b,
    }
}

/// Whether generic inference keeps a `bool` that it has found when a float follows.
pub(crate) fn keeps_bool(found: Ty, next: Ty) -> bool {
    found.element_scalar() == Some(Scalar::Bool)
        && found.shape() == next.shape()
        && next.element_scalar().is_some_and(Scalar::is_float)
}

/// The common type of two builtin types; a scalar is spread over a vector or a matrix.
pub(crate) fn join(a: Ty, b: Ty) -> Option<Ty> {
    if a == b {
        return Some(a);
    }
    let s = join_scalars(a.element_scalar()?, b.element_scalar()?);
    let shape = match (a.shape(), b.shape()) {
        (x, y) if x == y => x,
        (Shape::Scalar, y) => y,
        (x, Shape::Scalar) => x,
        (Shape::Vector(1), y @ Shape::Vector(_)) => y,
        (x @ Shape::Vector(_), Shape::Vector(1)) => x,
        (Shape::Vector(1), y @ Shape::Matrix(..)) => y,
        (x @ Shape::Matrix(..), Shape::Vector(1)) => x,
        _ => return None,
    };
    Some(shape.of(s))
}

impl Checker<'_> {
    pub(crate) fn check_binary(&mut self, op: BinOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        if lhs.ty.is_error() || rhs.ty.is_error() {
            return Expr::error(span);
        }
        let (lhs, rhs) = (self.read_uniform(lhs), self.read_uniform(rhs));
        if let Some(compared) = self.compare_none(op, &lhs, &rhs, span) {
            return compared;
        }
        if let Some(done) = self.pointer_binary(op, &lhs, &rhs, span) {
            return done;
        }
        if let Some(compared) = self.handle_binary(op, &lhs, &rhs, span) {
            return compared;
        }
        if let Some(compared) = self.compare_tuples(op, &lhs, &rhs, span) {
            return compared;
        }
        if let Some(done) = self.overloaded_binary(op, &lhs, &rhs, span) {
            return done;
        }
        if let (TyKind::Enum(_), _) | (_, TyKind::Enum(_)) = (lhs.ty.kind(), rhs.ty.kind()) {
            return self.enum_binary(op, lhs, rhs, span);
        }
        if lhs.ty.is_abstract() || rhs.ty.is_abstract() {
            return self.abstract_binary(op, lhs, rhs, span);
        }
        let (lhs, rhs) = self.as_builtin_operands(op, lhs, rhs);
        let Some((op_ty, result)) = self.binary_types(op, &lhs, &rhs, span) else { return Expr::error(span) };
        if op.is_logical() && op_ty.as_scalar().is_some() {
            let (lhs, rhs) = (self.convert(lhs, Ty::bool()), self.convert(rhs, Ty::bool()));
            let and = op == BinOp::LogAnd;
            return Expr { ty: result, span, kind: ExprKind::Logical { and, lhs: lhs.into(), rhs: rhs.into() } };
        }
        let (l, r) = if op.is_shift() {
            self.check_shift_count(op_ty, &rhs);
            let count = op_ty.with_scalar(rhs.ty.element_scalar().unwrap_or(Scalar::I32));
            (self.convert(lhs, op_ty), self.convert(rhs, count))
        } else {
            if let (ExprKind::Const(_), _) | (_, ExprKind::Const(_)) = (&lhs.kind, &rhs.kind) {
            } else {
                self.warn_meeting(&lhs, op_ty);
                self.warn_meeting(&rhs, op_ty);
            }
            (self.convert(lhs, op_ty), self.convert(rhs, op_ty))
        };
        if matches!(op, BinOp::Div | BinOp::Rem)
            && op_ty.as_scalar().is_some_and(|s| s.is_int())
            && self.fold(&r) == Some(Const::Int(0))
        {
            self.error(codes::E0240, span, "division of an integer by zero");
            return Expr::error(span);
        }
        let kind = ExprKind::Binary { op, lhs: l.into(), rhs: r.into() };
        if op.is_logical() {
            return self.convert(Expr { ty: op_ty, span, kind }, result);
        }
        Expr { ty: result, span, kind }
    }

    /// Warns about an operand that loses precision in the common type: a 64-bit integer with a
    /// `half`.
    fn warn_meeting(&mut self, e: &Expr, to: Ty) {
        if let (Some(f), Some(t)) = (e.ty.element_scalar(), to.element_scalar())
            && f.is_int()
            && t == Scalar::F16
            && f.bits() > 16
            && !self.cx.in_prelude
        {
            let (from, into) = (self.show(e.ty), self.show(to));
            self.warn(codes::W0211, e.span, format!("implicit conversion from `{from}` to `{into}` may lose data"));
        }
    }

    /// Reads a `ConstantBuffer<T>` as a `T`.
    pub(crate) fn read_uniform(&mut self, e: Expr) -> Expr {
        match e.ty.kind() {
            TyKind::Uniform(t, _) => Expr { ty: t.as_value(), ..e },
            _ => e,
        }
    }

    /// The type to which both operands convert, and the type of the result; `None` after it
    /// reported why there are none.
    pub(crate) fn binary_types(&mut self, op: BinOp, lhs: &Expr, rhs: &Expr, span: Span) -> Option<(Ty, Ty)> {
        let (a, b) = (lhs.ty, rhs.ty);
        let joined = join(a, b);
        let refuse = |c: &mut Self, note: Option<String>| {
            let (sa, sb) = (c.show(a), c.show(b));
            let d = c.error(codes::E0212, span, format!("`{}` does not take `{sa}` and `{sb}`", op.text()));
            d.notes.extend(note);
            None
        };
        let Some(joined) = joined else {
            let note = match (a.shape(), b.shape()) {
                (Shape::Vector(n), Shape::Vector(m)) if a.is_arith() && b.is_arith() => {
                    Some(format!("take the first components with `.{}`", &"xyzw"[..n.min(m) as usize]))
                }
                (Shape::Matrix(..), _) | (_, Shape::Matrix(..)) if op == BinOp::Mul => {
                    Some("`mul` multiplies matrices and vectors".to_string())
                }
                _ => None,
            };
            return refuse(self, note);
        };
        let Some(mut s) = joined.element_scalar() else { return refuse(self, None) };
        if op.is_logical() {
            // Of two scalars the second may not be evaluated, and the result is a bool.
            let ty = joined.with_scalar(Scalar::Bool);
            let result = if s.is_int() && joined.as_scalar().is_none() { joined } else { ty };
            return Some((ty, result));
        }
        let equality = matches!(op, BinOp::Eq | BinOp::Ne);
        // Bools become numbers, except where bools themselves can be compared or combined.
        if s == Scalar::Bool && !equality && !op.is_bitwise() {
            s = Scalar::I32;
        }
        if op.is_shift() {
            let left = match a.element_scalar() {
                Some(Scalar::Bool) => Scalar::I32,
                Some(l) => l,
                None => return refuse(self, None),
            };
            let right_float = b.element_scalar().is_some_and(Scalar::is_float);
            if left.is_float() || right_float {
                return refuse(self, Some("bits are shifted in integers only".to_string()));
            }
            let ty = joined.with_scalar(left);
            return Some((ty, ty));
        }
        if op.is_bitwise() && s.is_float() {
            return refuse(self, Some("bits are combined in integers only".to_string()));
        }
        let ty = joined.with_scalar(s);
        let result = if op.is_comparison() { ty.with_scalar(Scalar::Bool) } else { ty };
        Some((ty, result))
    }

    pub(crate) fn check_unary(&mut self, op: UnOp, arg: Expr, span: Span) -> Expr {
        if op == UnOp::AddrOf {
            return self.check_address_of(&arg, span);
        }
        let arg = self.read_uniform(arg);
        if op == UnOp::Deref
            && let Some(place) = self.followed(&arg, span)
        {
            return place;
        }
        // Following the handle of a resource gives the resource.
        if op == UnOp::Deref && (arg.ty.is_resource() || matches!(arg.ty.kind(), TyKind::Uniform(..))) {
            return Expr { span, ..arg };
        }
        if op == UnOp::Not && self.pointee(arg.ty).is_some() {
            let set = self.is_set(arg);
            return Expr { ty: Ty::bool(), span, kind: ExprKind::Unary { op: UnaryOp::Not, arg: set.into() } };
        }
        if let Some(done) = self.overloaded_unary(op, &arg, span) {
            return done;
        }
        if let TyKind::Enum(_) = arg.ty.kind() {
            return self.enum_unary(op, arg, span);
        }
        if arg.ty.is_abstract() {
            return self.abstract_unary(op, arg, span);
        }
        let arg = self.as_builtin(arg, |t| match (op, t.element_scalar()) {
            (UnOp::Plus | UnOp::Neg, Some(s)) => s != Scalar::Bool,
            (UnOp::Not, Some(s)) => s == Scalar::Bool,
            (UnOp::BitNot, Some(s)) => !s.is_float(),
            _ => false,
        });
        let Some(s) = arg.ty.element_scalar() else {
            if !arg.ty.is_error() {
                let shown = self.show(arg.ty);
                let text = operators::unary_text(op);
                // `p->x` is read as `(*p).x`.
                if op == UnOp::Deref && span == arg.span {
                    self.error(codes::E0212, span, format!("`->` is for pointers, and this is `{shown}`"))
                        .notes
                        .push("the members of a value stand behind a point: `a.b`".to_string());
                    return Expr::error(span);
                }
                self.error(codes::E0212, span, format!("`{text}` does not take `{shown}`"));
            }
            return Expr::error(span);
        };
        let (op, ty) = match op {
            UnOp::Plus | UnOp::Neg => {
                let ty = if s == Scalar::Bool { arg.ty.with_scalar(Scalar::I32) } else { arg.ty };
                let arg = self.convert(arg, ty);
                if op == UnOp::Plus {
                    return arg;
                }
                // A negated literal is a literal.
                if let ExprKind::Const(c) = &arg.kind {
                    let value = match c {
                        Const::Int(i) => {
                            Const::Int(consts::wrap(i.wrapping_neg(), ty.as_scalar().unwrap_or(Scalar::I64)))
                        }
                        Const::Float(f) => Const::Float(-f),
                        Const::Bool(b) => Const::Bool(*b),
                    };
                    return Expr { ty, span, kind: ExprKind::Const(value) };
                }
                return Expr { ty, span, kind: ExprKind::Unary { op: UnaryOp::Neg, arg: arg.into() } };
            }
            UnOp::Not => {
                // Of an integer this is an integer of its type, 0 or 1; of all else it is a bool.
                let (truth, result) = (arg.ty.with_scalar(Scalar::Bool), arg.ty);
                let arg = self.convert(arg, truth);
                let not = Expr { ty: truth, span, kind: ExprKind::Unary { op: UnaryOp::Not, arg: arg.into() } };
                return if s.is_int() { self.convert(not, result) } else { not };
            }
            UnOp::BitNot => {
                if s.is_float() {
                    let shown = self.show(arg.ty);
                    self.error(codes::E0212, span, format!("`~` does not take `{shown}`"));
                    return Expr::error(span);
                }
                // So is one whose bits are turned.
                if let (ExprKind::Const(Const::Int(i)), Some(s)) = (&arg.kind, arg.ty.as_scalar()) {
                    return Expr { ty: arg.ty, span, kind: ExprKind::Const(Const::Int(consts::wrap(!i, s))) };
                }
                (if s == Scalar::Bool { UnaryOp::Not } else { UnaryOp::BitNot }, arg.ty)
            }
            UnOp::Deref | UnOp::AddrOf => {
                let shown = self.show(arg.ty);
                self.error(codes::E0212, span, format!("`*` follows pointers, this is `{shown}`"));
                return Expr::error(span);
            }
        };
        let arg = self.convert(arg, ty);
        Expr { ty, span, kind: ExprKind::Unary { op, arg: arg.into() } }
    }

    pub(crate) fn check_ternary(&mut self, cond: Expr, then: Expr, other: Expr, span: Span) -> Expr {
        if cond.ty.is_error() || then.ty.is_error() || other.ty.is_error() {
            return Expr::error(span);
        }
        let (then, other) = (self.read_uniform(then), self.read_uniform(other));
        let ty = if then.ty == other.ty {
            Some(then.ty)
        } else if let Some(t) = join(then.ty, other.ty) {
            Some(t)
        } else if self.conversion_cost(&other, then.ty).is_some() {
            Some(then.ty)
        } else if self.conversion_cost(&then, other.ty).is_some() {
            Some(other.ty)
        } else {
            None
        };
        let Some(ty) = ty.filter(|t| *t != Ty::new(TyKind::InitList) && !t.is_void()) else {
            let (a, b) = (self.show(then.ty), self.show(other.ty));
            let second = other.span;
            let one_line = line_of(self.loc(second)) == line_of(self.loc(span));
            let span = if one_line { span } else { second };
            self.error(codes::E0212, span, format!("the sides of `?:` are `{a}` and `{b}`"));
            return Expr::error(span);
        };
        if let TyKind::VectorOf(..) | TyKind::MatrixOf(..) = cond.ty.kind() {
            // A vector of conditions selects by component.
            let (then, other) = (self.convert(then, ty), self.convert(other, ty));
            let kind = ExprKind::Select { cond: cond.into(), then: then.into(), other: other.into() };
            return Expr { ty, span, kind };
        }
        let shape = cond.ty.shape();
        if !matches!(shape, Shape::Scalar | Shape::Vector(1)) {
            // A vector of conditions selects by component, and both sides are evaluated.
            let ty = match (ty.shape(), ty.element_scalar()) {
                (Shape::Scalar, Some(s)) => shape.of(s),
                _ => ty,
            };
            if ty.shape() != shape {
                let (c, t) = (self.show(cond.ty), self.show(ty));
                self.error(codes::E0212, span, format!("a condition of type `{c}` cannot choose between `{t}`s"));
                return Expr::error(span);
            }
            let cond = self.convert(cond, shape.of(Scalar::Bool));
            let (then, other) = (self.convert(then, ty), self.convert(other, ty));
            let kind = ExprKind::Select { cond: cond.into(), then: then.into(), other: other.into() };
            return Expr { ty, span, kind };
        }
        let cond = self.condition(cond);
        let (then, other) = (self.convert(then, ty), self.convert(other, ty));
        Expr { ty, span, kind: ExprKind::Ternary { cond: cond.into(), then: then.into(), other: other.into() } }
    }
}
