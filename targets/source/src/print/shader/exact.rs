//! Which variables are declared `precise`: those that sums, differences, products and quotients of
//! floats go into. A compiler may not round a product and a sum once then.

use super::members::{Split, by_members};
use super::outward::assign_members;
use crate::tree::{Access, Arg, Buffer, Expr, Function, Kind, Passed, Place, Root, Step, Stmt, Var, Variable};
use crate::types::{Signs, Ty, is_integer};
use caustic_dialects::arith;
use caustic_ir::Name;
use rustc_hash::FxHashSet;

/// The variables of a function that arithmetic of floats goes into.
pub fn exact_variables(function: &Function) -> FxHashSet<Var> {
    exact_of(&function.body)
}

fn exact_of(body: &[Stmt]) -> FxHashSet<Var> {
    let mut found = FxHashSet::default();
    let mut open: Vec<&Stmt> = body.iter().collect();
    while let Some(stmt) = open.pop() {
        match stmt {
            Stmt::Declare(var, Some(value)) if computes(value) || gives_struct(value) => {
                found.insert(*var);
            }
            Stmt::Assign(place, value) => {
                if let Root::Var(var) = place.root
                    && computes(value)
                {
                    found.insert(var);
                }
            }
            Stmt::If { then, otherwise, .. } => open.extend(then.iter().chain(otherwise)),
            Stmt::For { body, .. } | Stmt::While { body, .. } => open.extend(body),
            Stmt::Switch { cases, default, .. } => {
                open.extend(cases.iter().flat_map(|(_, body)| body).chain(default));
            }
            _ => {}
        }
    }
    found
}

/// Structs that are declared without a value.
pub fn cleared_structs(function: &Function) -> Vec<Var> {
    let mut found = Vec::new();
    each_stmt(&function.body, &mut |stmt| match stmt {
        Stmt::Declare(var, None) if matches!(function.vars[var.0].ty, Ty::Struct(_)) => found.push(*var),
        _ => {}
    });
    found
}

/// Whether a value is a struct that a function gives. Glslang crashes where it follows what is
/// `precise` through a variable of one that is not.
fn gives_struct(value: &Expr) -> bool {
    matches!(value.kind, Kind::Call(..)) && matches!(value.ty, Ty::Struct(_))
}

/// Whether floats are added or multiplied in an expression.
pub fn computes(e: &Expr) -> bool {
    let mut found = false;
    e.each(&mut |inner| {
        if let Kind::Op { row, .. } = &inner.kind {
            let ops = [arith::AddF::DEF, arith::SubF::DEF, arith::MulF::DEF, arith::DivF::DEF];
            found |= ops.into_iter().any(|def| std::ptr::eq(def, row.op));
        }
    });
    found
}

/// Whether what a function returns is a result of arithmetic.
pub fn returns_computed(function: &Function) -> bool {
    let mut found = false;
    each_stmt(&function.body, &mut |stmt| {
        found |= matches!(stmt, Stmt::Return(Some(value)) if computes(value));
    });
    found
}

fn each_stmt(stmts: &[Stmt], f: &mut dyn FnMut(&Stmt)) {
    for stmt in stmts {
        f(stmt);
        match stmt {
            Stmt::If { then, otherwise, .. } => [then, otherwise].into_iter().for_each(|body| each_stmt(body, f)),
            Stmt::For { body, .. } | Stmt::While { body, .. } => each_stmt(body, f),
            Stmt::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, body)| each_stmt(body, f));
                each_stmt(default, f);
            }
            _ => {}
        }
    }
}

/// Memory that arithmetic must not go into directly.
#[derive(Clone, Copy)]
pub enum Inexact<'a> {
    /// All of it, parts of variables, and what a function hands out.
    All,
    Words(&'a FxHashSet<Name>),
}

/// Gives a variable to arithmetic that goes into none, so that the variable can be `precise`: in
/// conditions, and in what statements hand over. All ops are defined for all operands, so that
/// computing one earlier changes nothing. What is written to words is handed over.
pub fn isolate(function: &mut Function, memory: Inexact<'_>, signs: &Signs) {
    let mut body = std::mem::take(&mut function.body);
    let split = if matches!(memory, Inexact::All) { Split::Made } else { Split::Chosen };
    body = by_members(body, split, &mut function.vars);
    let handed = function.params.iter().filter(|(_, passed)| matches!(passed, Passed::InOut | Passed::Out));
    let handed: FxHashSet<Var> = handed.map(|(var, _)| *var).collect();
    if matches!(memory, Inexact::All) {
        assign_members(&mut body, &handed, &mut function.vars, signs);
    }
    let mut body = isolated(body, &mut function.vars, (memory, &handed));
    // A parameter that is handed over by value cannot be `precise`: a variable takes its place.
    let computed = exact_of(&body);
    for (var, passed) in &mut function.params {
        if *passed == Passed::Value && computed.contains(var) {
            let old = function.vars[var.0].clone();
            let given = Var(function.vars.len());
            body.insert(0, Stmt::Declare(*var, Some(Expr::var(given, old.ty.clone()))));
            function.vars.push(old);
            *var = given;
        }
    }
    function.body = body;
}

fn isolated(body: Vec<Stmt>, vars: &mut Vec<Variable>, memory: (Inexact<'_>, &FxHashSet<Var>)) -> Vec<Stmt> {
    let mut out = Vec::new();
    for mut stmt in body {
        if matches!(memory.0, Inexact::All) {
            let mut parts = Vec::new();
            hoist_into_structs(&mut stmt, vars, &mut parts);
            for mut part in parts {
                hoist_parts(&mut part, vars, &mut out);
                out.push(part);
            }
        }
        hoist_indices(&mut stmt, vars, &mut out);
        hoist_parts(&mut stmt, vars, &mut out);
        match stmt {
            Stmt::If { mut condition, then, otherwise } => {
                hoist(&mut condition, vars, &mut out);
                let (then, otherwise) = (isolated(then, vars, memory), isolated(otherwise, vars, memory));
                out.push(Stmt::If { condition, then, otherwise });
            }
            Stmt::While { condition, body } => {
                let body = isolated(body, vars, memory);
                match condition {
                    Some(condition) if computes(&condition) => {
                        let mut inner = Vec::new();
                        let mut kept = Stmt::Do(condition);
                        hoist_indices(&mut kept, vars, &mut inner);
                        hoist_parts(&mut kept, vars, &mut inner);
                        let Stmt::Do(mut condition) = kept else { continue };
                        hoist(&mut condition, vars, &mut inner);
                        let stop = Expr::new(condition.ty.clone(), Kind::Not(Box::new(condition)));
                        inner.push(Stmt::If { condition: stop, then: vec![Stmt::Break], otherwise: Vec::new() });
                        inner.extend(body);
                        out.push(Stmt::While { condition: None, body: inner });
                    }
                    condition => out.push(Stmt::While { condition, body }),
                }
            }
            Stmt::For { counter, mut from, test, mut below, mut step, body } => {
                [&mut from, &mut below, &mut step].into_iter().for_each(|e| hoist(e, vars, &mut out));
                let body = isolated(body, vars, memory);
                out.push(Stmt::For { counter, from, test, below, step, body });
            }
            Stmt::Switch { mut value, cases, default } => {
                hoist(&mut value, vars, &mut out);
                let cases = cases.into_iter().map(|(n, body)| (n, isolated(body, vars, memory))).collect();
                let default = isolated(default, vars, memory);
                out.push(Stmt::Switch { value, cases, default });
            }
            Stmt::Do(mut value) => {
                hoist_handed(&mut value, vars, &mut out);
                out.push(Stmt::Do(value));
            }
            Stmt::TexelStore { texture, mut args } => {
                args.iter_mut().for_each(|a| hoist(a, vars, &mut out));
                out.push(Stmt::TexelStore { texture, args });
            }
            Stmt::Declare(var, Some(mut value)) => {
                if matches!(value.kind, Kind::Atomic { .. }) {
                    hoist_handed(&mut value, vars, &mut out);
                }
                out.push(Stmt::Declare(var, Some(value)));
            }
            Stmt::Assign(place, mut value) => {
                let in_bytes = match (&place.root, memory.0) {
                    (Root::Var(var), Inexact::All) => !place.steps.is_empty() || memory.1.contains(var),
                    (_, Inexact::All) => true,
                    (Root::Element { buffer: Buffer::Resource(name, _), how, .. }, Inexact::Words(words)) => {
                        *how != Access::Elements || words.contains(name)
                    }
                    (Root::Element { how, .. }, _) => *how != Access::Elements,
                    _ => false,
                };
                if in_bytes {
                    hoist(&mut value, vars, &mut out);
                } else if matches!(value.kind, Kind::Atomic { .. }) {
                    hoist_handed(&mut value, vars, &mut out);
                }
                out.push(Stmt::Assign(place, value));
            }
            other => out.push(other),
        }
    }
    out
}

/// Compilers do not look through a part of a result: the result becomes a variable. Where numbers
/// of 64 bits are two words, one of a narrower type is a part, too.
fn hoist_parts(stmt: &mut Stmt, vars: &mut Vec<Variable>, out: &mut Vec<Stmt>) {
    let mut parts = |e: &mut Expr| {
        e.each_mut(&mut |inner| {
            let narrower = inner.ty.scalar().is_some_and(|s| s.size() < 8);
            match &mut inner.kind {
                Kind::Part(whole, _) | Kind::Swizzle(whole, _) => hoist(whole, vars, out),
                Kind::Convert(whole)
                    if narrower && whole.ty.scalar().is_some_and(|s| is_integer(s) && s.size() == 8) =>
                {
                    hoist(whole, vars, out);
                }
                _ => {}
            }
        });
    };
    match stmt {
        Stmt::Declare(_, Some(value)) | Stmt::Return(Some(value)) | Stmt::Assign(_, value) | Stmt::Do(value) => {
            parts(value)
        }
        Stmt::If { condition, .. } => parts(condition),
        Stmt::Switch { value, .. } => parts(value),
        _ => {}
    }
}

/// Nor do they look into the index of a place: what it is computed of becomes a variable.
fn hoist_indices(stmt: &mut Stmt, vars: &mut Vec<Variable>, out: &mut Vec<Stmt>) {
    let mut indices = |place: &mut Place| {
        if let Root::Element { index, .. } = &mut place.root {
            hoist(index, vars, out);
        }
        for step in &mut place.steps {
            if let Step::Index(index) = step {
                hoist(index, vars, out);
            }
        }
    };
    let within = |e: &mut Expr, indices: &mut dyn FnMut(&mut Place)| {
        e.each_mut(&mut |inner| {
            if let Kind::Read(place) | Kind::Atomic { place, .. } = &mut inner.kind {
                indices(place);
            }
        });
    };
    match stmt {
        Stmt::Assign(place, value) => {
            within(value, &mut indices);
            indices(place);
        }
        Stmt::Declare(_, Some(value)) | Stmt::Return(Some(value)) | Stmt::Do(value) => within(value, &mut indices),
        Stmt::If { condition, .. } => within(condition, &mut indices),
        Stmt::Switch { value, .. } => within(value, &mut indices),
        _ => {}
    }
}

/// A struct that is `precise` takes compilers too long, which look at all ways that its members go:
/// what its members are made of becomes variables.
fn hoist_into_structs(stmt: &mut Stmt, vars: &mut Vec<Variable>, out: &mut Vec<Stmt>) {
    let mut parts = |e: &mut Expr| {
        e.each_mut(&mut |inner| {
            if is_plain(&inner.ty) {
                return;
            }
            let mut part = |e: &mut Expr| {
                if is_plain(&e.ty) {
                    hoist(e, vars, out);
                }
            };
            match &mut inner.kind {
                Kind::Op { args, .. } | Kind::Make(args) => args.iter_mut().for_each(part),
                Kind::Splat(a) | Kind::Convert(a) => part(a),
                Kind::Choose(condition, a, b) => [condition, a, b].into_iter().for_each(|e| part(e)),
                Kind::Call(_, args) => args.iter_mut().for_each(|arg| {
                    if let Arg::Value(value) = arg {
                        part(value);
                    }
                }),
                _ => {}
            }
        });
    };
    match stmt {
        Stmt::Declare(_, Some(value)) | Stmt::Return(Some(value)) | Stmt::Assign(_, value) | Stmt::Do(value) => {
            parts(value)
        }
        _ => {}
    }
}

/// Whether a language has such values without structs.
pub fn is_plain(ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(_) => true,
        Ty::Vector { shape, .. } => matches!(shape[..], [2..=4]),
        _ => false,
    }
}

/// Moves an expression into a variable before its statement, if it computes.
fn hoist(e: &mut Expr, vars: &mut Vec<Variable>, out: &mut Vec<Stmt>) {
    if !computes(e) {
        return;
    }
    vars.push(Variable::unnamed(e.ty.clone()));
    let var = Var(vars.len() - 1);
    let value = std::mem::replace(e, Expr::var(var, e.ty.clone()));
    out.push(Stmt::Declare(var, Some(value)));
}

/// The same for what a call or an update is given.
fn hoist_handed(e: &mut Expr, vars: &mut Vec<Variable>, out: &mut Vec<Stmt>) {
    match &mut e.kind {
        Kind::Call(_, args) => {
            for arg in args {
                if let Arg::Value(value) = arg {
                    hoist(value, vars, out);
                }
            }
        }
        Kind::Atomic { args, .. } => args.iter_mut().for_each(|a| hoist(a, vars, out)),
        _ => {}
    }
}
