//! Which integers a variable may hold: counters between constants, and what is computed of them.
//!
//! Invariant: a variable with a range holds nothing else where it is read.
//!
//! This module must not know: any language.

use crate::ops::{self, Row};
use crate::tree::{Compare, Expr, Function, Id, Kind, Literal, Passed, Place, Root, Stmt, Var, each_expr, handed_over};
use crate::types::{BOOL, INDEX, Ty, UINT, is_integer};
use caustic_dialects::arith;
use caustic_dialects::reflect::Scalar;
use caustic_ir::OpDef;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// The least and the greatest number.
type Range = (i64, i64);

/// Rounds in which ranges are found from others: a loop in a loop, and what is computed in it.
const ROUNDS: usize = 6;

/// What integers the variables of a function may hold, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    vars: FxHashMap<Var, Range>,
    /// Threads of a group, where it is known.
    threads: Option<[u32; 3]>,
    /// What conditions say of variables where code runs.
    facts: RefCell<Vec<(Var, Range)>>,
    /// Conditions that variables hold, which are given once, of variables that do not change.
    conditions: FxHashMap<Var, Expr>,
    /// Variables that change after they are declared, or may.
    changed: FxHashSet<Var>,
}

impl Ranges {
    pub fn of(function: &Function) -> Ranges {
        Ranges::of_kernel(function, None)
    }

    /// The same of a function that groups of so many threads run.
    pub fn of_kernel(function: &Function, threads: Option<[u32; 3]>) -> Ranges {
        let mut open: FxHashSet<Var> = handed_over(&function.body);
        let mut ranges = Ranges { threads, changed: open.clone(), ..Ranges::default() };
        let given = |(var, passed): &(Var, Passed)| Some(*var).filter(|_| *passed != Passed::Value);
        ranges.changed.extend(function.params.iter().filter_map(given));
        ranges.note_changes(&function.body);
        ranges.note_conditions(&function.body);
        open.extend(function.params.iter().map(|(var, _)| *var));
        for _ in 0..ROUNDS {
            let mut found = FxHashMap::default();
            ranges.collect(&function.body, &mut found);
            let next: FxHashMap<Var, Range> = found
                .into_iter()
                .filter(|(var, _)| !open.contains(var))
                .filter_map(|(var, range)| Some((var, range?)))
                .filter(|(var, range)| fits(&function.vars[var.0].ty, *range).is_some())
                .collect();
            if next.len() == ranges.vars.len() {
                break;
            }
            ranges.vars = next;
        }
        ranges
    }

    /// What assigns to variables that are declared.
    fn note_changes(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Assign(Place { root: Root::Var(var), .. }, _) | Stmt::For { counter: var, .. } => {
                    self.changed.insert(*var);
                }
                _ => {}
            }
            stmt.bodies().for_each(|body| self.note_changes(body));
        }
    }

    fn note_conditions(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            if let Stmt::Declare(var, Some(value)) = stmt
                && value.ty == BOOL
                && !self.changed.contains(var)
            {
                self.conditions.insert(*var, value.clone());
            }
            stmt.bodies().for_each(|body| self.note_conditions(body));
        }
    }

    fn of_var(&self, var: Var) -> Option<Range> {
        let facts = self.facts.borrow();
        let known = facts.iter().filter(|(of, _)| *of == var).map(|(_, range)| *range);
        known.chain(self.vars.get(&var).copied()).reduce(|a, b| (a.0.max(b.0), a.1.min(b.1)))
    }

    /// Takes a condition to hold (or not) until [`Ranges::forget`] is told how much was known.
    pub fn learn(&self, condition: &Expr, holds: bool) -> usize {
        let before = self.facts.borrow().len();
        self.learn_of(condition, holds, 0);
        before
    }

    /// How much is known.
    pub fn known(&self) -> usize {
        self.facts.borrow().len()
    }

    pub fn forget(&self, before: usize) {
        self.facts.borrow_mut().truncate(before);
    }

    fn learn_of(&self, condition: &Expr, holds: bool, depth: usize) {
        if depth > MOST_PARTS {
            return;
        }
        match (&condition.kind, holds) {
            (Kind::Not(inner), _) => self.learn_of(inner, !holds, depth + 1),
            (Kind::And(a, b), true) | (Kind::Or(a, b), false) => {
                self.learn_of(a, holds, depth + 1);
                self.learn_of(b, holds, depth + 1);
            }
            (Kind::Read(place), _) => {
                if let Some(held) = place.whole().and_then(|var| self.conditions.get(&var)) {
                    self.learn_of(held, holds, depth + 1);
                }
            }
            (Kind::Compare(how, a, b), _) => self.compare(if holds { *how } else { how.opposite() }, a, b),
            _ => {}
        }
    }

    /// Of a comparison of a variable that does not change with what has a range.
    fn compare(&self, how: Compare, a: &Expr, b: &Expr) {
        let Some(var) = a.variable().filter(|var| !self.changed.contains(var)) else { return };
        let whole = match a.ty {
            Ty::Scalar(Scalar::I32) => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Ty::Scalar(Scalar::U32) => (0, i64::from(u32::MAX)),
            _ => return,
        };
        let Some((least, most)) = self.range(b) else { return };
        let range = match how {
            Compare::Less => (whole.0, most - 1),
            Compare::LessEqual => (whole.0, most),
            Compare::Greater => (least + 1, whole.1),
            Compare::GreaterEqual => (least, whole.1),
            Compare::Equal => (least, most),
            Compare::NotEqual => return,
        };
        self.facts.borrow_mut().push((var, range));
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
            Kind::Read(place) => self.of_var(place.whole()?)?,
            Kind::Convert(inner) if inner.ty.scalar().is_some_and(is_integer) => self.range(inner)?,
            Kind::Choose(_, a, b) => union(self.range(a)?, self.range(b)?),
            Kind::Id(id, dimension) => (0, i64::from(self.threads(*id, *dimension)?) - 1),
            Kind::Op { row, args } => self.of_op(row.op, args)?,
            _ => return None,
        };
        fits(&e.ty, found)
    }

    fn of_op(&self, op: &'static OpDef, args: &[Expr]) -> Option<Range> {
        let [a, b] = args else { return None };
        let is = |def: &'static OpDef| std::ptr::eq(def, op);
        if let Some(found) = self.cut(op, a, b) {
            return Some(found);
        }
        let ((a, b), (c, d)) = (self.range(a)?, self.range(b)?);
        Some(match () {
            () if is(arith::AddI::DEF) => (a.checked_add(c)?, b.checked_add(d)?),
            () if is(arith::SubI::DEF) => (a.checked_sub(d)?, b.checked_sub(c)?),
            () if is(arith::MulI::DEF) && a >= 0 && c >= 0 => (a.checked_mul(c)?, b.checked_mul(d)?),
            () if is(arith::MinSI::DEF) => (a.min(c), b.min(d)),
            () if is(arith::MaxSI::DEF) => (a.max(c), b.max(d)),
            () if is(arith::MinUI::DEF) && a >= 0 && c >= 0 => (a.min(c), b.min(d)),
            () if is(arith::MaxUI::DEF) && a >= 0 && c >= 0 => (a.max(c), b.max(d)),
            () => return None,
        })
    }

    /// How many numbers an id may be.
    fn threads(&self, id: Id, dimension: usize) -> Option<u32> {
        match id {
            Id::Thread => self.threads?.get(dimension).copied(),
            Id::Number => Some(self.threads?.iter().product()),
            _ => None,
        }
    }

    /// Whether a sum, a difference or a product of integers with a sign is one of its type.
    pub fn fits(&self, row: &'static Row, args: &[Expr], ty: &Ty) -> bool {
        let arithmetic = [arith::AddI::DEF, arith::SubI::DEF, arith::MulI::DEF];
        let wraps = arithmetic.iter().any(|def| std::ptr::eq(*def, row.op));
        let signed = matches!(ty, Ty::Scalar(Scalar::I32 | Scalar::I64));
        wraps && signed && self.of_op(row.op, args).is_some_and(|range| fits(ty, range).is_some())
    }

    /// What a constant operand says whatever the other one is: a mask, a divisor, an amount.
    fn cut(&self, op: &'static OpDef, a: &Expr, b: &Expr) -> Option<Range> {
        let is = |def: &'static OpDef| std::ptr::eq(def, op);
        let constant = |e: &Expr| match e.literal() {
            Some(Literal::Int(value)) if value >= 0 => Some(value),
            _ => None,
        };
        let known = |e: &Expr| self.range(e).filter(|(least, _)| *least >= 0);
        if is(arith::AndI::DEF) {
            return Some((0, constant(b).or_else(|| constant(a))?));
        }
        let n = constant(b).filter(|n| *n > 0)?;
        match () {
            () if is(arith::RemUI::DEF) => Some((0, n - 1)),
            () if is(arith::RemSI::DEF) => Some((if known(a).is_some() { 0 } else { 1 - n }, n - 1)),
            () if is(arith::DivUI::DEF) || is(arith::DivSI::DEF) => known(a).map(|(least, most)| (least / n, most / n)),
            () if is(arith::ShRUI::DEF) && n < 32 && a.ty == UINT => Some((0, i64::from(u32::MAX >> n))),
            () => None,
        }
    }

    /// Whether an index is one of so many elements.
    pub fn is_within(&self, index: &Expr, count: u64) -> bool {
        self.range(index).is_some_and(|(least, most)| least >= 0 && u64::try_from(most).is_ok_and(|m| m < count))
    }
}

/// Parts of a condition that are looked at, one in the other.
const MOST_PARTS: usize = 8;

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
