//! Whether control reaches the end of statements.

use super::*;

/// What a condition is in every run; `None` if that depends on the run. A loop without a condition
/// goes on. Conditions that are known are constants already (`check_condition`).
pub(crate) fn decided(cond: Option<&Expr>) -> Option<bool> {
    match cond.map(|c| &c.kind) {
        None => Some(true),
        Some(ExprKind::Const(Const::Bool(b))) => Some(*b),
        Some(_) => None,
    }
}

/// Whether only a jump leaves a loop with this condition.
pub(crate) fn is_endless(cond: Option<&Expr>) -> bool {
    decided(cond) == Some(true)
}

/// Whether control can reach the end of these statements. A loop that only a jump leaves does not
/// end without a `break`.
pub(crate) fn falls_through(stmts: &[Stmt]) -> bool {
    stmts.last().is_none_or(|s| match &s.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => false,
        StmtKind::Block(b) => falls_through(b),
        StmtKind::If { then, other, .. } => falls_through(then) || falls_through(other),
        StmtKind::Loop { cond, body, .. } => !is_endless(cond.as_ref()) || has_break(body),
        StmtKind::Switch { groups, .. } => {
            !groups.iter().any(|g| g.is_default)
                || groups.iter().any(|g| has_break(&g.body))
                || groups.last().is_none_or(|g| falls_through(&g.body))
        }
        _ => true,
    })
}

/// Whether a `break` in these statements leaves the construct whose body they are.
pub(crate) fn has_break(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| match &s.kind {
        StmtKind::Break => true,
        StmtKind::Block(b) | StmtKind::Unroll { body: b, .. } => has_break(b),
        StmtKind::If { then, other, .. } => has_break(then) || has_break(other),
        _ => false,
    })
}

/// Whether there is a `return` in these statements.
pub(crate) fn has_return(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| match &s.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(b) | StmtKind::Unroll { body: b, .. } | StmtKind::Loop { body: b, .. } => has_return(b),
        StmtKind::If { then, other, .. } => has_return(then) || has_return(other),
        StmtKind::Switch { groups, .. } => groups.iter().any(|g| has_return(&g.body)),
        _ => false,
    })
}

/// Whether control may reach the end of these statements, wherever in them it cannot go on. What
/// stands behind a `return` is never run.
pub(crate) fn reaches_end(stmts: &[Stmt]) -> bool {
    stmts.iter().all(|s| match &s.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => false,
        StmtKind::Block(b) => reaches_end(b),
        StmtKind::If { cond, then, other } => match decided(Some(cond)) {
            Some(true) => reaches_end(then),
            Some(false) => reaches_end(other),
            None => reaches_end(then) || reaches_end(other),
        },
        // Its body runs once at least.
        StmtKind::Loop { body, test_first: false, .. } if !reaches_end(body) => has_jump(body),
        StmtKind::Switch { groups, .. } => {
            !groups.iter().any(|g| g.is_default)
                || groups.iter().any(|g| has_break(&g.body))
                || groups.last().is_none_or(|g| reaches_end(&g.body))
        }
        _ => falls_through(std::slice::from_ref(s)),
    })
}

/// Whether a `break` or a `continue` in these statements may belong to a loop around them.
fn has_jump(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| match &s.kind {
        StmtKind::Break | StmtKind::Continue => true,
        StmtKind::Block(b) | StmtKind::Unroll { body: b, .. } | StmtKind::Loop { body: b, .. } => has_jump(b),
        StmtKind::If { then, other, .. } => has_jump(then) || has_jump(other),
        StmtKind::Switch { groups, .. } => groups.iter().any(|g| has_jump(&g.body)),
        _ => false,
    })
}
