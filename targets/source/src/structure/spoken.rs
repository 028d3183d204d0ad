//! What a programmer would have written, in the end: conditions without `!` around all of them,
//! the number of a thread by its name, constants where variables begin, and loops that begin at a
//! field.
//!
//! This module must not know: any language.

use super::build::negate;
use super::counters::uses;
use crate::tree::{
    Expr, Function, Id, Kind, Literal, Place, Root, Step, Stmt, UNNAMED, Var, each_expr, each_list, handed_over,
};
use crate::types::{BOOL, UINT, is_integer};
use caustic_dialects::arith;
use rustc_hash::{FxHashMap, FxHashSet};

/// Writes `!(a || b < c)` as `!a && b >= c`, where no part of it needs more signs than before.
pub fn negate_inside(function: &mut Function) {
    each_expr(&mut function.body, &mut |e| {
        let Kind::Not(inner) = &e.kind else { return };
        if e.ty == BOOL && matches!(inner.kind, Kind::And(..) | Kind::Or(..) | Kind::Compare(..)) && signs(inner) <= 0 {
            *e = opposite(inner);
        }
    });
}

/// How many more signs the opposite of a truth value has, for which it has one less around it.
fn signs(e: &Expr) -> i32 {
    match &e.kind {
        Kind::And(a, b) | Kind::Or(a, b) => signs(a) + signs(b),
        Kind::Compare(_, a, _) if a.ty.is_scalar() && a.ty.scalar().is_some_and(is_integer) => 0,
        Kind::Not(_) => -1,
        _ => 1,
    }
}

/// The opposite. What is no number is neither less nor greater, so that floats keep their signs.
fn opposite(e: &Expr) -> Expr {
    let kind = match &e.kind {
        Kind::And(a, b) => Kind::Or(Box::new(opposite(a)), Box::new(opposite(b))),
        Kind::Or(a, b) => Kind::And(Box::new(opposite(a)), Box::new(opposite(b))),
        Kind::Compare(how, a, b) if a.ty.is_scalar() && a.ty.scalar().is_some_and(is_integer) => {
            Kind::Compare(how.opposite(), a.clone(), b.clone())
        }
        _ => return negate(e.clone()),
    };
    Expr::new(e.ty.clone(), kind)
}

/// Calls the number of a thread in its group so where it is computed of the thread's place, in
/// groups of this size.
pub fn number_threads(function: &mut Function, [x, y, z]: [u32; 3]) {
    let (sizes, factors) = ([x, y, z], [1, x, x.wrapping_mul(y)]);
    each_expr(&mut function.body, &mut |e| {
        if e.operands(arith::AddI::DEF).is_none() {
            return;
        }
        let Some((0, by)) = of_places(e) else { return };
        if (0..3).all(|k| sizes[k] == 1 || by[k] == factors[k]) {
            let number = Expr::new(UINT, Kind::Id(Id::Number, 0));
            let same = e.ty == UINT;
            *e = if same { number } else { Expr::new(e.ty.clone(), Kind::Convert(Box::new(number))) };
        }
    });
}

/// A number of 32 bits as a sum of a number and of factors of the places in a group.
fn of_places(e: &Expr) -> Option<(u32, [u32; 3])> {
    if !e.ty.scalar().is_some_and(|s| e.ty.is_scalar() && is_integer(s) && s.size() == 4) {
        return match &e.kind {
            Kind::Id(Id::Thread, dimension) => of_place(*dimension),
            _ => None,
        };
    }
    match &e.kind {
        Kind::Id(Id::Thread, dimension) => of_place(*dimension),
        Kind::Literal(Literal::Int(number)) => Some((*number as u32, [0; 3])),
        Kind::Convert(inner) => of_places(inner),
        _ => {
            let all = |[a, b]: &[Expr; 2]| Some((of_places(a)?, of_places(b)?));
            if let Some(both) = e.operands(arith::AddI::DEF) {
                let ((a, by), (b, more)) = all(both)?;
                return Some((a.wrapping_add(b), std::array::from_fn(|k| by[k].wrapping_add(more[k]))));
            }
            let ((a, by), (b, [0, 0, 0])) = all(e.operands(arith::MulI::DEF)?)? else { return None };
            Some((a.wrapping_mul(b), by.map(|factor| factor.wrapping_mul(b))))
        }
    }
}

fn of_place(dimension: usize) -> Option<(u32, [u32; 3])> {
    let mut by = [0; 3];
    *by.get_mut(dimension)? = 1;
    Some((0, by))
}

/// Declares variables with the constants that they begin with, and not with other variables that
/// hold these, unless nothing else reads those: compilers warn of what nobody reads.
pub fn begin_with_constants(function: &mut Function) {
    let handed = handed_over(&function.body);
    let mut reads = uses(&mut function.body);
    each_list(&mut function.body, &mut |list| {
        let mut held: FxHashMap<Var, Expr> = FxHashMap::default();
        for stmt in list.iter_mut() {
            if let Stmt::Declare(_, Some(value)) = stmt
                && let Some(of) = value.variable()
                && let Some(constant) = held.get(&of).filter(|constant| constant.ty == value.ty)
                && let Some(count @ 2..) = reads.get_mut(&of)
            {
                *count -= 1;
                *value = constant.clone();
            }
            let mut given: FxHashSet<Var> = stmt.gives().into_iter().collect();
            each_inner(stmt, &mut |inner| given.extend(inner.gives()));
            held.retain(|var, _| !given.contains(var));
            if let Stmt::Declare(var, Some(value)) = stmt
                && is_constant(value)
                && !handed.contains(var)
            {
                held.insert(*var, value.clone());
            }
        }
    });
}

/// Begins loops with what a variable holds that is declared before and only tells where they begin.
pub fn begin_in_heads(function: &mut Function) {
    let reads = uses(&mut function.body);
    let (body, vars) = (&mut function.body, &mut function.vars);
    each_list(body, &mut |list| {
        for at in (1..list.len()).rev() {
            let Stmt::Declare(var, Some(value)) = &list[at - 1] else { continue };
            let (var, value) = (*var, value.clone());
            let Stmt::For { counter, from, .. } = &mut list[at] else { continue };
            if from.variable() != Some(var) || reads.get(&var) != Some(&1) || from.ty != value.ty {
                continue;
            }
            *from = value;
            if vars[counter.0].name == UNNAMED {
                vars[counter.0].name = std::mem::take(&mut vars[var.0].name);
            }
            list.remove(at - 1);
        }
    });
}

fn each_inner(stmt: &Stmt, f: &mut impl FnMut(&Stmt)) {
    let bodies: Vec<&[Stmt]> = stmt.bodies().collect();
    for inner in bodies.into_iter().flatten() {
        f(inner);
        each_inner(inner, f);
    }
}

fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        Kind::Zero | Kind::Literal(_) => e.ty.scalar().is_some(),
        Kind::Splat(one) => is_constant(one),
        _ => false,
    }
}

/// A loop that begins at a field says so itself, where the field was in a variable that is called
/// as the counter is.
pub fn begin_at_fields(function: &mut Function) {
    let mut given: FxHashMap<Var, usize> = FxHashMap::default();
    let mut begun: FxHashSet<(Var, Var)> = FxHashSet::default();
    each_list(&mut function.body, &mut |list| {
        for stmt in list.iter() {
            stmt.gives().into_iter().for_each(|var| *given.entry(var).or_default() += 1);
            if let Stmt::For { counter, from, .. } = stmt {
                begun.extend(from.variable().map(|start| (start, *counter)));
            }
        }
    });
    let handed = handed_over(&function.body);
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    let once = |var: &Var| given.get(var).is_none_or(|&n| n <= 1) && !handed.contains(var);
    let stays = |var: &Var| once(var) && (!params.contains(var) || !given.contains_key(var));
    let name = |var: Var| function.vars[var.0].name.clone();
    let starts: FxHashSet<Var> =
        begun.iter().filter(|(start, counter)| name(*start) == name(*counter)).map(|(start, _)| *start).collect();
    let mut fields: FxHashMap<Var, Expr> = FxHashMap::default();
    each_list(&mut function.body, &mut |list| {
        list.retain(|stmt| {
            let Stmt::Declare(var, Some(value)) = stmt else { return true };
            let Kind::Read(Place { root: Root::Var(of), steps, .. }) = &value.kind else { return true };
            let fixed = !steps.is_empty() && steps.iter().all(|step| matches!(step, Step::Part(_)));
            let is_field = fixed && starts.contains(var) && stays(var) && stays(of) && !params.contains(var);
            if is_field {
                fields.insert(*var, value.clone());
            }
            !is_field
        });
    });
    each_expr(&mut function.body, &mut |e| {
        if let Some(field) = e.variable().and_then(|var| fields.get(&var)) {
            *e = field.clone();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Compare;
    use crate::types::Ty;
    use caustic_dialects::reflect::Scalar;

    fn compare(how: Compare, of: Scalar) -> Expr {
        let var = |k| Box::new(Expr::var(Var(k), Ty::Scalar(of)));
        Expr::new(BOOL, Kind::Compare(how, var(0), var(1)))
    }

    #[test]
    fn a_sign_moves_inside_where_it_costs_none() {
        let or = |a, b| Expr::new(BOOL, Kind::Or(Box::new(a), Box::new(b)));
        let not = |a| Expr::new(BOOL, Kind::Not(Box::new(a)));
        let ints = or(compare(Compare::Less, Scalar::I32), not(Expr::var(Var(2), BOOL)));
        assert_eq!(signs(&ints), -1);
        let Kind::And(a, b) = opposite(&ints).kind else { panic!("no sign moved") };
        assert!(matches!(a.kind, Kind::Compare(Compare::GreaterEqual, ..)));
        assert_eq!(b.variable(), Some(Var(2)));
        assert_eq!(signs(&or(compare(Compare::Less, Scalar::F32), compare(Compare::Less, Scalar::F32))), 2);
    }
}
