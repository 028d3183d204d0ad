//! Parts of variables that stay as they are.
//!
//! The IR makes a new value of an aggregate of which a part changes. Where the parts that do not
//! are what they were, only the others are assigned.
//!
//! This module must not know: any language.

use super::prune::prune;
use crate::tree::{
    Arg, Expr, Function, Kind, Passed, Place, Root, Step, Stmt, Var, any_gives, each_expr, each_list, handed_over,
};
use crate::types::Ty;
use caustic_ir::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// Assigns nothing to what is that already.
pub fn keep_unchanged(function: &mut Function, passed: &FxHashMap<Name, Vec<Passed>>) {
    let mut given: FxHashMap<Var, usize> = FxHashMap::default();
    each_list(&mut function.body, &mut |list| {
        list.iter().filter_map(Stmt::gives).for_each(|var| *given.entry(var).or_default() += 1);
    });
    let known = Known { given: &given, passed };
    each_list(&mut function.body, &mut |list| {
        split(list, &known);
        drop_copies(list, &known);
    });
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    prune(&mut function.body, &params);
}

/// How often each variable is given a value, and how functions take their parameters.
struct Known<'a> {
    given: &'a FxHashMap<Var, usize>,
    passed: &'a FxHashMap<Name, Vec<Passed>>,
}

impl Known<'_> {
    /// The variables that callees and atomic updates may change.
    fn changed(&self, body: &[Stmt]) -> FxHashSet<Var> {
        let mut found = FxHashSet::default();
        let mut body = body.to_vec();
        each_expr(&mut body, &mut |e| match &mut e.kind {
            Kind::Call(callee, args) => {
                let how = self.passed.get(callee);
                let reads = |k: usize| how.and_then(|all| all.get(k)) == Some(&Passed::Constant);
                let mut number = 0;
                args.retain(|arg| {
                    number += 1;
                    matches!(arg, Arg::Value(_)) || !reads(number - 1)
                });
                found.extend(handed_over(&[Stmt::Do(e.clone())]));
            }
            Kind::Atomic { .. } => found.extend(handed_over(&[Stmt::Do(e.clone())])),
            _ => {}
        });
        found
    }
}

/// Whether a place is a variable, or a part of one that is known.
fn is_fixed(place: &Place) -> bool {
    matches!(place.root, Root::Var(_)) && place.steps.iter().all(|step| matches!(step, Step::Part(_)))
}

fn is_same(a: &Place, b: &Place) -> bool {
    let parts = |place: &Place| -> Vec<Option<usize>> {
        place.steps.iter().map(|step| if let Step::Part(k) = step { Some(*k) } else { None }).collect()
    };
    let roots = match (&a.root, &b.root) {
        (Root::Var(a), Root::Var(b)) => a == b,
        _ => false,
    };
    roots && is_fixed(a) && is_fixed(b) && parts(a) == parts(b)
}

/// Assigns the parts that change where others stay.
fn split(list: &mut Vec<Stmt>, known: &Known<'_>) {
    let mut at = 0;
    while at < list.len() {
        match parts_that_change(list, at, known) {
            Some(stmts) => {
                let count = stmts.len();
                list.splice(at..=at, stmts);
                at += count;
            }
            None => at += 1,
        }
    }
}

fn parts_that_change(list: &[Stmt], at: usize, known: &Known<'_>) -> Option<Vec<Stmt>> {
    let Stmt::Assign(place, value) = &list[at] else { return None };
    let (Kind::Make(parts), Root::Var(var)) = (&value.kind, &place.root) else { return None };
    if !is_fixed(place) || !matches!(value.ty, Ty::Struct(_)) {
        return None;
    }
    let part = |k: usize| {
        let mut part = place.clone();
        part.steps.push(Step::Part(k));
        part
    };
    let stays = |k: usize| holds(&parts[k], &part(k), &list[..at], known);
    // A struct has no member for what has no scalars.
    let changing: Vec<usize> = (0..parts.len()).filter(|&k| !parts[k].ty.is_empty() && !stays(k)).collect();
    // One that changes must not be read for another one.
    let apart = changing.len() < 2 || changing.iter().all(|&k| !parts[k].reads(*var));
    (changing.len() < parts.len() && apart)
        .then(|| changing.into_iter().map(|k| Stmt::Assign(part(k), parts[k].clone())).collect())
}

/// Removes assignments of a copy to what it is a copy of.
fn drop_copies(list: &mut Vec<Stmt>, known: &Known<'_>) {
    for at in (0..list.len()).rev() {
        if let Stmt::Assign(place, value) = &list[at]
            && is_fixed(place)
            && holds(value, place, &list[..at], known)
        {
            list.remove(at);
        }
    }
}

/// Whether a value is what a place holds: read there, or a copy that was made `before` while
/// nothing has changed since.
fn holds(value: &Expr, place: &Place, before: &[Stmt], known: &Known<'_>) -> bool {
    if let Kind::Read(from) = &value.kind
        && is_same(from, place)
    {
        return true;
    }
    let (Some(copy), Root::Var(var)) = (value.variable(), &place.root) else { return false };
    let is_copy = |stmt: &Stmt| match stmt {
        Stmt::Declare(declared, Some(Expr { kind: Kind::Read(from), .. })) => *declared == copy && is_same(from, place),
        _ => false,
    };
    let Some(from) = before.iter().rposition(is_copy).filter(|_| known.given.get(&copy) == Some(&1)) else {
        return false;
    };
    let between = &before[from + 1..];
    let handed = known.changed(between);
    !any_gives(between, *var) && !handed.contains(var) && !handed.contains(&copy)
}
