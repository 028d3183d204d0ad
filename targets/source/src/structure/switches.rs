//! Switches over the number that the program switches over.
//!
//! Where several labels have one body, the IR's switch is over a number that comparisons choose
//! (`x == 9 ? 1 : x == 3 ? 0 : x == 1 ? 0 : -1`). A comparison that code beside reads, too, is in a
//! variable then. And the IR switches over 64 bits, whatever the number is.
//!
//! Invariant: labels are numbers of the type of what they are compared with.
//!
//! This module must not know: any language.

use super::prune::prune;
use crate::tree::{Case, Compare, Expr, Function, Kind, Literal, Root, Step, Stmt, UNNAMED, Var, Variable};
use crate::tree::{each_list, handed_over};
use crate::types::{BOOL, Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use rustc_hash::{FxHashMap, FxHashSet};

/// Gives switches the number and the labels that the program has.
pub fn labels_as_written(function: &mut Function) {
    let mut found = false;
    each_list(&mut function.body, &mut |list| found |= list.iter().any(|s| matches!(s, Stmt::Switch { .. })));
    if found && label(&mut function.body, &mut Known::default()) {
        prune(&mut function.body, &function.params.iter().map(|(var, _)| *var).collect());
    }
}

/// What variables hold that are comparisons, or chosen by such, where a statement stands.
type Known = FxHashMap<Var, Expr>;

/// Labels the switches of some statements; whether a variable was looked up for one.
fn label(stmts: &mut [Stmt], known: &mut Known) -> bool {
    let mut looked_up = false;
    for stmt in stmts {
        let changed = changed(stmt);
        if matches!(stmt, Stmt::For { .. } | Stmt::While { .. }) {
            forget(known, &changed);
        }
        if let Stmt::Switch { value, cases, .. } = stmt {
            if let Some((number, labeled)) = chosen(value, cases) {
                (*value, *cases) = (number, labeled);
            } else if let Some((number, labeled)) = chosen(&with(known, value), cases) {
                (*value, *cases) = (number, labeled);
                looked_up = true;
            }
            while let Some((number, labels)) = unconverted(value, cases) {
                *value = number;
                cases.iter_mut().zip(labels).for_each(|((own, _), labels)| *own = labels);
            }
        }
        for list in stmt.lists() {
            looked_up |= label(list, &mut known.clone());
        }
        forget(known, &changed);
        let given = match stmt {
            Stmt::Declare(var, Some(value)) => Some((*var, with(known, value))),
            Stmt::Assign(place, value) => place.whole().map(|var| (var, with(known, value))),
            _ => None,
        };
        if let Some((var, value)) = given
            && (equal(&value, &mut |_, _| {}).is_some() || Chosen::of(&value).is_some_and(|c| !c.arms.is_empty()))
            && !changed.iter().any(|var| value.reads(*var))
        {
            known.insert(var, value);
        }
    }
    looked_up
}

/// The variables that a statement gives a value.
fn changed(stmt: &Stmt) -> FxHashSet<Var> {
    let mut found = handed_over(std::slice::from_ref(stmt));
    let mut open = vec![stmt];
    while let Some(stmt) = open.pop() {
        found.extend(stmt.gives());
        open.extend(stmt.bodies().flatten());
    }
    found
}

/// What is no longer so where these variables have got other values.
fn forget(known: &mut Known, changed: &FxHashSet<Var>) {
    known.retain(|var, value| !changed.contains(var) && !changed.iter().any(|var| value.reads(*var)));
}

/// An expression with what is known in the place of variables.
fn with(known: &Known, e: &Expr) -> Expr {
    let mut e = e.clone();
    if !known.is_empty() {
        e.each_mut(&mut |inner| {
            if let Some(value) = inner.variable().and_then(|var| known.get(&var)).filter(|v| v.ty == inner.ty) {
                *inner = value.clone();
            }
        });
    }
    e
}

/// Comparisons that choose a number: what is compared with each literal, in order, and the number
/// that is chosen then; and the number that is chosen if none is equal.
struct Chosen<'e> {
    arms: Vec<(&'e Expr, i64, i64)>,
    last: i64,
}

impl<'e> Chosen<'e> {
    fn of(e: &'e Expr) -> Option<Chosen<'e>> {
        let ty = e.ty.scalar().filter(|s| is_integer(*s) && e.ty.is_scalar())?;
        match &e.kind {
            Kind::Literal(Literal::Int(number)) => Some(Chosen { arms: Vec::new(), last: held(*number, ty) }),
            Kind::Zero => Some(Chosen { arms: Vec::new(), last: 0 }),
            Kind::Convert(inner) => {
                let Chosen { mut arms, last } = Chosen::of(inner)?;
                arms.iter_mut().for_each(|(_, _, number)| *number = held(*number, ty));
                Some(Chosen { arms, last: held(last, ty) })
            }
            Kind::Choose(condition, yes, no) => {
                let (yes, Chosen { arms: rest, last }) = (Chosen::of(yes)?, Chosen::of(no)?);
                if !yes.arms.is_empty() {
                    return None;
                }
                let mut arms = Vec::new();
                equal(condition, &mut |x, label| arms.push((x, label, yes.last)))?;
                arms.extend(rest);
                Some(Chosen { arms, last })
            }
            _ => None,
        }
    }
}

/// What a condition compares with literals, any of which may be equal.
fn equal<'e>(condition: &'e Expr, f: &mut dyn FnMut(&'e Expr, i64)) -> Option<()> {
    match &condition.kind {
        Kind::Compare(Compare::Equal, x, label) => {
            let ty = x.ty.scalar().filter(|s| is_integer(*s) && x.ty.is_scalar())?;
            // A literal may be converted.
            let label = Chosen::of(label).filter(|label| label.arms.is_empty())?;
            f(x, held(label.last, ty));
            Some(())
        }
        Kind::Or(a, b) => {
            equal(a, f)?;
            equal(b, f)
        }
        _ => None,
    }
}

/// The number that comparisons choose among, and the cases with its labels.
fn chosen(value: &Expr, cases: &[Case]) -> Option<(Expr, Vec<Case>)> {
    let Chosen { arms, last } = Chosen::of(value)?;
    let (&(number, ..), ty) = (arms.first()?, value.ty.scalar()?);
    let is_case = |(labels, _): &Case, number: i64| labels.iter().any(|&label| held(label, ty) == number);
    // What is chosen if none is equal has to be the default.
    if !arms.iter().all(|(x, ..)| is_same(x, number)) || cases.iter().any(|case| is_case(case, last)) {
        return None;
    }
    let mut seen: Vec<i64> = Vec::new();
    let mut labels: Vec<Vec<i64>> = vec![Vec::new(); cases.len()];
    for (_, label, number) in arms {
        if seen.contains(&label) {
            continue;
        }
        seen.push(label);
        if let Some(at) = cases.iter().position(|case| is_case(case, number)) {
            labels[at].insert(0, label);
        }
    }
    let labeled = labels.into_iter().zip(cases).filter(|(labels, _)| !labels.is_empty());
    Some((number.clone(), labeled.map(|(labels, (_, body))| (labels, body.clone())).collect()))
}

/// Whether two expressions are the same part of one variable, or the same id of the thread.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Read(p), Kind::Read(q)) => {
            let same_root = matches!((&p.root, &q.root), (Root::Var(v), Root::Var(w)) if v == w);
            let same_step = |(s, t): (&Step, &Step)| matches!((s, t), (Step::Part(j), Step::Part(k)) if j == k);
            same_root && p.steps.len() == q.steps.len() && p.steps.iter().zip(&q.steps).all(same_step)
        }
        (Kind::Id(i, k), Kind::Id(j, l)) => i == j && k == l,
        (Kind::Convert(p), Kind::Convert(q)) => a.ty == b.ty && is_same(p, q),
        _ => false,
    }
}

/// The number of which the value is a conversion that keeps numbers apart, and the labels as such
/// numbers.
fn unconverted(value: &Expr, cases: &[Case]) -> Option<(Expr, Vec<Vec<i64>>)> {
    let Kind::Convert(inner) = &value.kind else { return None };
    let scalar = |ty: &Ty| ty.scalar().filter(|s| is_integer(*s) && ty.is_scalar());
    let (from, to) = (scalar(&inner.ty)?, scalar(&value.ty)?);
    if from.size() > to.size() {
        return None;
    }
    let mut all = Vec::new();
    for (labels, _) in cases {
        let own: Vec<i64> = labels.iter().map(|&label| held(label, from)).collect();
        // A label that the number never is has none of its own.
        if labels.iter().zip(&own).any(|(&label, &own)| held(label, to) != held(own, to)) {
            return None;
        }
        all.push(own);
    }
    Some(((**inner).clone(), all))
}

/// The bits of a number as a type has them.
fn held(number: i64, scalar: Scalar) -> i64 {
    let unused = 64 - 8 * scalar.size() as u32;
    match scalar.is_signed() {
        true => number << unused >> unused,
        false => ((number as u64) << unused >> unused) as i64,
    }
}

/// Writes switches over 64 bits as comparisons.
pub fn chain_wide_switches(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    each_list(&mut body, &mut |list| {
        let mut at = 0;
        while at < list.len() {
            let wide = |value: &Expr| value.ty.scalar().is_some_and(|s| s.size() > 4);
            if !matches!(&list[at], Stmt::Switch { value, .. } if wide(value)) {
                at += 1;
                continue;
            }
            let Stmt::Switch { value, cases, default } = list.remove(at) else { continue };
            let number = match value.variable() {
                Some(var) => Expr::var(var, value.ty),
                None => {
                    function.vars.push(Variable { name: UNNAMED.to_string(), ty: value.ty.clone() });
                    let var = Var(function.vars.len() - 1);
                    let ty = value.ty.clone();
                    list.insert(at, Stmt::Declare(var, Some(value)));
                    at += 1;
                    Expr::var(var, ty)
                }
            };
            for stmt in chain(&number, cases, default) {
                list.insert(at, stmt);
                at += 1;
            }
        }
    });
    function.body = body;
}

/// The case of a number, by comparisons one after the other.
fn chain(number: &Expr, cases: Vec<Case>, default: Vec<Stmt>) -> Vec<Stmt> {
    cases.into_iter().rev().fold(default, |otherwise, (labels, then)| {
        let is = |label: &i64| {
            let literal = Expr::new(number.ty.clone(), Kind::Literal(Literal::Int(*label)));
            Expr::new(BOOL, Kind::Compare(Compare::Equal, Box::new(number.clone()), Box::new(literal)))
        };
        let any = labels.iter().map(is).reduce(|a, b| Expr::new(BOOL, Kind::Or(Box::new(a), Box::new(b))));
        match any {
            Some(condition) => vec![Stmt::If { condition, then, otherwise }],
            None => otherwise,
        }
    })
}
