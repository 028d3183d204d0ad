//! Numbers of 64 bits that are no wider than 32: counters of loops, trip counts, indices.
//!
//! The IR counts in 64 bits, so that no count overflows. Where all that a variable is assigned was
//! widened before, it holds 32 bits, and what is compared or cut again is so as it was. Shading
//! languages ask for it: not all machines have wide numbers, and those that have them are slow at
//! them.
//!
//! This module must not know: any language.

use crate::ops;
use crate::tree::{Arg, Expr, Function, Kind, Literal, Named, Place, Root, Stmt, Var, each_expr, visit_all};
use crate::types::{INDEX, Ty, UINT, is_integer};
use caustic_dialects::arith;
use caustic_dialects::reflect::Scalar;
use rustc_hash::{FxHashMap, FxHashSet};

const NARROW: Ty = Ty::Scalar(Scalar::I32);

/// Makes what is wide without need narrow.
pub fn narrow(function: &mut Function) {
    let vars = variables(function);
    for &var in &vars {
        function.vars[var.0].ty = NARROW;
    }
    each_expr(&mut function.body, &mut |e| rewrite(e, &vars));
    assign(&mut function.body, &vars);
    cut_variables(function);
}

/// Variables of which only the last 32 bits are read hold these.
fn cut_variables(function: &mut Function) {
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    let none = FxHashSet::default();
    let mut words: FxHashSet<Var> = (0..function.vars.len())
        .map(Var)
        .filter(|var| function.vars[var.0].ty == INDEX && !params.contains(var))
        .collect();
    // Reads in all, and those whose last bits are taken.
    let (mut reads, mut cuts) = (FxHashMap::<Var, usize>::default(), FxHashMap::<Var, usize>::default());
    visit_all(&mut function.body.clone(), &mut |named| {
        if let Named::Var(var) = named {
            *reads.entry(*var).or_default() += 1;
        }
    });
    each_expr(&mut function.body.clone(), &mut |e| {
        if let Some(var) = cut_read(e) {
            *cuts.entry(var).or_default() += 1;
        }
    });
    words.retain(|var| reads.get(var).is_some_and(|n| cuts.get(var) == Some(n)));
    each_value(&mut function.body, &mut |var, value| {
        if cut(value, &UINT, &none).is_none() {
            words.remove(&var);
        }
    });
    each_value(&mut function.body, &mut |var, value| {
        if let Some(word) = cut(value, &UINT, &none).filter(|_| words.contains(&var)) {
            *value = word;
        }
    });
    for &var in &words {
        function.vars[var.0].ty = UINT;
    }
    each_expr(&mut function.body, &mut |e| {
        if let Some(var) = cut_read(e).filter(|var| words.contains(var)) {
            let read = Expr::var(var, UINT);
            *e = if e.ty == UINT { read } else { converted(&read, &e.ty) };
        }
    });
}

/// The wide variable whose last bits an expression is.
fn cut_read(e: &Expr) -> Option<Var> {
    let Kind::Convert(inner) = &e.kind else { return None };
    match &inner.kind {
        Kind::Read(Place { root: Root::Var(var), steps, .. })
            if steps.is_empty() && inner.ty == INDEX && is_word(&e.ty) =>
        {
            Some(*var)
        }
        _ => None,
    }
}

/// What whole variables are given.
fn each_value(stmts: &mut [Stmt], f: &mut dyn FnMut(Var, &mut Expr)) {
    for stmt in stmts {
        match stmt {
            Stmt::Declare(var, Some(value)) => f(*var, value),
            Stmt::Assign(Place { root: Root::Var(var), of, .. }, value) => {
                f(*var, value);
                if value.ty == UINT && *of == INDEX {
                    *of = UINT;
                }
            }
            Stmt::If { then, otherwise, .. } => {
                each_value(then, f);
                each_value(otherwise, f);
            }
            Stmt::For { counter, from, body, .. } => {
                // A counter is compared, too.
                f(*counter, from);
                each_value(body, f);
            }
            Stmt::While { body, .. } => each_value(body, f),
            Stmt::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, body)| each_value(body, f));
                each_value(default, f);
            }
            _ => {}
        }
    }
}

/// The variables that are no wider than 32 bits.
fn variables(function: &Function) -> FxHashSet<Var> {
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    let all = (0..function.vars.len()).map(Var);
    let mut kept: FxHashSet<Var> =
        all.filter(|var| function.vars[var.0].ty == INDEX && !params.contains(var)).collect();
    // What a callee writes has its type.
    each_expr(&mut function.body.clone(), &mut |e| {
        if let Kind::Call(_, args) = &e.kind {
            for arg in args {
                if let Arg::Place(Place { root: Root::Var(var), .. }) = arg {
                    kept.remove(var);
                }
            }
        }
    });
    loop {
        let before = kept.len();
        check(&function.body, &mut kept);
        if kept.len() == before {
            return kept;
        }
    }
}

/// Removes variables that are assigned what is wide.
fn check(stmts: &[Stmt], kept: &mut FxHashSet<Var>) {
    for stmt in stmts {
        match stmt {
            Stmt::Declare(var, Some(value)) if kept.contains(var) && narrowed(value, kept).is_none() => {
                kept.remove(var);
            }
            Stmt::Assign(Place { root: Root::Var(var), .. }, value)
                if kept.contains(var) && narrowed(value, kept).is_none() =>
            {
                kept.remove(var);
            }
            Stmt::If { then, otherwise, .. } => {
                check(then, kept);
                check(otherwise, kept);
            }
            Stmt::For { counter, from, below, step, body, .. } => {
                let counts = narrowed(from, kept).is_some() && narrowed(below, kept).is_some();
                if !counts || step.literal() != Some(Literal::Int(1)) {
                    kept.remove(counter);
                }
                check(body, kept);
            }
            Stmt::While { body, .. } => check(body, kept),
            Stmt::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, body)| check(body, kept));
                check(default, kept);
            }
            _ => {}
        }
    }
}

/// Gives the variables what they hold in 32 bits.
fn assign(stmts: &mut [Stmt], vars: &FxHashSet<Var>) {
    let change = |value: &mut Expr| {
        if let Some(narrow) = narrowed(value, vars) {
            *value = narrow;
        }
    };
    for stmt in stmts {
        match stmt {
            Stmt::Declare(var, Some(value)) if vars.contains(var) => change(value),
            Stmt::Assign(place, value) if matches!(place.root, Root::Var(var) if vars.contains(&var)) => {
                place.of = NARROW;
                change(value);
            }
            Stmt::If { then, otherwise, .. } => {
                assign(then, vars);
                assign(otherwise, vars);
            }
            Stmt::For { counter, from, below, step, body, .. } => {
                if vars.contains(counter) {
                    [from, below, step].into_iter().for_each(change);
                }
                assign(body, vars);
            }
            Stmt::While { body, .. } => assign(body, vars),
            Stmt::Switch { value, cases, default } => {
                // A case that the number never is has no place in 32 bits.
                if cases.iter().flat_map(|(labels, _)| labels).all(|&label| i32::try_from(label).is_ok()) {
                    change(value);
                }
                cases.iter_mut().for_each(|(_, body)| assign(body, vars));
                assign(default, vars);
            }
            _ => {}
        }
    }
}

/// A number of 64 bits in 32, if it was widened from them; variables among `vars` are.
fn narrowed(e: &Expr, vars: &FxHashSet<Var>) -> Option<Expr> {
    if e.ty == NARROW {
        return Some(e.clone());
    }
    if e.ty != INDEX {
        return None;
    }
    let kind = match &e.kind {
        Kind::Zero => Kind::Literal(Literal::Int(0)),
        Kind::Literal(Literal::Int(v)) if i32::try_from(*v).is_ok() => e.kind.clone(),
        Kind::Read(place) if matches!(place.root, Root::Var(var) if vars.contains(&var)) => {
            Kind::Read(Place { of: NARROW, ..place.clone() })
        }
        Kind::Convert(inner) => match inner.ty {
            NARROW => return Some((**inner).clone()),
            Ty::Scalar(s) if is_integer(s) && s.size() < 4 => Kind::Convert(inner.clone()),
            _ => return None,
        },
        Kind::Op { row, args } => {
            let ordered = [arith::MaxSI::DEF, arith::MinSI::DEF].into_iter().any(|def| std::ptr::eq(def, row.op));
            if !ordered {
                return None;
            }
            let args = args.iter().map(|a| narrowed(a, vars)).collect::<Option<Vec<_>>>()?;
            Kind::Op { row: ops::row(row.op, &NARROW)?, args }
        }
        Kind::Choose(c, a, b) => Kind::Choose(c.clone(), Box::new(narrowed(a, vars)?), Box::new(narrowed(b, vars)?)),
        _ => return None,
    };
    Some(Expr::new(NARROW, kind))
}

/// A sum with a negative literal, as a difference.
fn difference(e: &Expr) -> Option<(&Expr, Expr)> {
    let [a, b] = e.operands(arith::AddI::DEF)?;
    match b.literal() {
        Some(Literal::Int(v @ ..0)) => {
            Some((a, Expr::new(b.ty.clone(), Kind::Literal(Literal::Int(v.checked_neg()?)))))
        }
        _ => None,
    }
}

/// The last 32 bits of a wide number, if they follow from the last bits of its parts.
fn cut(e: &Expr, ty: &Ty, vars: &FxHashSet<Var>) -> Option<Expr> {
    let scalar = e.ty.scalar()?;
    if !is_wide(scalar) {
        let fits = is_integer(scalar) && scalar.size() <= 4;
        return fits.then(|| if e.ty == *ty { e.clone() } else { converted(e, ty) });
    }
    let kind = match &e.kind {
        Kind::Zero => Kind::Literal(Literal::Int(0)),
        Kind::Literal(Literal::Int(v)) if *ty == NARROW => Kind::Literal(Literal::Int(i64::from(*v as i32))),
        Kind::Literal(Literal::Int(v)) => Kind::Literal(Literal::Int(i64::from(*v as u32))),
        Kind::Length(buffer) => Kind::Length(buffer.clone()),
        Kind::Convert(inner) => return cut(inner, ty, vars),
        Kind::Choose(c, a, b) if !c.ty.is_vector() => {
            Kind::Choose(c.clone(), Box::new(cut(a, ty, vars)?), Box::new(cut(b, ty, vars)?))
        }
        Kind::Op { row, args } => {
            let modular = [
                arith::AddI::DEF,
                arith::SubI::DEF,
                arith::MulI::DEF,
                arith::AndI::DEF,
                arith::OrI::DEF,
                arith::XOrI::DEF,
            ];
            if !modular.into_iter().any(|def| std::ptr::eq(def, row.op)) {
                return converted_if_narrow(e, ty, vars);
            }
            if let Some((a, less)) = difference(e) {
                let args = vec![cut(a, ty, vars)?, cut(&less, ty, vars)?];
                return Some(Expr::new(ty.clone(), Kind::Op { row: ops::row(arith::SubI::DEF, ty)?, args }));
            }
            let args = args.iter().map(|a| cut(a, ty, vars)).collect::<Option<Vec<_>>>()?;
            Kind::Op { row: ops::row(row.op, ty)?, args }
        }
        _ => return converted_if_narrow(e, ty, vars),
    };
    Some(Expr::new(ty.clone(), kind))
}

fn converted(e: &Expr, ty: &Ty) -> Expr {
    Expr::new(ty.clone(), Kind::Convert(Box::new(e.clone())))
}

fn converted_if_narrow(e: &Expr, ty: &Ty, vars: &FxHashSet<Var>) -> Option<Expr> {
    narrowed(e, vars).map(|narrow| if narrow.ty == *ty { narrow } else { converted(&narrow, ty) })
}

/// Whether a number of this type has 32 bits.
fn is_word(ty: &Ty) -> bool {
    matches!(ty, Ty::Scalar(Scalar::I32 | Scalar::U32))
}

fn is_wide(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I64 | Scalar::U64)
}

/// What was widened from 32 bits without a sign.
fn unsigned(e: &Expr) -> Option<Expr> {
    match &e.kind {
        Kind::Convert(inner) if inner.ty == UINT && e.ty.scalar().is_some_and(is_wide) => Some((**inner).clone()),
        Kind::Literal(Literal::Int(v)) if u32::try_from(*v).is_ok() => Some(Expr::new(UINT, e.kind.clone())),
        _ => None,
    }
}

/// Some bits of a number that was widened without a sign, in 32 bits.
fn masked(e: &Expr) -> Option<Expr> {
    let [a, b] = e.operands(arith::AndI::DEF)?;
    let args = vec![unsigned(a)?, unsigned(b)?];
    Some(Expr::new(UINT, Kind::Op { row: ops::row(arith::AndI::DEF, &UINT)?, args }))
}

/// Rewrites an expression whose parts are rewritten.
fn rewrite(e: &mut Expr, vars: &FxHashSet<Var>) {
    let wide = |e: &Expr| e.ty == INDEX && e.literal().is_none();
    let computed = |e: &Expr| e.ty.scalar().is_some_and(is_wide) && e.literal().is_none();
    match &mut e.kind {
        Kind::Compare(_, a, b) if computed(a) || computed(b) => {
            if let (Some(x), Some(y)) = (narrowed(a, vars), narrowed(b, vars)) {
                (**a, **b) = (x, y);
            } else if let (Some(x), Some(y)) = (unsigned(a), unsigned(b)) {
                (**a, **b) = (x, y);
            }
        }
        Kind::Convert(inner) if is_word(&e.ty) && inner.ty.scalar().is_some_and(is_wide) => {
            if let Some(word) = cut(inner, &e.ty, vars) {
                *e = word;
            }
        }
        Kind::Convert(inner) if wide(inner) => {
            if let Some(narrow) = narrowed(inner, vars) {
                if narrow.ty == e.ty {
                    *e = narrow;
                } else {
                    **inner = narrow;
                }
            }
        }
        Kind::Op { .. } | Kind::Choose(..) if e.ty == INDEX => {
            if let Some(narrow) = narrowed(e, vars) {
                *e = Expr::new(INDEX, Kind::Convert(Box::new(narrow)));
            } else if let Some(bits) = masked(e) {
                *e = Expr::new(INDEX, Kind::Convert(Box::new(bits)));
            }
        }
        Kind::Read(place) if e.ty == INDEX && matches!(place.root, Root::Var(var) if vars.contains(&var)) => {
            let narrow = Expr::new(NARROW, Kind::Read(Place { of: NARROW, ..place.clone() }));
            *e = Expr::new(INDEX, Kind::Convert(Box::new(narrow)));
        }
        _ => {}
    }
}
