//! Arrays that hold the same constants whenever they are read: tables, which a text declares once,
//! outside of its functions.
//!
//! What is written to a table are constants, all in one list of statements, and whoever reads it
//! stands behind them in that list, or in a list inside of it.
//!
//! This module must not know: any language.

use crate::tree::{Arg, Constant, Expr, Function, Kind, Literal, Named, Place, Root, Step, Stmt, Var};
use crate::tree::{each_expr, each_list, visit_all};
use crate::types::{Ty, is_integer};
use caustic_dialects::agg::StructType;
use caustic_ir::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// Scalars of the largest table.
const MOST_SCALARS: u64 = 1 << 16;

/// Takes tables out of a function's statements. An argument of a call may be one if `reads` says so
/// of the callee and the parameter's number; `holds` says of which types tables may be.
pub fn find_tables(function: &mut Function, reads: &dyn Fn(Name, usize) -> bool, holds: &dyn Fn(&Ty) -> bool) {
    let params: FxHashSet<Var> = function.params.iter().map(|(var, _)| *var).collect();
    let fits = |ty: &Ty| has_array(ty) && scalars(ty).is_some_and(|n| n <= MOST_SCALARS) && holds(ty);
    let mut open: FxHashSet<Var> = (0..function.vars.len()).map(Var).filter(|var| !params.contains(var)).collect();
    open.retain(|var| fits(&function.vars[var.0].ty));
    if open.is_empty() {
        return;
    }
    let all = Counts::of(&mut function.body);
    let mut known = Known::default();
    loop {
        // What is copied from a table may be one.
        let changed = changed(&mut function.body, reads, &known);
        let left: FxHashSet<Var> =
            open.iter().filter(|var| !changed.contains(var) && !known.contains_key(var)).copied().collect();
        let mut found = Vec::new();
        each_list(&mut function.body, &mut |list| found.extend(of_list(list, &left, &all, &known)));
        if found.is_empty() {
            break;
        }
        known.extend(found);
    }
    each_list(&mut function.body, &mut |list| {
        list.retain(|stmt| stmt.gives().is_none_or(|var| !known.contains_key(&var)));
    });
    let read = self::reads(&mut function.body);
    function.tables = known.into_iter().filter(|(var, _)| read.contains_key(var)).collect();
    function.tables.sort_by_key(|(var, _)| *var);
}

/// Variables that hold the same each time.
type Known = FxHashMap<Var, Constant>;

/// How often variables are read, and given something else than zeros.
#[derive(Default)]
struct Counts {
    reads: FxHashMap<Var, usize>,
    writes: FxHashMap<Var, usize>,
}

impl Counts {
    fn of(body: &mut Vec<Stmt>) -> Counts {
        let mut counts = Counts { reads: reads(body), writes: FxHashMap::default() };
        each_list(body, &mut |list| {
            for var in list.iter().filter(|stmt| !is_bare(stmt)).filter_map(Stmt::gives) {
                *counts.writes.entry(var).or_default() += 1;
            }
        });
        counts
    }
}

fn reads(body: &mut [Stmt]) -> FxHashMap<Var, usize> {
    let mut found = FxHashMap::default();
    visit_all(body, &mut |named| {
        if let Named::Var(var) = named {
            *found.entry(*var).or_default() += 1;
        }
    });
    found
}

/// Whether a statement declares a variable of zeros.
fn is_bare(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Declare(_, None | Some(Expr { kind: Kind::Zero, .. })))
}

/// The variables that get something else than constants.
fn changed(body: &mut Vec<Stmt>, reads: &dyn Fn(Name, usize) -> bool, known: &Known) -> FxHashSet<Var> {
    let mut found = FxHashSet::default();
    each_expr(body, &mut |e| match &e.kind {
        Kind::Call(callee, args) => {
            for (k, arg) in args.iter().enumerate() {
                if let Arg::Place(Place { root: Root::Var(var), .. }) = arg
                    && !reads(*callee, k)
                {
                    found.insert(*var);
                }
            }
        }
        Kind::Atomic { place: Place { root: Root::Var(var), .. }, .. }
        | Kind::TapeLength(Place { root: Root::Var(var), .. }) => {
            found.insert(*var);
        }
        _ => {}
    });
    each_list(body, &mut |list| {
        for stmt in list {
            let constant = match stmt {
                Stmt::Assign(place, value) => {
                    place.steps.iter().all(|s| number(s).is_some()) && constant(value, known).is_some()
                }
                Stmt::Declare(_, value) => value.as_ref().is_none_or(|v| constant(v, known).is_some()),
                _ => false,
            };
            found.extend(stmt.gives().filter(|_| !constant));
        }
    });
    found
}

/// The tables whose constants all stand in this list.
fn of_list(list: &mut [Stmt], open: &FxHashSet<Var>, all: &Counts, known: &Known) -> Vec<(Var, Constant)> {
    struct Seen {
        holds: Constant,
        writes: usize,
        reads: usize,
        fails: bool,
    }
    let mut seen: FxHashMap<Var, Seen> = FxHashMap::default();
    for stmt in list {
        if let Some(var) = stmt.gives().filter(|var| open.contains(var)) {
            let new = || Seen { holds: Constant::Zero, writes: 0, reads: 0, fails: false };
            let own = seen.entry(var).or_insert_with(new);
            let written = match stmt {
                Stmt::Declare(_, value) => {
                    own.holds = value.as_ref().and_then(|value| constant(value, known)).unwrap_or(Constant::Zero);
                    Some(())
                }
                Stmt::Assign(place, value) => {
                    constant(value, known).and_then(|value| set(&mut own.holds, &place.of, &place.steps, value))
                }
                _ => None,
            };
            own.fails |= written.is_none() || own.reads > 0;
            own.writes += usize::from(!is_bare(stmt));
            continue;
        }
        for (var, count) in reads(std::slice::from_mut(stmt)) {
            if let Some(own) = seen.get_mut(&var) {
                own.reads += count;
            }
        }
    }
    let total = |of: &FxHashMap<Var, usize>, var: &Var| of.get(var).copied().unwrap_or(0);
    seen.retain(|var, own| {
        let complete = own.writes == total(&all.writes, var) && own.reads == total(&all.reads, var);
        !own.fails && own.writes > 0 && complete
    });
    seen.into_iter().map(|(var, own)| (var, own.holds)).collect()
}

/// Sets the part of a constant that steps lead to.
fn set(constant: &mut Constant, ty: &Ty, steps: &[Step], value: Constant) -> Option<()> {
    let [first, rest @ ..] = steps else {
        *constant = value;
        return Some(());
    };
    let (at, part) = (number(first)?, part(ty, number(first)?)?);
    if *constant == Constant::Zero {
        *constant = Constant::Parts(vec![Constant::Zero; usize::try_from(count(ty)?).ok()?]);
    }
    let Constant::Parts(parts) = constant else { return None };
    set(parts.get_mut(at)?, &part, rest, value)
}

/// The part that a step leads to, if nothing is computed for it.
fn number(step: &Step) -> Option<usize> {
    match step {
        Step::Part(k) => Some(*k),
        Step::Index(index) => match index.literal()? {
            Literal::Int(k) => usize::try_from(k).ok(),
            _ => None,
        },
    }
}

fn count(ty: &Ty) -> Option<u64> {
    match ty {
        Ty::Array(count, _) => Some(*count),
        Ty::Vector { shape, .. } => shape.first().map(|&n| u64::from(n)),
        Ty::Struct(of) => Some(StructType(*of).num_fields() as u64),
        _ => None,
    }
}

/// A part's type, but for signs.
fn part(ty: &Ty, at: usize) -> Option<Ty> {
    match ty {
        Ty::Array(_, elem) => Some((**elem).clone()),
        Ty::Vector { shape, elem } if shape.len() > 1 => Some(Ty::Vector { shape: shape[1..].to_vec(), elem: *elem }),
        Ty::Vector { elem, .. } => Some(Ty::Scalar(*elem)),
        Ty::Struct(of) => Ty::of(StructType(*of).field(at)?.ty, false),
        _ => None,
    }
}

fn has_array(ty: &Ty) -> bool {
    match ty {
        Ty::Array(..) => true,
        Ty::Struct(of) => (0..StructType(*of).num_fields()).any(|k| part(ty, k).is_some_and(|ty| has_array(&ty))),
        _ => false,
    }
}

fn scalars(ty: &Ty) -> Option<u64> {
    match ty {
        Ty::Scalar(_) => Some(1),
        Ty::Struct(of) => (0..StructType(*of).num_fields()).try_fold(0u64, |sum, k| {
            let field = part(ty, k)?;
            sum.checked_add(if field.is_empty() { 0 } else { scalars(&field)? })
        }),
        _ => scalars(&part(ty, 0)?)?.checked_mul(count(ty)?),
    }
}

/// What an expression gives, if it is the same each time, and a number that texts can write.
fn constant(e: &Expr, known: &Known) -> Option<Constant> {
    match &e.kind {
        Kind::Zero => Some(Constant::Zero),
        Kind::Read(place) => known.get(&place.whole()?).cloned(),
        Kind::Literal(Literal::Float(value)) if !value.is_finite() => None,
        Kind::Literal(literal) => Some(Constant::Scalar(*literal)),
        Kind::Make(parts) if Some(parts.len() as u64) == count(&e.ty) => {
            Some(Constant::Parts(parts.iter().map(|part| constant(part, known)).collect::<Option<_>>()?))
        }
        Kind::Splat(inner) => filled(&e.ty, &constant(inner, known)?),
        // The same bits by another sign.
        Kind::Convert(inner) => {
            let (from, to) = (inner.ty.scalar()?, e.ty.scalar()?);
            let same = is_integer(from) && is_integer(to) && from.size() == to.size();
            constant(inner, known).filter(|_| same && e.ty.is_scalar())
        }
        _ => None,
    }
}

/// The same in each scalar of a vector.
fn filled(ty: &Ty, scalar: &Constant) -> Option<Constant> {
    if ty.is_scalar() {
        return Some(scalar.clone());
    }
    let inner = filled(&part(ty, 0)?, scalar)?;
    Some(Constant::Parts(vec![inner; usize::try_from(count(ty)?).ok()?]))
}
