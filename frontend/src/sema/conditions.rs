//! Reports a likely mistake in a condition: `=` where `==` was meant. An assignment in its own
//! parentheses is not reported.

use super::*;
use ast::{BinOp, ExprKind as E};
use caustic_ir::codes;

impl Checker<'_> {
    /// Reports assignments that are the condition or an operand of it. Returns whether there was
    /// one.
    pub(super) fn assigns_by_mistake(&mut self, e: &ast::Expr) -> bool {
        match &e.kind {
            E::Assign { op: None, .. } => {
                let d = self.error(codes::E0249, e.span, "this assigns where a condition is asked for");
                d.notes.push("`==` compares; an assignment that is meant stands in parentheses of its own".to_string());
                true
            }
            E::Binary { op: BinOp::LogAnd | BinOp::LogOr, lhs, rhs, .. } => {
                let left = self.assigns_by_mistake(lhs);
                self.assigns_by_mistake(rhs) || left
            }
            _ => false,
        }
    }

    /// Reports a comparison whose result is not used: `==` where `=` was meant.
    pub(super) fn check_is_used(&mut self, e: &ast::Expr) {
        if let E::Binary { op: BinOp::Eq, .. } = &e.kind {
            let d = self.warn(codes::W0243, e.span, "nothing is made of this comparison");
            d.notes.push("did you mean `=`?".to_string());
        }
    }
}
