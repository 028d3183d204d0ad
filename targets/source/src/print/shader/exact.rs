//! Which variables are declared `precise`: those that sums, differences, products and quotients of
//! floats go into. A compiler may not round a product and a sum once then.

use crate::tree::{Expr, Function, Kind, Root, Stmt, Var};
use caustic_dialects::arith;
use rustc_hash::FxHashSet;

/// The variables of a function that arithmetic of floats goes into.
pub fn exact_variables(function: &Function) -> FxHashSet<Var> {
    let mut found = FxHashSet::default();
    let mut open: Vec<&Stmt> = function.body.iter().collect();
    while let Some(stmt) = open.pop() {
        match stmt {
            Stmt::Declare(var, Some(value)) if computes(value) => {
                found.insert(*var);
            }
            Stmt::Assign(place, value) => {
                if let Root::Var(var) = place.root
                    && computes(value)
                {
                    found.insert(var);
                }
            }
            Stmt::If { then, otherwise, .. } => open.extend(then.iter().chain(otherwise)),
            Stmt::For { body, .. } | Stmt::While { body, .. } => open.extend(body),
            Stmt::Switch { cases, default, .. } => {
                open.extend(cases.iter().flat_map(|(_, body)| body).chain(default));
            }
            _ => {}
        }
    }
    found
}

/// Whether floats are added or multiplied in an expression.
pub fn computes(e: &Expr) -> bool {
    let mut found = false;
    e.each(&mut |inner| {
        if let Kind::Op { row, .. } = &inner.kind {
            let ops = [arith::AddF::DEF, arith::SubF::DEF, arith::MulF::DEF, arith::DivF::DEF];
            found |= ops.into_iter().any(|def| std::ptr::eq(def, row.op));
        }
    });
    found
}
