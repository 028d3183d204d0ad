//! Where the module `glsl` is imported: `*` multiplies matrices as in GLSL, whose columns are rows
//! here, and variables that begin with `gl_` are calls.

use super::types::TyKind;
use super::*;
use ast::BinOp;

impl Checker<'_> {
    /// A variable of GLSL that begins with `gl_`, where `glsl` is imported: a function gives it.
    pub(super) fn glsl_variable(&mut self, name: ast::Ident) -> Option<Expr> {
        if !name.name.starts_with("gl_") {
            return None;
        }
        let function = Name::new(&format!("__{}", name.name));
        let members = self.lookup_from(self.current_ns(), function)?;
        Some(self.call_group(self.free(name, members), Vec::new(), name.span))
    }

    fn free(&self, name: ast::Ident, members: Vec<members::Member>) -> expr::Group {
        let span = name.span;
        expr::Group { name, members, this: None, through_type: false, explicit: None, modes: Vec::new(), span }
    }

    /// Whether the operands of `*` are multiplied as matrices are in GLSL, here.
    fn is_product(&self, op: BinOp, lhs: Ty, rhs: Ty) -> bool {
        let here = || self.module_of(self.current_ns()).map(|m| &self.modules[m.0 as usize].sees);
        if op != BinOp::Mul || !self.glsl.is_some_and(|glsl| here().is_some_and(|sees| sees.contains(&glsl.0))) {
            return false;
        }
        let matrix = |ty: Ty| matches!(ty.kind(), TyKind::Matrix(..) | TyKind::MatrixOf(..));
        let vector = |ty: Ty| matches!(ty.kind(), TyKind::Vector(..) | TyKind::VectorOf(..));
        matrix(lhs) && (matrix(rhs) || vector(rhs)) || vector(lhs) && matrix(rhs)
    }

    /// The product of a matrix and a matrix or a vector, where `glsl` is imported.
    pub(super) fn glsl_product(&mut self, op: BinOp, lhs: &Expr, rhs: &Expr, span: Span) -> Option<Expr> {
        if !self.is_product(op, lhs.ty, rhs.ty) {
            return None;
        }
        let name = Name::new("mul");
        let members = self.lookup_from(ROOT, name)?;
        let group = self.free(ast::Ident { name, span }, members);
        Some(self.call_group(group, vec![rhs.clone(), lhs.clone()], span))
    }

    /// `place *= value`, where that is such a product.
    pub(super) fn glsl_product_into(&mut self, op: BinOp, place: &Expr, value: &Expr, span: Span) -> Option<Expr> {
        if !self.is_product(op, place.ty, value.ty) {
            return None;
        }
        let old = self.hidden_local(place.ty, span);
        let current = Expr { ty: place.ty, span, kind: ExprKind::Local(old) };
        let value = self.glsl_product(op, &current, value, span)?;
        let value = self.coerce(value, place.ty);
        if value.ty.is_error() {
            return Some(value);
        }
        let kind = ExprKind::Update { place: place.clone().into(), old, value: value.into() };
        Some(Expr { ty: place.ty, span, kind })
    }
}
