//! Statements that no thread reaches go: compilers warn of them.
//!
//! This module must not know: any language.

use super::build::negate;
use super::exits::meets;
use crate::tree::{Function, Stmt, each_list};

/// Takes away what stands behind a return or the end of a loop, and loops that run once at most.
pub fn only_reached(function: &mut Function) {
    each_list(&mut function.body, &mut |list| {
        let mut at = 0;
        while at < list.len() {
            if let Some(stmts) = runs_once(&list[at]) {
                list.splice(at..=at, stmts);
                continue;
            }
            if ends(&list[at]) {
                list.truncate(at + 1);
            }
            at += 1;
        }
    });
}

/// Whether what follows a statement in its list never runs.
fn ends(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Return(_) | Stmt::Break => true,
        Stmt::If { then, otherwise, .. } => [then, otherwise].iter().all(|branch| branch.last().is_some_and(ends)),
        _ => false,
    }
}

/// The statements of a loop whose body returns at its end, so that it does not run again.
fn runs_once(stmt: &Stmt) -> Option<Vec<Stmt>> {
    let Stmt::While { condition, body } = stmt else { return None };
    // Threads that wait for each other leave a loop together.
    if !body.last().is_some_and(returns) || meets(body) {
        return None;
    }
    let Some(at) = body.iter().position(leaves) else {
        return Some(match condition {
            Some(condition) => {
                vec![Stmt::If { condition: condition.clone(), then: body.clone(), otherwise: Vec::new() }]
            }
            None => body.clone(),
        });
    };
    // It is left at its head.
    let Stmt::If { condition: leave, then, otherwise } = &body[at] else { return None };
    if condition.is_some() || !matches!(then[..], [Stmt::Break]) || !otherwise.is_empty() {
        return None;
    }
    let rest = body[at + 1..].to_vec();
    if rest.iter().any(leaves) {
        return None;
    }
    let mut out = body[..at].to_vec();
    out.push(Stmt::If { condition: negate(leave.clone()), then: rest, otherwise: Vec::new() });
    Some(out)
}

/// Whether the function ends there in any case.
fn returns(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Return(_) => true,
        Stmt::If { then, otherwise, .. } => [then, otherwise].iter().all(|branch| branch.last().is_some_and(returns)),
        _ => false,
    }
}

/// Whether there is a `break` in a statement that is not one of a loop in it.
fn leaves(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Break => true,
        Stmt::While { .. } | Stmt::For { .. } => false,
        _ => stmt.bodies().any(|body| body.iter().any(leaves)),
    }
}
