//! Structs that are assigned member by member, in languages that have no constructors.
//!
//! A function that makes a struct of parts of the variable that it goes to is no way out: glslang
//! follows what is `precise` back through arguments of calls, and does not end where a part of a
//! variable goes to the variable.

use super::exact::is_plain;
use crate::tree::{Expr, Kind, Place, Root, Step, Stmt, Var, Variable, handed_over};
use caustic_dialects::agg::StructType;
use rustc_hash::FxHashSet;

/// What becomes statements on its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// Values that are chosen.
    Chosen,
    /// Those that are made of their parts, too.
    Made,
}

/// Statements in which structs and arrays are made of their parts in variables, or are chosen for
/// them, by statements on their members.
pub fn by_members(body: Vec<Stmt>, split: Split, vars: &mut Vec<Variable>) -> Vec<Stmt> {
    let mut out = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::If { condition, then, otherwise } => {
                let (then, otherwise) = (by_members(then, split, vars), by_members(otherwise, split, vars));
                out.push(Stmt::If { condition, then, otherwise });
            }
            Stmt::For { counter, from, test, below, step, body } => {
                let body = by_members(body, split, vars);
                out.push(Stmt::For { counter, from, test, below, step, body });
            }
            Stmt::While { condition, body } => out.push(Stmt::While { condition, body: by_members(body, split, vars) }),
            Stmt::Switch { value, cases, default } => {
                let cases = cases.into_iter().map(|(n, body)| (n, by_members(body, split, vars))).collect();
                out.push(Stmt::Switch { value, cases, default: by_members(default, split, vars) });
            }
            Stmt::Declare(var, Some(value)) if is_split(&value, split) => {
                let place = Place { root: Root::Var(var), steps: Vec::new(), of: value.ty.clone() };
                out.push(Stmt::Declare(var, None));
                assign((place, value), split, vars, &mut out);
            }
            Stmt::Assign(place, value) if is_split(&value, split) && matches!(place.root, Root::Var(_)) => {
                assign((place, value), split, vars, &mut out);
            }
            other => out.push(other),
        }
    }
    out
}

/// Whether a value is no plain one and is made of parts or chosen.
fn is_split(value: &Expr, split: Split) -> bool {
    let made = match &value.kind {
        Kind::Make(parts) => split == Split::Made && parts.iter().any(|p| !p.ty.is_empty()),
        Kind::Choose(condition, ..) => !condition.ty.is_vector(),
        _ => false,
    };
    made && !is_plain(&value.ty) && !value.ty.is_empty()
}

fn assign((place, value): (Place, Expr), split: Split, vars: &mut Vec<Variable>, out: &mut Vec<Stmt>) {
    if matches!(&value.kind, Kind::Read(read) if is_same(read, &place)) {
        return;
    }
    if !is_split(&value, split) {
        out.push(Stmt::Assign(place, value));
        return;
    }
    let fields = if let crate::types::Ty::Struct(of) = &value.ty { StructType(*of).num_fields() } else { usize::MAX };
    match value.kind {
        Kind::Make(parts) => {
            let parts: Vec<(usize, Expr)> =
                parts.into_iter().enumerate().filter(|(k, part)| *k < fields && !part.ty.is_empty()).collect();
            // What reads the variable does so before it changes.
            let root = if let Root::Var(var) = place.root { var } else { Var(usize::MAX) };
            // What does something comes in the order of the parts.
            let acts = parts.iter().any(|(_, part)| part.acts());
            let alone = parts.len() == 1;
            let handed = handed_over(&parts.iter().map(|(_, part)| Stmt::Do(part.clone())).collect::<Vec<_>>());
            let mut ready = Vec::new();
            for (k, part) in parts {
                if is_member(&part, root, &place, k) {
                    continue;
                }
                let waits = !acts || stays(&part, &handed);
                if alone || waits && !part.reads(root) {
                    ready.push((k, part));
                    continue;
                }
                let var = Var(vars.len());
                vars.push(Variable::unnamed(part.ty.clone()));
                ready.push((k, Expr::var(var, part.ty.clone())));
                if is_split(&part, split) {
                    out.push(Stmt::Declare(var, None));
                    let to = Place { root: Root::Var(var), steps: Vec::new(), of: part.ty.clone() };
                    assign((to, part), split, vars, out);
                } else {
                    out.push(Stmt::Declare(var, Some(part)));
                }
            }
            for (k, part) in ready {
                let mut to = place.clone();
                to.steps.push(Step::Part(k));
                assign((to, part), split, vars, out);
            }
        }
        Kind::Choose(condition, yes, no) => {
            let (mut then, mut otherwise) = (Vec::new(), Vec::new());
            assign((place.clone(), *yes), split, vars, &mut then);
            assign((place, *no), split, vars, &mut otherwise);
            let (mut condition, mut then, mut otherwise) = (*condition, then, otherwise);
            if then.is_empty() {
                (then, otherwise) = (otherwise, then);
                condition = Expr::new(condition.ty.clone(), Kind::Not(Box::new(condition)));
            }
            out.push(Stmt::If { condition, then, otherwise });
        }
        _ => {}
    }
}

/// Whether a value is the same after calls that are handed these variables.
fn stays(part: &Expr, handed: &FxHashSet<Var>) -> bool {
    let mut stays = true;
    part.each(&mut |e| {
        stays &= match &e.kind {
            Kind::Read(place) => match &place.root {
                Root::Var(var) => !handed.contains(var),
                Root::Uniform(_, index) => index.is_none(),
                Root::Element { .. } => false,
            },
            Kind::Literal(_) | Kind::Zero | Kind::Op { .. } | Kind::Compare(..) | Kind::Not(_) | Kind::Convert(_) => {
                true
            }
            Kind::Make(_) | Kind::Splat(_) | Kind::Part(..) | Kind::Swizzle(..) | Kind::Id(..) => true,
            _ => false,
        }
    });
    stays
}

/// Whether a place that is read is the one that is assigned.
fn is_same(read: &Place, place: &Place) -> bool {
    let fixed = |step: &Step| if let Step::Part(k) = step { Some(*k) } else { None };
    matches!((&read.root, &place.root), (Root::Var(a), Root::Var(b)) if a == b)
        && read.steps.len() == place.steps.len()
        && read.steps.iter().zip(&place.steps).all(|(a, b)| fixed(a).is_some() && fixed(a) == fixed(b))
}

/// Whether a value is the part of a variable that it goes to.
fn is_member(part: &Expr, root: Var, place: &Place, k: usize) -> bool {
    let Kind::Read(read) = &part.kind else { return false };
    let fixed = |step: &Step| if let Step::Part(k) = step { Some(*k) } else { None };
    let wanted = place.steps.iter().map(fixed).chain([Some(k)]);
    matches!(read.root, Root::Var(var) if var == root)
        && read.steps.len() == place.steps.len() + 1
        && read.steps.iter().map(fixed).zip(wanted).all(|(a, b)| a.is_some() && a == b)
}
