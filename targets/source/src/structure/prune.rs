//! Removes variables that nobody reads, with what is only computed for them.

use crate::tree::{Expr, Function, Kind, Named, Root, Stmt, Var, visit_all};
use rustc_hash::FxHashSet;

/// What is left of a function's statements; its parameters are `kept`.
pub fn prune(body: &mut Vec<Stmt>, kept: &FxHashSet<Var>) {
    loop {
        let mut read = kept.clone();
        visit_all(body, &mut |named| {
            if let Named::Var(var) = named {
                read.insert(*var);
            }
        });
        if !remove(body, &read) {
            return;
        }
    }
}

/// Takes from a function what is computed only to be printed, for a language that prints nothing;
/// what a call or an update does besides is still done.
pub fn silence(function: &mut Function) {
    silence_all(&mut function.body);
    prune(&mut function.body, &function.params.iter().map(|(var, _)| *var).collect());
}

fn silence_all(body: &mut Vec<Stmt>) {
    for mut stmt in std::mem::take(body) {
        match &mut stmt {
            Stmt::Print { args, .. } => body.extend(std::mem::take(args).into_iter().filter(does).map(Stmt::Do)),
            Stmt::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(silence_all),
            Stmt::For { body, .. } | Stmt::While { body, .. } => silence_all(body),
            Stmt::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, body)| silence_all(body));
                silence_all(default);
            }
            _ => {}
        }
        body.push(stmt);
    }
}

/// Whether a value's computation may do something besides.
fn does(value: &Expr) -> bool {
    let mut found = false;
    value.each(&mut |e| found |= matches!(e.kind, Kind::Call(..) | Kind::Atomic { .. } | Kind::Count(..)));
    found
}

/// Removes assignments of variables that are not read; whether there were any.
fn remove(body: &mut Vec<Stmt>, read: &FxHashSet<Var>) -> bool {
    let mut changed = false;
    let old = std::mem::take(body);
    for mut stmt in old {
        let unread = match &stmt {
            Stmt::Declare(var, value) => (!read.contains(var)).then(|| value.clone()),
            Stmt::Assign(place, value) => match place.root {
                Root::Var(var) if !read.contains(&var) => Some(Some(value.clone())),
                _ => None,
            },
            _ => None,
        };
        if let Some(value) = unread {
            changed = true;
            body.extend(value.filter(|v| v.acts()).map(Stmt::Do));
            continue;
        }
        let empty = match &mut stmt {
            Stmt::If { then, otherwise, condition } => {
                changed |= remove(then, read) | remove(otherwise, read);
                then.is_empty() && otherwise.is_empty() && !condition.acts()
            }
            Stmt::For { body, .. } => {
                changed |= remove(body, read);
                body.is_empty()
            }
            Stmt::While { body, .. } => {
                changed |= remove(body, read);
                false
            }
            Stmt::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, body)| changed |= remove(body, read));
                changed |= remove(default, read);
                false
            }
            _ => false,
        };
        if empty {
            changed = true;
        } else {
            body.push(stmt);
        }
    }
    changed
}
