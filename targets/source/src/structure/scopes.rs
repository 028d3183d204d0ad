//! Whether variables are declared where they are used.
//!
//! A variable is declared around all that it is assigned, as far as blocks tell. Where an op of
//! which nothing is written was to declare it, or its first assignment is deeper inside, that is
//! too late: it is declared in front of all then.
//!
//! This module must not know: any language.

use crate::tree::{Function, Named, Place, Stmt, Var, mentions, visit_all};
use rustc_hash::FxHashSet;

/// Declares what is used where no declaration is seen. Afterwards all is declared.
pub fn declare_missing(function: &mut Function) {
    while let Some(var) = undeclared(function) {
        let place = Place::var(var, function.vars[var.0].ty.clone());
        assign_instead(&mut function.body, var, &place);
        let at = function.body.iter().position(|stmt| mentions(std::slice::from_ref(stmt), var)).unwrap_or(0);
        function.body.insert(at, Stmt::Declare(var, None));
    }
}

fn assign_instead(body: &mut Vec<Stmt>, var: Var, place: &Place) {
    body.retain(|stmt| !matches!(stmt, Stmt::Declare(v, None) if *v == var));
    for stmt in body {
        if let Stmt::Declare(v, Some(value)) = stmt
            && *v == var
        {
            *stmt = Stmt::Assign(place.clone(), value.clone());
        }
        stmt.lists().into_iter().for_each(|inner| assign_instead(inner, var, place));
    }
}

/// A variable that is used where no declaration of it is seen. The function stays as it is.
pub fn undeclared(function: &mut Function) -> Option<Var> {
    let elsewhere = function.params.iter().map(|(var, _)| *var).chain(function.tables.iter().map(|(var, _)| *var));
    let mut seen: FxHashSet<Var> = elsewhere.collect();
    list(&mut function.body, &mut seen)
}

fn list(body: &mut [Stmt], seen: &mut FxHashSet<Var>) -> Option<Var> {
    for stmt in body {
        // What is declared in a list is seen in what follows of it.
        let mut declared = match stmt {
            Stmt::Declare(var, _) | Stmt::For { counter: var, .. } => Some(*var),
            _ => None,
        };
        let mut lists: Vec<Vec<Stmt>> = stmt.lists().into_iter().map(std::mem::take).collect();
        let mut found = stmt.gives().filter(|var| Some(*var) != declared && !seen.contains(var));
        visit_all(std::slice::from_mut(stmt), &mut |named| {
            if let Named::Var(var) = named
                && Some(*var) != declared
                && !seen.contains(var)
            {
                found = Some(*var);
            }
        });
        for inner in &mut lists {
            if found.is_none() {
                let mut inside = seen.clone();
                inside.extend(declared);
                found = list(inner, &mut inside);
            }
        }
        if let Stmt::For { .. } = stmt {
            declared = None;
        }
        for (place, inner) in stmt.lists().into_iter().zip(lists) {
            *place = inner;
        }
        if found.is_some() {
            return found;
        }
        seen.extend(declared);
    }
    None
}
