//! Loops that are left where the programmer left them.
//!
//! The IR leaves no loop from inside: `break` sets a flag, what follows asks for it, and the loop's
//! condition does in the end. Where a flag is set once in an iteration, or once in each branch of
//! one, the loop is left there.
//!
//! Invariant: what is put behind a flag that is set is what would run until the condition is asked
//! again, and that does nothing but to compute.
//!
//! This module must not know: any language.

use super::build::negate;
use super::prune::prune;
use super::simplify::drop_empty_branches;
use crate::tree::{
    Expr, Function, Kind, Literal, Named, Place, Root, Stmt, UNNAMED, Var, Variable, any_gives, each_expr, each_list,
    mentions, visit_all,
};
use crate::types::BOOL;
use caustic_dialects::arith;
use caustic_ir::OpDef;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// What may be repeated in front of a `break`, in statements.
const MOST: usize = 6;

/// Leaves loops where their flags are set, and gives them their conditions and counters back.
pub fn leave_as_written(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    each_expr(&mut body, &mut connective);
    let vars = RefCell::new(std::mem::take(&mut function.vars));
    each_list(&mut body, &mut |list| {
        for at in 0..list.len() {
            while let Some(flag) = flag_of(&list[at]).filter(|&flag| is_clear(&list[..at], flag)) {
                let behind = unread_behind(list, at);
                let known = vars.borrow().len();
                if thread(&mut list[at], flag, &behind, &vars).is_none() {
                    vars.borrow_mut().truncate(known);
                    break;
                }
            }
        }
        list.retain(|stmt| !is_itself(stmt));
    });
    function.vars = vars.into_inner();
    drop_empty_branches(&mut body);
    each_list(&mut body, &mut rest_behind);
    prune(&mut body, &function.params.iter().map(|(var, _)| *var).collect());
    function.body = body;
}

/// Gives loops their conditions back, and asks at once what is asked once.
pub fn ask_as_written(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let outside = reads(&mut body);
    // Who calls reads what parameters are left with.
    let kept: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    each_list(&mut body, &mut |list| {
        list.iter_mut().for_each(|stmt| sink_copies(stmt, &outside, &kept).unwrap_or_default());
    });
    each_list(&mut body, &mut |list| list.iter_mut().for_each(|stmt| condition_first(stmt).unwrap_or_default()));
    let reads = reads(&mut body);
    each_list(&mut body, &mut |list| asked_at_once(list, &reads, &function.vars));
    function.body = body;
}

/// How often each variable is read.
fn reads(body: &mut [Stmt]) -> FxHashMap<Var, usize> {
    let mut reads: FxHashMap<Var, usize> = FxHashMap::default();
    visit_all(body, &mut |named| {
        if let Named::Var(var) = named {
            *reads.entry(*var).or_default() += 1;
        }
    });
    reads
}

/// What a loop computes before it asks its condition, and only the rest of its body reads, is
/// computed after that.
fn sink_copies(stmt: &mut Stmt, all: &FxHashMap<Var, usize>, kept: &FxHashSet<Var>) -> Option<()> {
    let inside = reads(std::slice::from_mut(stmt));
    let Stmt::While { condition: None, body } = stmt else { return None };
    let Head { at, declared } = head(body)?;
    let Stmt::Declare(asked, Some(asks)) = &body[declared] else { return None };
    let (asked, asks) = (*asked, asks.clone());
    let moves = |stmt: &Stmt| {
        let only_inside = |var: Var| !kept.contains(&var) && inside.get(&var) == all.get(&var);
        stmt.gives().is_some_and(|var| var != asked && !asks.reads(var) && only_inside(var))
    };
    // What stays must not read what goes, nor give what that reads.
    let (goes, stays): (Vec<Stmt>, Vec<Stmt>) = body[..at].iter().cloned().partition(moves);
    let apart = |stmt: &Stmt| {
        goes.iter().all(|moved| {
            let (to, from) = (moved.gives(), stmt.gives());
            let reads = |stmt: &Stmt, var: Option<Var>| match (stmt, var) {
                (Stmt::Declare(_, Some(e)) | Stmt::Assign(_, e), Some(var)) => e.reads(var),
                _ => false,
            };
            !reads(stmt, to) && !reads(moved, from) && to != from
        })
    };
    if goes.is_empty() || !stays.iter().all(apart) {
        return None;
    }
    let leaves = body[at].clone();
    let rest = body.split_off(at + 1);
    *body = stays;
    body.push(leaves);
    body.extend(goes);
    body.extend(rest);
    Some(())
}

/// The ops on truth values that the language has connectives for.
pub(super) fn connective(e: &mut Expr) {
    let Kind::Op { row, args } = &mut e.kind else { return };
    let is = |op: &'static OpDef| std::ptr::eq(row.op, op);
    let (and, or) = (is(arith::AndI::DEF), is(arith::OrI::DEF));
    if e.ty == BOOL && (and || or) && args.len() == 2 {
        let (b, a) = (args.pop(), args.pop());
        if let (Some(a), Some(b)) = (a.map(Box::new), b.map(Box::new)) {
            e.kind = if and { Kind::And(a, b) } else { Kind::Or(a, b) };
        }
    }
}

/// A condition is asked at the head of its loop: where the loop is left, and what stands before.
struct Head {
    /// Where the loop is left in its body.
    at: usize,
    /// The condition as it is declared before.
    declared: usize,
}

fn head(body: &[Stmt]) -> Option<Head> {
    let at = body.iter().position(|stmt| !matches!(stmt, Stmt::Declare(_, Some(_)) | Stmt::Assign(..)))?;
    let Stmt::If { condition, then, otherwise } = &body[at] else { return None };
    let leaves = matches!(then[..], [Stmt::Break]) && otherwise.is_empty();
    let Kind::Not(inner) = &condition.kind else { return None };
    let asked = inner.variable().filter(|_| leaves)?;
    let declared = body[..at].iter().position(|s| matches!(s, Stmt::Declare(var, _) if *var == asked))?;
    let computes = |stmt: &Stmt| match stmt {
        Stmt::Declare(_, Some(value)) => !value.acts(),
        Stmt::Assign(Place { root: Root::Var(_), steps, .. }, value) => steps.is_empty() && !value.acts(),
        _ => false,
    };
    body[..at].iter().all(computes).then_some(Head { at, declared })
}

/// The condition of a loop, wherever it stands.
fn condition_of(stmt: &mut Stmt) -> Option<&mut Expr> {
    let Stmt::While { condition, body } = stmt else { return None };
    if condition.is_some() {
        return condition.as_mut().filter(|c| !c.acts());
    }
    let declared = head(body)?.declared;
    match &mut body[declared] {
        Stmt::Declare(_, value) => value.as_mut(),
        _ => None,
    }
}

/// A flag that a loop's condition asks not to be set.
fn flag_of(stmt: &Stmt) -> Option<Var> {
    let mut stmt = match stmt {
        // Threads that wait for each other leave a loop together.
        Stmt::While { body, .. } if !meets(body) => stmt.clone(),
        _ => return None,
    };
    let condition = condition_of(&mut stmt)?.clone();
    let Stmt::While { body, .. } = &stmt else { return None };
    let mut parts = vec![&condition];
    let mut found = None;
    while let Some(part) = parts.pop() {
        match &part.kind {
            Kind::And(a, b) => parts.extend([&**a, b]),
            Kind::Not(inner) => {
                if let Some(var) = inner.variable()
                    && setter(body, var).is_some()
                {
                    found = Some(var);
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether threads meet in some statements; those that meet in a call have a mask of their own.
pub(super) fn meets(body: &[Stmt]) -> bool {
    let mut found = false;
    let mut body = body.to_vec();
    each_expr(&mut body, &mut |e| found |= matches!(e.kind, Kind::Wave { .. }));
    each_list(&mut body, &mut |list| {
        found |= list.iter().any(|s| matches!(s, Stmt::Barrier { .. } | Stmt::Instance(_)));
    });
    found
}

/// Whether a statement sets a variable as a whole, itself.
fn sets(stmt: &Stmt, var: Var) -> bool {
    matches!(stmt, Stmt::Assign(Place { root: Root::Var(v), .. }, _) if *v == var)
}

/// The one statement of a list that sets a flag, itself or in its branches.
fn setter(list: &[Stmt], flag: Var) -> Option<usize> {
    let mut all = (0..list.len()).filter(|&at| any_gives(&list[at..=at], flag));
    let (at, None) = (all.next()?, all.next()) else { return None };
    (sets(&list[at], flag) || matches!(list[at], Stmt::If { .. })).then_some(at)
}

/// Whether a flag is not set where a list of statements ends.
fn is_clear(before: &[Stmt], flag: Var) -> bool {
    let last = before.iter().rev().find(|stmt| mentions(std::slice::from_ref(stmt), flag));
    match last {
        Some(Stmt::Declare(_, None)) => true,
        Some(Stmt::Declare(_, Some(value)) | Stmt::Assign(_, value)) => {
            truth(value, &FxHashMap::default()) == Some(false)
        }
        _ => false,
    }
}

/// The variables of a list of statements that nothing behind a statement of it mentions.
fn unread_behind(list: &[Stmt], at: usize) -> FxHashSet<Var> {
    let declared =
        list[..at].iter().filter_map(|stmt| if let Stmt::Declare(var, _) = stmt { Some(*var) } else { None });
    declared.filter(|&var| !mentions(&list[at + 1..], var)).collect()
}

/// Leaves a loop where a flag is set. Nothing behind the loop asks for the variables `unread`.
fn thread(stmt: &mut Stmt, flag: Var, unread: &FxHashSet<Var>, vars: &RefCell<Vec<Variable>>) -> Option<()> {
    let mut changed = stmt.clone();
    let first = condition_of(&mut changed)?;
    *first = without(first.clone(), flag);
    let unconditional = truth(first, &FxHashMap::default()) == Some(true);
    let Stmt::While { condition, body } = &mut changed else { return None };
    let begin = match condition {
        Some(_) => 0,
        None => head(body)?.at + 1,
    };
    let at = setter(body, flag)?;
    if at < begin {
        return None;
    }
    // The condition is asked again, and what stands with it is computed.
    let again: Vec<Stmt> = body[..begin].iter().filter(|s| matches!(s, Stmt::Assign(..))).cloned().collect();
    let left = Left { flag, unread, again: &again, vars };
    let rest = left.list(&body[begin..], &[])?;
    body.truncate(begin);
    body.extend(rest);
    if unconditional && condition.is_some() {
        *condition = None;
    }
    *stmt = changed;
    Some(())
}

/// A loop that is left where its flag is set.
struct Left<'a> {
    flag: Var,
    /// What nothing behind the loop asks for.
    unread: &'a FxHashSet<Var>,
    /// What is computed before the condition is asked again.
    again: &'a [Stmt],
    vars: &'a RefCell<Vec<Variable>>,
}

impl Left<'_> {
    /// A list of the loop's statements, behind which `rest` runs.
    fn list(&self, list: &[Stmt], rest: &[Stmt]) -> Option<Vec<Stmt>> {
        let not_set: FxHashMap<Var, bool> = [(self.flag, false)].into_iter().collect();
        if !any_gives(list, self.flag) {
            return Some(specialized(list, &not_set));
        }
        let at = setter(list, self.flag)?;
        let rest: Vec<Stmt> = list[at + 1..].iter().chain(rest).cloned().collect();
        // What the first part has set is known to the second.
        let mut out = specialized(&list[..at], &not_set);
        match &list[at] {
            Stmt::If { condition, then, otherwise } => {
                let condition = folded(condition.clone(), &not_set);
                let (then, otherwise) = (self.list(then, &rest)?, self.list(otherwise, &rest)?);
                out.push(Stmt::If { condition, then, otherwise });
                out.extend(specialized(&list[at + 1..], &not_set));
            }
            Stmt::Assign(_, value) => {
                let mut value = folded(value.clone(), &not_set);
                if value.reads(self.flag) {
                    return None;
                }
                if value.acts() {
                    // What is called is called once.
                    let loc = value.loc;
                    let given = self.fresh();
                    out.push(Stmt::Declare(given, Some(std::mem::replace(&mut value, Expr::var(given, BOOL)))));
                    value.loc = loc;
                }
                let (mut set, mut clear) = (FxHashMap::default(), FxHashMap::default());
                set.insert(self.flag, true);
                clear.insert(self.flag, false);
                learn(&value, true, &mut set);
                learn(&value, false, &mut clear);
                if set.keys().chain(clear.keys()).any(|&var| any_gives(&rest, var)) {
                    return None;
                }
                let told = truth(&value, &FxHashMap::default());
                if told != Some(false) {
                    let leaving = self.leaving(&rest, &set)?;
                    match told {
                        Some(_) => out.extend(leaving),
                        None => out.push(Stmt::If { condition: value, then: leaving, otherwise: Vec::new() }),
                    }
                }
                if told != Some(true) {
                    out.extend(specialized(&list[at + 1..], &clear));
                }
            }
            _ => return None,
        }
        Some(out)
    }

    fn fresh(&self) -> Var {
        let mut vars = self.vars.borrow_mut();
        vars.push(Variable::unnamed(BOOL));
        Var(vars.len() - 1)
    }

    /// What runs before the loop is left.
    fn leaving(&self, rest: &[Stmt], set: &FxHashMap<Var, bool>) -> Option<Vec<Stmt>> {
        let mut leaving = specialized(rest, set);
        leaving.extend(self.again.iter().cloned());
        forget(&mut leaving);
        for at in (0..leaving.len()).rev() {
            if let Stmt::Assign(Place { root: Root::Var(var), .. }, value) = &leaving[at]
                && self.unread.contains(var)
                && !value.acts()
                && !mentions(&leaving[at + 1..], *var)
            {
                leaving.remove(at);
            }
        }
        let simple = |stmt: &Stmt| match stmt {
            Stmt::Assign(_, value) | Stmt::Declare(_, Some(value)) => !value.acts(),
            Stmt::Declare(_, None) => true,
            _ => false,
        };
        if leaving.len() > MOST || !leaving.iter().all(simple) {
            return None;
        }
        leaving.insert(0, Stmt::Assign(whole(self.flag), Expr::bool(true)));
        leaving.push(Stmt::Break);
        Some(leaving)
    }
}

/// What stands in the other branch where one leaves a loop stands behind.
fn rest_behind(list: &mut Vec<Stmt>) {
    let mut at = 0;
    while at < list.len() {
        if let Stmt::If { then, otherwise, .. } = &mut list[at]
            && !otherwise.is_empty()
            && matches!(then.last(), Some(Stmt::Break))
        {
            let rest = std::mem::take(otherwise);
            list.splice(at + 1..at + 1, rest);
        }
        at += 1;
    }
}

/// Removes what says nothing in statements that are repeated: variables that become what they are,
/// and those that are declared and not read.
fn forget(stmts: &mut Vec<Stmt>) {
    let itself = |stmt: &Stmt| match stmt {
        Stmt::Assign(Place { root: Root::Var(var), steps, .. }, value) => {
            steps.is_empty() && value.variable() == Some(*var)
        }
        _ => false,
    };
    stmts.retain(|stmt| !itself(stmt));
    for at in (0..stmts.len()).rev() {
        if let Stmt::Declare(var, value) = &stmts[at]
            && !value.as_ref().is_some_and(Expr::acts)
            && !mentions(&stmts[at + 1..], *var)
        {
            stmts.remove(at);
        }
    }
}

/// Whether a variable becomes what it is.
fn is_itself(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Assign(Place { root: Root::Var(var), steps, .. }, value) => {
            steps.is_empty() && value.variable() == Some(*var)
        }
        _ => false,
    }
}

fn whole(var: Var) -> Place {
    Place { root: Root::Var(var), steps: Vec::new(), of: BOOL }
}

/// A condition without the part that asks for a flag.
fn without(e: Expr, flag: Var) -> Expr {
    match e.kind {
        Kind::And(a, b) => {
            let (a, b) = (without(*a, flag), without(*b, flag));
            let none = FxHashMap::default();
            match (truth(&a, &none), truth(&b, &none)) {
                (Some(true), _) => b,
                (_, Some(true)) => a,
                _ => Expr::new(e.ty, Kind::And(Box::new(a), Box::new(b))),
            }
        }
        Kind::Not(ref inner) if inner.variable() == Some(flag) => Expr::bool(true),
        _ => e,
    }
}

/// What is known of variables where a condition is (or is not) true.
pub(super) fn learn(e: &Expr, holds: bool, known: &mut FxHashMap<Var, bool>) {
    match (&e.kind, holds) {
        (Kind::Not(inner), _) => learn(inner, !holds, known),
        (Kind::And(a, b), true) | (Kind::Or(a, b), false) => {
            learn(a, holds, known);
            learn(b, holds, known);
        }
        _ => {
            if let Some(var) = e.variable() {
                known.insert(var, holds);
            }
        }
    }
}

pub(super) fn truth(e: &Expr, known: &FxHashMap<Var, bool>) -> Option<bool> {
    match &e.kind {
        Kind::Literal(Literal::Bool(value)) => Some(*value),
        Kind::Zero if e.ty == BOOL => Some(false),
        Kind::Not(inner) => truth(inner, known).map(|value| !value),
        Kind::And(a, b) => match (truth(a, known), truth(b, known)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Kind::Or(a, b) => match (truth(a, known), truth(b, known)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        _ => known.get(&e.variable()?).copied(),
    }
}

/// An expression with what is known of variables.
pub(super) fn folded(mut e: Expr, known: &FxHashMap<Var, bool>) -> Expr {
    e.each_mut(&mut |inner| fold_here(inner, known));
    e
}

/// The same of an expression whose parts know it already.
pub(super) fn fold_here(e: &mut Expr, known: &FxHashMap<Var, bool>) {
    let empty = Expr::new(e.ty.clone(), Kind::Zero);
    if e.ty != BOOL {
        if let Kind::Choose(condition, yes, no) = &mut e.kind
            && let Some(value) = truth(condition, known)
        {
            let chosen = if value { yes } else { no };
            *e = std::mem::replace(chosen, empty);
        }
        return;
    }
    if let Some(value) = truth(e, known) {
        *e = Expr::bool(value);
        return;
    }
    match &mut e.kind {
        Kind::And(a, b) | Kind::Or(a, b) => {
            // What is known does not decide, so that the other one does.
            if truth(a, known).is_some() {
                *e = std::mem::replace(&mut **b, empty);
            } else if truth(b, known).is_some() {
                *e = std::mem::replace(&mut **a, empty);
            }
        }
        Kind::Choose(condition, yes, no) => {
            if let Some(value) = truth(condition, known) {
                let chosen = if value { yes } else { no };
                *e = std::mem::replace(&mut **chosen, empty);
            }
        }
        _ => {}
    }
}

/// Statements with what is known of variables, which they do not change.
pub(super) fn specialized(stmts: &[Stmt], known: &FxHashMap<Var, bool>) -> Vec<Stmt> {
    let mut out = Vec::new();
    for stmt in stmts {
        let mut stmt = stmt.clone();
        if let Stmt::If { condition, then, otherwise } = &stmt
            && let Some(value) = truth(condition, known)
            && !condition.acts()
        {
            out.extend(specialized(if value { then } else { otherwise }, known));
            continue;
        }
        for list in stmt.lists() {
            *list = specialized(list, known);
        }
        each_own(&mut stmt, &mut |e| *e = folded(e.clone(), known));
        let nothing = matches!(&stmt, Stmt::If { condition, then, otherwise } if then.is_empty() && otherwise.is_empty() && !condition.acts());
        if !nothing && !is_itself(&stmt) {
            out.push(stmt);
        }
    }
    out
}

/// The expressions of a statement that are not in one within.
fn each_own(stmt: &mut Stmt, f: &mut dyn FnMut(&mut Expr)) {
    match stmt {
        Stmt::Declare(_, Some(e)) | Stmt::Assign(_, e) | Stmt::Do(e) | Stmt::Return(Some(e)) => f(e),
        Stmt::If { condition: e, .. } | Stmt::Switch { value: e, .. } => f(e),
        Stmt::While { condition: Some(e), .. } => f(e),
        _ => {}
    }
}

/// A loop whose condition is all that its head asks has it in front.
fn condition_first(stmt: &mut Stmt) -> Option<()> {
    let Stmt::While { condition: condition @ None, body } = stmt else { return None };
    let Head { at, declared } = head(body)?;
    let Stmt::Declare(var, Some(value)) = &body[declared] else { return None };
    if at != 1 || mentions(&body[at + 1..], *var) {
        return None;
    }
    let value = value.clone();
    body.drain(..=at);
    *condition = (truth(&value, &FxHashMap::default()) != Some(true)).then_some(value);
    Some(())
}

/// A condition that is declared and asked at once, and never again, stands where it is asked; so
/// does what another variable becomes.
fn asked_at_once(list: &mut Vec<Stmt>, reads: &FxHashMap<Var, usize>, vars: &[Variable]) {
    for at in (1..list.len()).rev() {
        let Stmt::Declare(var, Some(value)) = &list[at - 1] else { continue };
        let (var, value) = (*var, value.clone());
        if reads.get(&var) != Some(&1) || value.acts() {
            continue;
        }
        if let Stmt::Assign(place, next) = &mut list[at]
            && matches!(place.root, Root::Var(_))
            && place.steps.is_empty()
            && next.variable() == Some(var)
        {
            *next = value;
            list.remove(at - 1);
            continue;
        }
        if vars[var.0].name != UNNAMED {
            continue;
        }
        let Stmt::If { condition, .. } = &mut list[at] else { continue };
        match &condition.kind {
            Kind::Not(inner) if inner.variable() == Some(var) => *condition = negate(value),
            _ if condition.variable() == Some(var) => *condition = value,
            _ => continue,
        }
        list.remove(at - 1);
    }
}
