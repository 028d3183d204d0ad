//! Branches that are nested deeper than a language's compilers take.
//!
//! Where the deepest branch of a branch stands at its end, it runs behind the whole instead, if a
//! flag says that it is its turn:
//!
//! ```text
//! if a { A } else if b { B } else { C }   =>   rest = false
//!                                              if a { A } else { rest = true }
//!                                              if rest { if b { B } else { C } }
//! ```
//!
//! What is declared inside and read by what is moved is declared before all of it.
//!
//! Invariant: nothing stands between the end of what is moved and where it is moved to, and both
//! are in the same loop.
//!
//! This module must not know: any language.

use crate::tree::{Expr, Function, Kind, Named, Place, Stmt, Var, Variable, visit_all};
use crate::types::BOOL;
use rustc_hash::FxHashSet;

/// Leaves no more than `most` blocks around a statement, where that can be.
pub fn unnest(function: &mut Function, most: usize) {
    if nested(&function.body) <= most {
        return;
    }
    let mut body = std::mem::take(&mut function.body);
    let before = function.vars.len();
    flatten(&mut body, 1, most, &mut function.vars);
    // That all branches returned is no longer seen.
    if let Some(ty) = function.result.clone()
        && function.vars.len() > before
        && !matches!(body.last(), Some(Stmt::Return(_)))
    {
        body.push(Stmt::Return(Some(Expr::new(ty, Kind::Zero))));
    }
    function.body = body;
}

/// The blocks that a statement nests.
fn height(stmt: &Stmt) -> usize {
    let inner = stmt.bodies().map(height_of).max().unwrap_or(0);
    match stmt {
        Stmt::If { .. } => inner + 1,
        // A loop's body, and that of a case, is a block in a block.
        Stmt::For { .. } | Stmt::While { .. } | Stmt::Switch { .. } => inner + 2,
        _ => 0,
    }
}

/// The most blocks around a statement of a function's.
pub fn nested(body: &[Stmt]) -> usize {
    1 + height_of(body)
}

fn height_of(list: &[Stmt]) -> usize {
    list.iter().map(height).max().unwrap_or(0)
}

fn flatten(list: &mut Vec<Stmt>, depth: usize, most: usize, vars: &mut Vec<Variable>) {
    let mut at = 0;
    while at < list.len() {
        if depth + height(&list[at]) > most {
            let flag = Var(vars.len());
            if let Some(moved) = cut(&mut list[at], most.saturating_sub(depth + 2), flag) {
                vars.push(Variable { name: "rest".to_string(), ty: BOOL });
                let shared = declared_for(&list[at], &moved);
                list[at].lists().into_iter().for_each(|inner| assign_instead(inner, &shared, vars));
                let behind = Stmt::If { condition: Expr::var(flag, BOOL), then: moved, otherwise: Vec::new() };
                list.insert(at + 1, behind);
                let before = shared.into_iter().map(|var| Stmt::Declare(var, None));
                let before: Vec<Stmt> = before.chain([Stmt::Declare(flag, Some(Expr::bool(false)))]).collect();
                let count = before.len();
                list.splice(at..at, before);
                at += count;
            }
            let inside = if matches!(list[at], Stmt::If { .. }) { depth + 1 } else { depth + 2 };
            list[at].lists().into_iter().for_each(|inner| flatten(inner, inside, most, vars));
        }
        at += 1;
    }
}

/// The variables that are declared in a statement, and named by what is moved behind it.
fn declared_for(stmt: &Stmt, moved: &[Stmt]) -> Vec<Var> {
    let mut named = FxHashSet::default();
    visit_all(&mut moved.to_vec(), &mut |name| {
        if let Named::Var(var) = name {
            named.insert(*var);
        }
    });
    let (mut own, mut inside) = (Vec::new(), moved.iter().collect::<Vec<_>>());
    while let Some(stmt) = inside.pop() {
        named.extend(stmt.gives());
        own.extend(stmt.gives().filter(|_| !matches!(stmt, Stmt::Assign(..))));
        inside.extend(stmt.bodies().flatten());
    }
    own.iter().for_each(|var| {
        named.remove(var);
    });
    let (mut found, mut open) = (Vec::new(), vec![stmt]);
    while let Some(stmt) = open.pop() {
        if let Stmt::Declare(var, _) = stmt
            && named.remove(var)
        {
            found.push(*var);
        }
        open.extend(stmt.bodies().flatten());
    }
    found
}

/// Assigns to variables that are declared elsewhere.
fn assign_instead(list: &mut [Stmt], vars: &[Var], types: &[Variable]) {
    for stmt in list {
        if let Stmt::Declare(var, value) = stmt
            && vars.contains(var)
        {
            let ty = types[var.0].ty.clone();
            let value = value.take().unwrap_or_else(|| Expr::new(ty.clone(), Kind::Zero));
            *stmt = Stmt::Assign(Place::var(*var, ty), value);
        }
        stmt.lists().into_iter().for_each(|inner| assign_instead(inner, vars, types));
    }
}

/// Takes out of a branch the deepest branch that is at its end, as far inside as there is room.
fn cut(stmt: &mut Stmt, room: usize, flag: Var) -> Option<Vec<Stmt>> {
    let (mut stmt, mut level) = (stmt, 0);
    loop {
        let Stmt::If { then, otherwise, .. } = stmt else { return None };
        let deep = if height_of(then) > height_of(otherwise) { then } else { otherwise };
        let most = height_of(deep);
        let goes_on = deep.last().is_some_and(|last| matches!(last, Stmt::If { .. }) && height(last) == most);
        if !goes_on || level >= room {
            if level == 0 || most == 0 {
                return None;
            }
            let set = Stmt::Assign(Place::var(flag, BOOL), Expr::bool(true));
            return Some(std::mem::replace(deep, vec![set]));
        }
        stmt = deep.last_mut()?;
        level += 1;
    }
}
