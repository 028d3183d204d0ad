//! Explicit conversions: `T(x)` and `(T)x`.

use super::types::{Shape, TyKind};
use super::*;

impl Checker<'_> {
    /// An explicit conversion.
    pub(crate) fn cast(&mut self, e: Expr, ty: Ty, span: Span) -> Expr {
        if e.ty.is_error() || ty.is_error() {
            return Expr { ty, span, kind: ExprKind::Error };
        }
        // The cast states that the value is not used.
        if ty.is_void() {
            return Expr { ty, span, kind: ExprKind::Comma(vec![e]) };
        }
        if self.conversion_cost(&e, ty).is_some() {
            let e = self.convert(e, ty);
            let e = self.resource_of_handle(e);
            return Expr { span, ..e };
        }
        // The argument of a constructor of the builtin type is converted to what that takes.
        let e = match ty.is_arith() {
            true => self.as_builtin(e, |t| t.shape() == Shape::Scalar || t.shape() == ty.shape()),
            false => e,
        };
        if e.ty.is_arith() && self.conversion_cost(&e, ty).is_some() {
            let e = self.convert(e, ty);
            return Expr { span, ..e };
        }
        if let Some(done) = self.pointer_cast(&e, ty) {
            return Expr { span, ..done };
        }
        if let Some(done) = self.enum_cast(e.clone(), ty) {
            return done;
        }
        if (e.ty.is_abstract() || ty.is_abstract())
            && let Some(done) = self.abstract_cast(e.clone(), ty, span)
        {
            return done;
        }
        match (e.ty.shape(), ty.shape()) {
            (Shape::Scalar, Shape::Matrix(..)) if e.ty.is_arith() && ty.is_arith() => {
                let e = self.convert(e, ty);
                return Expr { span, ..e };
            }
            // The scalars are taken row by row.
            (Shape::Matrix(2, 2), Shape::Vector(4)) | (Shape::Vector(4), Shape::Matrix(2, 2))
                if e.ty.is_arith() && ty.is_arith() =>
            {
                let part = ty.element_scalar().map_or(e.ty, |s| e.ty.with_scalar(s));
                let part = self.convert(e, part);
                return Expr { ty, span, kind: ExprKind::Construct(vec![part]) };
            }
            (Shape::Matrix(r, c), Shape::Matrix(r2, c2)) if e.ty.is_arith() && ty.is_arith() && r2 <= r && c2 <= c => {
                return self.convert(e, ty);
            }
            _ => {}
        }
        // As in a list, what is left is zero.
        let begins = match (e.ty.shape(), ty.shape()) {
            (Shape::Vector(1), Shape::Matrix(..)) => {
                let number = self.convert(e, Ty::scalar(ty.element_scalar().unwrap_or(types::Scalar::F32)));
                return self.cast(number, ty, span);
            }
            (Shape::Vector(n), Shape::Matrix(_, columns)) => n == columns,
            _ => matches!(ty.kind(), TyKind::Array(elem, Some(_)) if elem.is_arith()) && e.ty.as_scalar().is_some(),
        };
        if begins && e.ty.is_arith() {
            let list = Expr { ty: Ty::new(TyKind::InitList), span, kind: ExprKind::InitList(vec![e]) };
            return self.init_from_list(list, ty);
        }
        let zero = matches!(e.kind, ExprKind::Const(Const::Int(0)));
        if zero && self.misses_arguments(ty, span) {
            return Expr::error(span);
        }
        if let TyKind::Struct(id) = ty.kind()
            && e.ty != ty
            && !self.own_members(ty, Name::new("__init")).is_empty()
            && let Some(call) = self.constructor_call(*id, std::slice::from_ref(&e), span)
        {
            return call;
        }
        if let TyKind::Struct(id) = *ty.kind()
            && e.ty.as_scalar().is_some()
            && self.own_members(ty, Name::new("__init")).is_empty()
        {
            // In all released versions the literal zero alone is the default value.
            if zero && !self.module().is_some_and(|m| m.zero_is_a_number) {
                return self.default_value(ty, span);
            }
            return self.of_first_field(e, id, span);
        }
        // `(S)0` fills a struct or array with zeros.
        if matches!(ty.kind(), TyKind::Struct(_) | TyKind::Array(..)) && matches!(self.fold(&e), Some(Const::Int(0))) {
            return Expr { ty, span, kind: ExprKind::Zero };
        }
        if e.ty.as_struct().is_some()
            && let Some(call) = self.extended_construct(ty, std::slice::from_ref(&e), span)
        {
            return call;
        }
        self.coerce(e, ty)
    }

    /// `(S)n`: the first field is the number, and the others have their default values.
    fn of_first_field(&mut self, number: Expr, id: StructId, span: Span) -> Expr {
        let fields = self.fields(id).to_vec();
        let ty = Ty::new(TyKind::Struct(id));
        let Some((first, others)) = fields.split_first() else { return self.coerce(number, ty) };
        let mut parts = vec![match self.conversion_cost(&number, first.ty) {
            Some(_) => self.coerce(number, first.ty),
            None => self.cast(number, first.ty, span),
        }];
        for f in others {
            parts.push(match &f.default {
                Some(d) => self.check_default(id, d, f.ty),
                None => self.default_value(f.ty, span),
            });
        }
        if parts.iter().any(|p| p.ty.is_error()) {
            return Expr::error(span);
        }
        Expr { ty, span, kind: ExprKind::Construct(parts) }
    }
}
