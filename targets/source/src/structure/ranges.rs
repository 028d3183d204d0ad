//! Which integers a variable may hold: counters between constants, and what is computed of them.
//!
//! Invariant: a variable with a range holds nothing else where it is read.
//!
//! This module must not know: any language.

use crate::ops;
use crate::tree::{Compare, Expr, Function, Kind, Literal, Place, Root, Stmt, Var, each_expr, handed_over};
use crate::types::{INDEX, Ty, is_integer};
use caustic_dialects::arith;
use caustic_dialects::reflect::Scalar;
use caustic_ir::OpDef;
use rustc_hash::{FxHashMap, FxHashSet};

/// The least and the greatest number.
type Range = (i64, i64);

/// Rounds in which ranges are found from others: a loop in a loop, and what is computed in it.
const ROUNDS: usize = 6;

/// What integers the variables of a function may hold, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Ranges(FxHashMap<Var, Range>);

impl Ranges {
    pub fn of(function: &Function) -> Ranges {
        let mut open: FxHashSet<Var> = handed_over(&function.body);
        open.extend(function.params.iter().map(|(var, _)| *var));
        let mut ranges = Ranges::default();
        for _ in 0..ROUNDS {
            let mut found = FxHashMap::default();
            ranges.collect(&function.body, &mut found);
            let next: FxHashMap<Var, Range> = found
                .into_iter()
                .filter(|(var, _)| !open.contains(var))
                .filter_map(|(var, range)| Some((var, range?)))
                .filter(|(var, range)| fits(&function.vars[var.0].ty, *range).is_some())
                .collect();
            if next.len() == ranges.0.len() {
                break;
            }
            ranges.0 = next;
        }
        ranges
    }

    /// Adds what statements give to variables; `None` is anything.
    fn collect(&self, stmts: &[Stmt], found: &mut FxHashMap<Var, Option<Range>>) {
        for stmt in stmts {
            match stmt {
                Stmt::Declare(var, value) => {
                    let range = value.as_ref().map_or(Some((0, 0)), |value| self.range(value));
                    join(found, *var, range);
                }
                Stmt::Assign(place @ Place { root: Root::Var(var), .. }, value) => {
                    join(found, *var, if place.whole().is_some() { self.range(value) } else { None });
                }
                Stmt::For { counter, from, test, below, step, .. } => {
                    let up = matches!(step.literal(), Some(Literal::Int(1..)));
                    let down = matches!(step.literal(), Some(Literal::Int(..0)));
                    let ends = || {
                        let (from, below) = (self.range(from)?, self.range(below)?);
                        match test {
                            Compare::Less if up => Some((from.0, below.1.checked_sub(1)?)),
                            Compare::LessEqual if up => Some((from.0, below.1)),
                            Compare::Greater if down => Some((below.0.checked_add(1)?, from.1)),
                            Compare::GreaterEqual if down => Some((below.0, from.1)),
                            _ => None,
                        }
                    };
                    join(found, *counter, ends());
                }
                _ => {}
            }
            stmt.bodies().for_each(|body| self.collect(body, found));
        }
    }

    /// What an integer may be.
    pub fn range(&self, e: &Expr) -> Option<Range> {
        let found = match &e.kind {
            Kind::Zero => (0, 0),
            Kind::Literal(Literal::Int(value)) => (*value, *value),
            Kind::Read(place) => *self.0.get(&place.whole()?)?,
            Kind::Convert(inner) if inner.ty.scalar().is_some_and(is_integer) => self.range(inner)?,
            Kind::Choose(_, a, b) => union(self.range(a)?, self.range(b)?),
            Kind::Op { row, args } => {
                let [a, b] = &args[..] else { return None };
                let is = |def: &'static OpDef| std::ptr::eq(def, row.op);
                let ((a, b), (c, d)) = (self.range(a)?, self.range(b)?);
                match () {
                    () if is(arith::AddI::DEF) => (a.checked_add(c)?, b.checked_add(d)?),
                    () if is(arith::SubI::DEF) => (a.checked_sub(d)?, b.checked_sub(c)?),
                    () if is(arith::MulI::DEF) && a >= 0 && c >= 0 => (a.checked_mul(c)?, b.checked_mul(d)?),
                    () if is(arith::MinSI::DEF) => (a.min(c), b.min(d)),
                    () if is(arith::MaxSI::DEF) => (a.max(c), b.max(d)),
                    () => return None,
                }
            }
            _ => return None,
        };
        fits(&e.ty, found)
    }

    /// Whether an index is one of so many elements.
    pub fn is_within(&self, index: &Expr, count: u64) -> bool {
        self.range(index).is_some_and(|(least, most)| least >= 0 && u64::try_from(most).is_ok_and(|m| m < count))
    }
}

/// A range, if all of it is of the type.
fn fits(ty: &Ty, (least, most): Range) -> Option<Range> {
    let (from, to) = match ty {
        Ty::Scalar(Scalar::I32) => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Ty::Scalar(Scalar::U32) => (0, i64::from(u32::MAX)),
        Ty::Scalar(Scalar::I64) => (i64::MIN, i64::MAX),
        _ => return None,
    };
    (least >= from && most <= to).then_some((least, most))
}

fn union(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn join(found: &mut FxHashMap<Var, Option<Range>>, var: Var, range: Option<Range>) {
    let joined = match found.get(&var) {
        Some(before) => before.zip(range).map(|(a, b)| union(a, b)),
        None => range,
    };
    found.insert(var, joined);
}

const WORD: Ty = Ty::Scalar(Scalar::I32);

/// Computes in 32 bits what is widened and has a range of 32 bits in every part.
pub fn shorten(function: &mut Function) {
    let ranges = Ranges::of(function);
    let is_word = |e: &Expr| ranges.range(e).is_some_and(|range| fits(&WORD, range).is_some());
    each_expr(&mut function.body, &mut |e| {
        if e.ty != INDEX || !is_word(e) {
            return;
        }
        let Kind::Op { row, args } = &e.kind else { return };
        let Some(row) = ops::row(row.op, &WORD).filter(|_| args.iter().all(is_word)) else { return };
        let args = args.iter().map(word).collect();
        *e = Expr::new(INDEX, Kind::Convert(Box::new(Expr::new(WORD, Kind::Op { row, args }))));
    });
}

/// A number of 32 bits that was widened.
fn word(e: &Expr) -> Expr {
    match &e.kind {
        Kind::Zero | Kind::Literal(_) => Expr::new(WORD, e.kind.clone()),
        Kind::Convert(inner) if inner.ty == WORD => (**inner).clone(),
        _ => Expr::new(WORD, Kind::Convert(Box::new(e.clone()))),
    }
}
