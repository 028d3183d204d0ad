//! Statements and expressions said in fewer words: choices between truth values become `&&` and
//! `||`, and what a variable has held since its declaration is not assigned to it again.
//!
//! Invariant: a variable that is declared without a value is zero.

use super::build::negate;
use crate::tree::{Expr, Kind, Literal, Named, Place, Root, Stmt, Var, each_expr, visit_all};
use crate::types::BOOL;

pub fn simplify(body: &mut Vec<Stmt>) {
    each_expr(body, &mut choice);
    statements(body);
}

fn truth(e: &Expr) -> Option<bool> {
    match e.kind {
        Kind::Literal(Literal::Bool(value)) => Some(value),
        Kind::Zero if e.ty == BOOL => Some(false),
        _ => None,
    }
}

/// A choice one side of which is a truth value, as an operator.
fn choice(e: &mut Expr) {
    let Kind::Choose(condition, yes, no) = &mut e.kind else { return };
    if e.ty != BOOL || condition.ty != BOOL {
        return;
    }
    let (on_yes, on_no) = (truth(yes), truth(no));
    if on_yes.is_none() && on_no.is_none() {
        return;
    }
    let empty = || Expr::new(BOOL, Kind::Zero);
    let [condition, yes, no] = [condition, yes, no].map(|e| std::mem::replace(&mut **e, empty()));
    let and = |a: Expr, b: Expr| match () {
        () if same(&a, &b) => a.kind,
        () if opposite(&a, &b) => Kind::Literal(Literal::Bool(false)),
        () => Kind::And(Box::new(a), Box::new(b)),
    };
    let or = |a: Expr, b: Expr| match () {
        () if same(&a, &b) => a.kind,
        () if opposite(&a, &b) => Kind::Literal(Literal::Bool(true)),
        () => Kind::Or(Box::new(a), Box::new(b)),
    };
    e.kind = match (on_yes, on_no) {
        (Some(true), Some(true)) | (Some(false), Some(false)) => yes.kind,
        (Some(true), Some(false)) => condition.kind,
        (Some(false), Some(true)) => negate(condition).kind,
        (Some(true), None) => or(condition, no),
        (Some(false), None) => and(negate(condition), no),
        (None, Some(false)) => and(condition, yes),
        (None, Some(true)) => or(negate(condition), yes),
        (None, None) => Kind::Choose(Box::new(condition), Box::new(yes), Box::new(no)),
    };
}

/// Whether two expressions are the same variable.
fn same(a: &Expr, b: &Expr) -> bool {
    let var = |e: &Expr| match &e.kind {
        Kind::Read(Place { root: Root::Var(var), steps, .. }) if steps.is_empty() => Some(*var),
        _ => None,
    };
    var(a).is_some() && var(a) == var(b)
}

/// Whether one of two expressions is a variable and the other its negation.
fn opposite(a: &Expr, b: &Expr) -> bool {
    let negates = |a: &Expr, b: &Expr| matches!(&a.kind, Kind::Not(inner) if same(inner, b));
    negates(a, b) || negates(b, a)
}

fn statements(body: &mut Vec<Stmt>) {
    for at in 0..body.len() {
        let (before, after) = body.split_at_mut(at + 1);
        if let Some(Stmt::Declare(var, None)) = before.last() {
            let var = *var;
            if let Some(first) = after.iter_mut().find_map(|stmt| mentions(stmt, var).then_some(stmt)) {
                held(first, var);
            }
        }
    }
    for stmt in body.iter_mut() {
        match stmt {
            Stmt::If { condition, then, otherwise } => {
                statements(then);
                statements(otherwise);
                if then.is_empty() && !otherwise.is_empty() {
                    std::mem::swap(then, otherwise);
                    let whole = std::mem::replace(condition, Expr::new(BOOL, Kind::Zero));
                    *condition = negate(whole);
                }
            }
            Stmt::For { body, .. } | Stmt::While { body, .. } => statements(body),
            Stmt::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, body)| statements(body));
                statements(default);
            }
            _ => {}
        }
    }
    // A branch of which nothing is left, and whose condition does nothing.
    body.retain(|stmt| match stmt {
        Stmt::If { condition, then, otherwise } => !then.is_empty() || !otherwise.is_empty() || condition.acts(),
        _ => true,
    });
}

/// Removes assignments of zero to a variable that is zero before this statement.
fn held(stmt: &mut Stmt, var: Var) {
    if let Stmt::If { condition: decides, .. } | Stmt::Switch { value: decides, .. } = stmt
        && reads(decides, var)
    {
        return;
    }
    let branches = match stmt {
        Stmt::If { .. } | Stmt::Switch { .. } => bodies(stmt),
        _ => Vec::new(),
    };
    for branch in branches {
        let Some(first) = branch.iter_mut().position(|stmt| mentions(stmt, var)) else { continue };
        match &mut branch[first] {
            Stmt::Assign(place, value)
                if matches!(place.root, Root::Var(of) if of == var) && place.steps.is_empty() && is_zero(value) =>
            {
                branch.remove(first);
            }
            inner => held(inner, var),
        }
    }
}

/// Whether the bits of a value are zero.
fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        Kind::Zero => true,
        Kind::Literal(Literal::Bool(value)) => !value,
        Kind::Literal(Literal::Int(value)) => *value == 0,
        Kind::Literal(Literal::Float(value)) => value.to_bits() == 0,
        Kind::Splat(one) => is_zero(one),
        Kind::Make(parts) => parts.iter().all(is_zero),
        _ => false,
    }
}

fn reads(e: &mut Expr, var: Var) -> bool {
    let mut found = false;
    e.visit(&mut |named| found |= matches!(named, Named::Var(v) if *v == var));
    found
}

/// Whether a statement reads a variable or assigns to it.
fn mentions(stmt: &mut Stmt, var: Var) -> bool {
    let assigns = match stmt {
        Stmt::Declare(of, _) | Stmt::For { counter: of, .. } => *of == var,
        Stmt::Assign(place, _) => matches!(place.root, Root::Var(of) if of == var),
        _ => false,
    };
    let mut found = assigns;
    visit_all(std::slice::from_mut(stmt), &mut |named| found |= matches!(named, Named::Var(v) if *v == var));
    found || bodies(stmt).into_iter().any(|body| body.iter_mut().any(|inner| mentions(inner, var)))
}

fn bodies(stmt: &mut Stmt) -> Vec<&mut Vec<Stmt>> {
    match stmt {
        Stmt::If { then, otherwise, .. } => vec![then, otherwise],
        Stmt::For { body, .. } | Stmt::While { body, .. } => vec![body],
        Stmt::Switch { cases, default, .. } => cases.iter_mut().map(|(_, body)| body).chain([default]).collect(),
        _ => Vec::new(),
    }
}
