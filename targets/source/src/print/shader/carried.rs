//! Structs that a loop reads at a place which depends on what it has read of such a struct before:
//! a list that is followed. Glslang follows what is `precise` back through the struct, the index
//! and the loop, and does not end. The fields that are read become variables.
//!
//! This module must not know: how anything is spelled.

use crate::tree::{
    Expr, Function, Kind, Named, Place, Root, Step, Stmt, Var, Variable, any_gives, each_expr, each_list, handed_over,
    visit_all,
};
use crate::types::{Signs, Ty};
use caustic_dialects::agg::StructType;
use rustc_hash::FxHashSet;

/// Takes such structs apart.
pub fn split_carried(function: &mut Function, signs: &Signs) {
    let (mut body, vars) = (std::mem::take(&mut function.body), &mut function.vars);
    let handed = handed_over(&body);
    each_list(&mut body, &mut |list| {
        for stmt in list {
            if let Stmt::For { body, .. } | Stmt::While { body, .. } = stmt {
                each_list(&mut body.clone(), &mut |inner| {
                    for read in inner {
                        if let Some(var) = carried(read, body, &handed) {
                            split(body, var, vars, signs);
                        }
                    }
                });
            }
        }
    });
    function.body = body;
}

/// A struct that is read from a resource, at a place that the loop changes.
fn carried(stmt: &Stmt, body: &[Stmt], handed: &FxHashSet<Var>) -> Option<Var> {
    let Stmt::Declare(var, Some(value)) = stmt else { return None };
    let Kind::Read(Place { root: Root::Element { index, .. }, .. }) = &value.kind else { return None };
    let mut changes = false;
    (**index).clone().visit(&mut |named| {
        if let Named::Var(var) = named {
            changes |= any_gives(body, *var);
        }
    });
    (matches!(value.ty, Ty::Struct(_)) && changes && !handed.contains(var)).then_some(*var)
}

/// Declares the fields of a struct that are read, if it is read by its fields alone.
fn split(body: &mut Vec<Stmt>, var: Var, vars: &mut Vec<Variable>, signs: &Signs) -> Option<()> {
    let Ty::Struct(of) = vars[var.0].ty.clone() else { return None };
    let (mut fields, mut reads, mut all, mut given) = (Vec::new(), 0, 0, 0);
    each_expr(body, &mut |e| {
        if let Kind::Read(Place { root: Root::Var(v), steps, .. }) = &e.kind
            && *v == var
            && let Some(Step::Part(k)) = steps.first()
        {
            reads += 1;
            if !fields.contains(k) {
                fields.push(*k);
            }
        }
    });
    visit_all(body, &mut |named| all += usize::from(matches!(named, Named::Var(v) if *v == var)));
    each_list(&mut body.clone(), &mut |list| given += list.iter().filter(|s| s.gives() == Some(var)).count());
    if reads != all || given != 1 {
        return None;
    }
    fields.sort_unstable();
    let mut made = Vec::new();
    for k in fields {
        let ty = signs.part(&Ty::Struct(of), k as i64)?;
        let name = format!("{}_{}", vars[var.0].name, StructType(of).field(k)?.name);
        vars.push(Variable { name, ty: ty.clone() });
        made.push((k, Var(vars.len() - 1), ty));
    }
    each_expr(body, &mut |e| {
        let Kind::Read(place) = &mut e.kind else { return };
        let (Root::Var(v), Some(Step::Part(k))) = (&place.root, place.steps.first()) else { return };
        if let Some((_, field, ty)) = made.iter().find(|m| *v == var && m.0 == *k) {
            (place.root, place.of) = (Root::Var(*field), ty.clone());
            place.steps.remove(0);
        }
    });
    each_list(body, &mut |list| {
        let Some(at) = list.iter().position(|s| s.gives() == Some(var)) else { return };
        let Stmt::Declare(_, Some(Expr { kind: Kind::Read(whole), .. })) = list.remove(at) else { return };
        let field = |(k, field, ty): &(usize, Var, Ty)| {
            let mut place = whole.clone();
            place.steps.push(Step::Part(*k));
            Stmt::Declare(*field, Some(Expr::new(ty.clone(), Kind::Read(place))))
        };
        list.splice(at..at, made.iter().map(field));
    });
    Some(())
}
