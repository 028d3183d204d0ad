//! Structs and matrices that a function hands out through its parameters: they are assigned member
//! by member. Glslang follows what is `precise` back through all that a variable is given, and goes
//! round without end where a whole goes into a parameter whose parts were read for it.
//!
//! This module must not know: how anything is spelled.

use super::exact::is_plain;
use crate::tree::{Expr, Kind, Place, Root, Step, Stmt, Var, Variable, each_list};
use crate::types::{Signs, Ty};
use caustic_dialects::agg::StructType;
use rustc_hash::FxHashSet;

/// The most members that are assigned on their own; where there are more, the whole is.
const MOST: usize = 64;

/// Takes such assignments to one of the `handed` parameters apart.
pub fn assign_members(body: &mut Vec<Stmt>, handed: &FxHashSet<Var>, vars: &mut Vec<Variable>, signs: &Signs) {
    each_list(body, &mut |list| {
        let mut out = Vec::new();
        for stmt in std::mem::take(list) {
            match stmt {
                Stmt::Assign(place, value) if goes_out(&place, handed) && !is_plain(&value.ty) => {
                    apart((place, value), vars, signs, &mut out);
                }
                other => out.push(other),
            }
        }
        *list = out;
    });
}

/// Whether a place is a parameter, or a part of one that is known.
fn goes_out(place: &Place, handed: &FxHashSet<Var>) -> bool {
    matches!(place.root, Root::Var(var) if handed.contains(&var)) && is_fixed(place)
}

fn is_fixed(place: &Place) -> bool {
    place.steps.iter().all(|step| matches!(step, Step::Part(_)))
}

fn apart((place, value): (Place, Expr), vars: &mut Vec<Variable>, signs: &Signs, out: &mut Vec<Stmt>) {
    let mut paths = Vec::new();
    if leaves(&value.ty, signs, &mut Vec::new(), &mut paths).is_none() {
        out.push(Stmt::Assign(place, value));
        return;
    }
    let from = match value.kind {
        Kind::Read(from) if matches!(from.root, Root::Var(_)) && is_fixed(&from) => from,
        kind => {
            let var = Var(vars.len());
            vars.push(Variable::unnamed(value.ty.clone()));
            let from = Place { root: Root::Var(var), steps: Vec::new(), of: value.ty.clone() };
            out.push(Stmt::Declare(var, Some(Expr::new(value.ty, kind))));
            from
        }
    };
    let part = |of: &Place, path: &[usize]| {
        let mut part = of.clone();
        part.steps.extend(path.iter().map(|&k| Step::Part(k)));
        part
    };
    for (path, ty) in paths {
        out.push(Stmt::Assign(part(&place, &path), Expr::new(ty, Kind::Read(part(&from, &path)))));
    }
}

/// The paths to the plain parts of a value with their types; nothing if there are too many, or
/// parts of another kind.
fn leaves(ty: &Ty, signs: &Signs, path: &mut Vec<usize>, found: &mut Vec<(Vec<usize>, Ty)>) -> Option<()> {
    if ty.is_empty() {
        return Some(());
    }
    if is_plain(ty) {
        found.push((path.clone(), ty.clone()));
        return (found.len() <= MOST).then_some(());
    }
    let parts = match ty {
        Ty::Struct(of) => StructType(*of).num_fields(),
        Ty::Array(count, _) => usize::try_from(*count).ok()?,
        Ty::Vector { shape, .. } => *shape.first()? as usize,
        _ => return None,
    };
    for k in 0..parts {
        path.push(k);
        let part = signs.part(ty, k as i64)?;
        leaves(&part, signs, path, found)?;
        path.pop();
    }
    Some(())
}
