//! Statements and expressions said in fewer words: choices between truth values become `&&` and
//! `||`, and what a variable has held since its declaration is not assigned to it again.
//!
//! Invariant: a variable that is declared without a value is zero.

use super::build::negate;
use super::exits::{folded, learn, specialized};
use crate::ops;
use crate::tree::{Expr, Function, Kind, Literal, Stmt, Var, any_gives, each_expr, each_list, handed_over, mentions};
use crate::types::{BOOL, Ty};
use caustic_dialects::arith;
use caustic_dialects::reflect::Scalar;
use rustc_hash::FxHashMap;

pub fn simplify(body: &mut Vec<Stmt>) {
    each_expr(body, &mut choice);
    each_expr(body, &mut difference);
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
    let and = |a: Expr, b: Expr| certain(&a, &b, false).unwrap_or_else(|| Kind::And(Box::new(a), Box::new(b)));
    let or = |a: Expr, b: Expr| certain(&a, &b, true).unwrap_or_else(|| Kind::Or(Box::new(a), Box::new(b)));
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

/// What two truth values joined by `||` (else by `&&`) are, if these are one variable, or that and
/// its negation.
fn certain(a: &Expr, b: &Expr, or: bool) -> Option<Kind> {
    match () {
        () if same(a, b) => Some(a.kind.clone()),
        () if opposite(a, b) => Some(Kind::Literal(Literal::Bool(or))),
        () => None,
    }
}

/// Truth values of which one variable is certain, at the end: compilers warn of `a || !a`, which
/// comes of values that have become one variable.
pub fn no_certain_truths(function: &mut Function) {
    each_expr(&mut function.body, &mut |e| {
        let found = match &e.kind {
            Kind::Or(a, b) => certain(a, b, true),
            Kind::And(a, b) => certain(a, b, false),
            _ => None,
        };
        if let Some(kind) = found {
            e.kind = kind;
        }
    });
}

/// Asks no condition again where it is known: in a branch of its own, and on one side of a choice
/// by it. All that is computed is defined for all operands, so that what is not chosen may change.
pub fn ask_once(function: &mut Function) {
    each_expr(&mut function.body, &mut |e| {
        // The second is asked where the first does not decide.
        let holds = matches!(e.kind, Kind::And(..));
        if let Kind::And(first, second) | Kind::Or(first, second) = &mut e.kind
            && e.ty == BOOL
        {
            let mut known = FxHashMap::default();
            learn(first, holds, &mut known);
            if known.keys().any(|&var| second.reads(var)) {
                **second = folded((**second).clone(), &known);
            }
            return;
        }
        let Kind::Choose(condition, yes, no) = &mut e.kind else { return };
        for (side, holds) in [(yes, true), (no, false)] {
            let mut known = FxHashMap::default();
            learn(condition, holds, &mut known);
            if condition.ty == BOOL && known.keys().any(|&var| side.reads(var)) {
                **side = folded((**side).clone(), &known);
            }
        }
    });
    each_list(&mut function.body, &mut |list| {
        for stmt in list {
            let Stmt::If { condition, then, otherwise } = stmt else { continue };
            for (branch, holds) in [(then, true), (otherwise, false)] {
                let mut known = FxHashMap::default();
                learn(condition, holds, &mut known);
                known.retain(|&var, _| mentions(branch, var) && !any_gives(branch, var));
                known.retain(|var, _| !handed_over(branch).contains(var));
                if !known.is_empty() {
                    *branch = specialized(branch, &known);
                }
            }
        }
    });
    drop_empty_branches(&mut function.body);
}

/// Whether two expressions are the same variable.
fn same(a: &Expr, b: &Expr) -> bool {
    a.variable().is_some() && a.variable() == b.variable()
}

/// Whether one of two expressions is a variable and the other its negation.
fn opposite(a: &Expr, b: &Expr) -> bool {
    let negates = |a: &Expr, b: &Expr| matches!(&a.kind, Kind::Not(inner) if same(inner, b));
    negates(a, b) || negates(b, a)
}

/// Quotients by the literal zero as products by infinity, which are the same: compilers warn of
/// the former.
pub fn no_literal_zero_divides(function: &mut Function) {
    each_expr(&mut function.body, &mut |e| {
        let ty = e.ty.clone();
        let Some([_, divisor]) = e.operands(arith::DivF::DEF) else { return };
        let Some(Literal::Float(zero)) = divisor.literal().filter(|l| *l == Literal::Float(0.0)) else { return };
        let infinity = Literal::Float(if zero.is_sign_negative() { f64::NEG_INFINITY } else { f64::INFINITY });
        let Kind::Op { row, args } = &mut e.kind else { return };
        let Some(product) = ops::row(arith::MulF::DEF, &ty) else { return };
        let scalar = |literal: &mut Expr| literal.kind = Kind::Literal(infinity);
        match &mut args[1].kind {
            Kind::Splat(inner) => scalar(inner),
            _ => scalar(&mut args[1]),
        }
        *row = product;
    });
}

/// Declares a variable where it is first given a value as a whole, if nothing is done with it
/// before in the same list.
pub fn declare_late(function: &mut Function) {
    each_list(&mut function.body, &mut |list| {
        let mut at = 0;
        while at < list.len() {
            let value = |e: &Option<Expr>| e.as_ref().is_none_or(is_zero);
            let Stmt::Declare(var, first) = &list[at] else {
                at += 1;
                continue;
            };
            let (var, cleared) = (*var, value(first));
            let next = list[at + 1..].iter().position(|stmt| mentions(std::slice::from_ref(stmt), var));
            let next = next.map(|n| at + 1 + n).filter(|_| cleared);
            match next.map(|n| (n, &list[n])) {
                Some((n, Stmt::Assign(place, value))) if place.whole() == Some(var) && !value.reads(var) => {
                    let value = if is_zero(value) { None } else { Some(value.clone()) };
                    list[n] = Stmt::Declare(var, value);
                    list.remove(at);
                }
                _ => at += 1,
            }
        }
    });
}

/// What is taken from a number without a sign, and not added to it.
const LARGEST_DIFFERENCE: i64 = 0xffff;

/// A sum with a negative literal is a difference.
fn difference(e: &mut Expr) {
    differs(e, false);
}

/// The same of numbers of 64 bits, in the end: loops that count are known by their sums.
pub fn subtract_wide(function: &mut Function) {
    each_expr(&mut function.body, &mut |e| differs(e, true));
}

fn differs(e: &mut Expr, wide: bool) {
    let ty = e.ty.clone();
    let Kind::Op { row, args } = &mut e.kind else { return };
    let is = |def: &'static caustic_ir::OpDef| std::ptr::eq(def, row.op);
    let (of_ints, of_floats) = (is(arith::AddI::DEF), is(arith::AddF::DEF));
    let [_, b] = &mut args[..] else { return };
    let scalar = if let Kind::Splat(inner) = &mut b.kind { inner } else { b };
    let negated = match (&scalar.kind, &scalar.ty) {
        (Kind::Literal(Literal::Int(v)), Ty::Scalar(Scalar::I32)) if of_ints && (-0x7fff_ffff..0).contains(v) => {
            Literal::Int(-v)
        }
        (Kind::Literal(Literal::Int(v)), Ty::Scalar(Scalar::I64)) if of_ints && wide && (-i64::MAX..0).contains(v) => {
            Literal::Int(-v)
        }
        (Kind::Literal(Literal::Int(v)), Ty::Scalar(of @ (Scalar::U32 | Scalar::U64))) if of_ints => {
            let v = if *of == Scalar::U32 { i64::from(*v as i32) } else { *v };
            // A large number is a pattern of bits.
            if !(-LARGEST_DIFFERENCE..0).contains(&v) {
                return;
            }
            Literal::Int(-v)
        }
        (Kind::Literal(Literal::Float(v)), _) if of_floats && *v < 0.0 && v.is_finite() => Literal::Float(-v),
        _ => return,
    };
    let def = if of_ints { arith::SubI::DEF } else { arith::SubF::DEF };
    if let Some(other) = ops::row(def, &ty) {
        scalar.kind = Kind::Literal(negated);
        *row = other;
    }
}

fn statements(body: &mut Vec<Stmt>) {
    each_list(body, &mut |list| {
        for at in 0..list.len() {
            let (before, after) = list.split_at_mut(at + 1);
            if let Some(Stmt::Declare(var, None)) = before.last() {
                let var = *var;
                if let Some(first) = after.iter_mut().find(|stmt| mentions(std::slice::from_ref(stmt), var)) {
                    held(first, var);
                }
            }
        }
    });
    drop_empty_branches(body);
}

/// A branch that is empty is the other one's alternative, if there is one; one of which nothing is
/// left goes, unless its condition does something.
pub fn drop_empty_branches(body: &mut Vec<Stmt>) {
    each_list(body, &mut |list| {
        for stmt in list.iter_mut() {
            if let Stmt::If { condition, then, otherwise } = stmt
                && then.is_empty()
                && !otherwise.is_empty()
            {
                std::mem::swap(then, otherwise);
                let whole = std::mem::replace(condition, Expr::new(BOOL, Kind::Zero));
                *condition = negate(whole);
            }
        }
        list.retain(|stmt| match stmt {
            Stmt::If { condition, then, otherwise } => !then.is_empty() || !otherwise.is_empty() || condition.acts(),
            _ => true,
        });
    });
}

/// Removes assignments of zero to a variable that is zero before this statement.
fn held(stmt: &mut Stmt, var: Var) {
    if let Stmt::If { condition: decides, .. } | Stmt::Switch { value: decides, .. } = stmt
        && decides.reads(var)
    {
        return;
    }
    let branches = match stmt {
        Stmt::If { .. } | Stmt::Switch { .. } => stmt.lists(),
        _ => Vec::new(),
    };
    for branch in branches {
        let Some(first) = branch.iter().position(|stmt| mentions(std::slice::from_ref(stmt), var)) else { continue };
        match &mut branch[first] {
            Stmt::Assign(place, value) if place.whole() == Some(var) && is_zero(value) => {
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
