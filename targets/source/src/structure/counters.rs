//! Loops that count as the programmer wrote them.
//!
//! The IR counts trips in 64 bits, from zero up: `for (uint i = a; i < b; i++)` has `b - a` trips,
//! no less than zero, and begins each with `i = a + trip`. Where a variable of the program is that
//! sum, it is the counter.
//!
//! Invariant: the bounds are words that do not change in the loop, so that the counter, which is
//! less than one of them, does not wrap.
//!
//! This module must not know: any language.

use super::prune::prune;
use super::trips;
use crate::tree::{
    Compare, Expr, Function, Kind, Literal, Named, Passed, Place, Root, Step, Stmt, Var, any_gives, each_expr,
    each_list, handed_over, mentions, visit_all,
};
use crate::types::{INDEX, Ty, UINT};
use caustic_dialects::arith;
use caustic_dialects::reflect::Scalar;
use caustic_ir::OpDef;
use rustc_hash::{FxHashMap, FxHashSet};

const INT: Ty = Ty::Scalar(Scalar::I32);

/// Gives loops the counters that the program has.
pub fn count_as_written(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let known = Known::of(function, &body);
    let uses = uses(&mut body);
    each_list(&mut body, &mut |block| {
        counted(block, &known, &uses);
        for stmt in block.iter_mut() {
            let vars = &mut function.vars;
            let _ = known
                .rewrite_range(stmt, vars, |counter| counter.step != 1)
                .or_else(|| known.rewrite(stmt, vars, false))
                .or_else(|| known.rewrite_range(stmt, vars, |_| true))
                .or_else(|| known.rewrite(stmt, vars, true));
        }
    });
    prune(&mut body, &function.params.iter().map(|(var, _)| *var).collect());
    function.body = body;
}

/// How often each variable is read.
pub(super) fn uses(body: &mut [Stmt]) -> FxHashMap<Var, usize> {
    let mut found = FxHashMap::default();
    visit_all(body, &mut |named| {
        if let Named::Var(var) = named {
            *found.entry(*var).or_default() += 1;
        }
    });
    found
}

/// Loops that count a variable of their own up, whatever else leaves them.
fn counted(block: &mut Vec<Stmt>, known: &Known, all: &FxHashMap<Var, usize>) {
    let mut at = 1;
    while at < block.len() {
        match counted_at(block, at, known, all) {
            // What declared the counter is gone.
            Some(()) => {}
            None => at += 1,
        }
    }
}

fn counted_at(block: &mut Vec<Stmt>, at: usize, known: &Known, all: &FxHashMap<Var, usize>) -> Option<()> {
    let Stmt::While { condition: Some(condition), body } = &block[at] else { return None };
    let Kind::Compare(test, counter, below) = &condition.kind else { return None };
    let counter = counter.variable()?;
    let ty = below.ty.clone();
    if !known.is_stable(below) || ty != INT && ty != UINT {
        return None;
    }
    let counts = |stmt: &Stmt| matches!(stmt, Stmt::Assign(place, _) if place.whole() == Some(counter));
    let last = body.iter().rposition(counts)?;
    let Stmt::Assign(_, next) = &body[last] else { return None };
    let step = match test {
        Compare::Less => counted_up(next, counter),
        _ => None,
    };
    let step = step.map(|step| Expr::new(ty.clone(), Kind::Literal(step))).or_else(|| multiplied(next, counter))?;
    if mentions(&body[last + 1..], counter) {
        return None;
    }
    let mut inside = [block[at].clone()];
    if all.get(&counter) != uses(&mut inside).get(&counter) || any_gives(&body[..last], counter) {
        return None;
    }
    let from = block[..at].iter().rposition(|s| matches!(s, Stmt::Declare(var, Some(_)) if *var == counter))?;
    let Stmt::Declare(_, Some(start)) = &block[from] else { return None };
    if from + 1 != at && start.literal().is_none() || any_gives(&block[from + 1..at], counter) {
        return None;
    }
    let (start, test, below) = (start.clone(), *test, below.clone());
    let Stmt::While { mut body, .. } = block.remove(at) else { return None };
    body.remove(last);
    block.insert(at, Stmt::For { counter, from: start, test, below: *below, step, body });
    block.remove(from);
    Some(())
}

/// What is added to a counter.
fn counted_up(next: &Expr, counter: Var) -> Option<Literal> {
    let [a, b] = next.operands(arith::AddI::DEF)?;
    b.literal().filter(|l| matches!(l, Literal::Int(1..)) && a.variable() == Some(counter))
}

/// The next number of a counter that is multiplied, divided or shifted by a number.
fn multiplied(next: &Expr, counter: Var) -> Option<Expr> {
    let is = |def: &'static OpDef| {
        let [a, b] = next.operands(def)?;
        (a.variable() == Some(counter) && matches!(b.literal(), Some(Literal::Int(1..)))).then_some(())
    };
    let ops = [
        arith::MulI::DEF,
        arith::DivSI::DEF,
        arith::DivUI::DEF,
        arith::ShLI::DEF,
        arith::ShRSI::DEF,
        arith::ShRUI::DEF,
    ];
    ops.into_iter().find_map(is).map(|()| next.clone())
}

/// A word, and whether it was widened without a sign; a literal is both.
#[derive(Clone)]
pub struct Word {
    pub word: Expr,
    pub ty: Option<Ty>,
}

impl Word {
    fn literal(value: i64) -> Option<Word> {
        let fits = i32::try_from(value).is_ok();
        fits.then(|| Word { word: Expr::new(INT, Kind::Literal(Literal::Int(value))), ty: None })
    }

    pub fn value(&self) -> Option<i64> {
        match self.word.literal() {
            Some(Literal::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// As a number of this type; a literal is one of any type that it fits.
    pub fn of(&self, ty: &Ty) -> Option<Expr> {
        match (&self.ty, self.value()) {
            (Some(own), _) => (own == ty).then(|| self.word.clone()),
            (None, Some(value)) => {
                (*ty == INT || value >= 0).then(|| Expr::new(ty.clone(), Kind::Literal(Literal::Int(value))))
            }
            (None, None) => None,
        }
    }
}

/// What is known of a function's variables.
pub struct Known {
    /// Those that hold one value from their declaration on.
    constant: FxHashSet<Var>,
    /// What such a variable of 64 bits was widened from.
    widened: FxHashMap<Var, Expr>,
    /// Such a variable that is a widened word, but no less than zero, and that word, widened: in a
    /// loop of so many trips they are the same.
    trips: FxHashMap<Var, Expr>,
    /// Such a variable that is another one and a literal, and that sum.
    sums: FxHashMap<Var, (Var, Expr)>,
    /// What such a variable was declared as, if that is an integer.
    values: FxHashMap<Var, Expr>,
}

impl Known {
    fn of(function: &Function, body: &[Stmt]) -> Known {
        let mut changed: FxHashSet<Var> = FxHashSet::default();
        let given = function.params.iter().filter(|(_, how)| matches!(how, Passed::InOut | Passed::Out));
        changed.extend(given.map(|(var, _)| *var));
        let mut declared: FxHashMap<Var, Vec<Option<Expr>>> = FxHashMap::default();
        changed.extend(handed_over(body));
        each_list(&mut body.to_vec(), &mut |list| {
            for stmt in list {
                match stmt {
                    Stmt::Declare(var, value) => declared.entry(*var).or_default().push(value.clone()),
                    other => changed.extend(other.gives()),
                }
            }
        });
        let once = |var: &Var| declared.get(var).is_none_or(|all| matches!(all[..], [Some(_)]));
        let constant: FxHashSet<Var> =
            (0..function.vars.len()).map(Var).filter(|var| !changed.contains(var) && once(var)).collect();
        let (widened, trips, sums, values) = Default::default();
        let mut known = Known { constant, widened, trips, sums, values };
        for (var, values) in declared {
            let [Some(value)] = &values[..] else { continue };
            if known.constant.contains(&var) && (is_wide(&value.ty) || [INT, UINT].contains(&value.ty)) {
                known.values.insert(var, value.clone());
            }
            if let Some([of, more]) = value.operands(arith::AddI::DEF)
                && value.ty == INDEX
                && known.constant.contains(&var)
                && let (Some(of), Some(_)) = (of.variable(), more.literal())
            {
                known.sums.insert(var, (of, value.clone()));
            }
            if known.constant.contains(&var)
                && let wide = no_less_than_zero(value)
                && let Kind::Convert(inner) = &wide.kind
                && wide.ty == INDEX
                && known.is_stable(inner)
            {
                if matches!(value.kind, Kind::Convert(_)) {
                    known.widened.insert(var, (**inner).clone());
                } else if inner.ty == INT || inner.ty == UINT {
                    known.trips.insert(var, wide.clone());
                }
            }
        }
        known
    }

    /// Whether an expression gives the same wherever it stands.
    pub fn is_stable(&self, e: &Expr) -> bool {
        let fixed = |steps: &[Step]| steps.iter().all(|step| matches!(step, Step::Part(_)));
        match &e.kind {
            Kind::Literal(_) => true,
            Kind::Id(..) => true,
            Kind::Read(Place { root: Root::Var(var), steps, .. }) => fixed(steps) && self.constant.contains(var),
            Kind::Read(Place { root: Root::Uniform(_, None), steps, .. }) => fixed(steps),
            _ => false,
        }
    }

    /// The word that a number of 64 bits was widened from.
    pub fn word(&self, e: &Expr) -> Option<Word> {
        let inner = match &e.kind {
            Kind::Literal(Literal::Int(value)) => return Word::literal(*value),
            Kind::Zero => return Word::literal(0),
            Kind::Convert(inner) => (**inner).clone(),
            _ => self.widened.get(&e.variable()?)?.clone(),
        };
        let is_word = e.ty == INDEX && (inner.ty == INT || inner.ty == UINT) && self.is_stable(&inner);
        is_word.then(|| Word { ty: Some(inner.ty.clone()), word: inner })
    }

    /// What a variable of 64 bits was declared as, if it is only read: all that is in it is as it
    /// was then.
    pub fn defined<'e>(&'e self, e: &'e Expr) -> &'e Expr {
        let value = e.variable().filter(|_| is_wide(&e.ty)).and_then(|var| self.values.get(&var));
        value.filter(|value| self.is_settled(value)).unwrap_or(e)
    }

    /// Whether nothing in an expression changes any more.
    fn is_settled(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Convert(a) => self.is_settled(a),
            Kind::Op { args, .. } => args.iter().all(|a| self.is_settled(a)),
            Kind::Choose(a, b, c) => [a, b, c].into_iter().all(|e| self.is_settled(e)),
            Kind::Compare(_, a, b) => self.is_settled(a) && self.is_settled(b),
            Kind::Zero => true,
            _ => self.is_stable(e),
        }
    }

    /// The variable that another one is a copy of, the first.
    pub fn original(&self, e: &Expr) -> Expr {
        let mut found = e;
        while let Some(value) = found.variable().and_then(|var| self.values.get(&var))
            && self.is_stable(value)
            && value.literal().is_none()
            && value.ty == e.ty
        {
            found = value;
        }
        found.clone()
    }

    /// A loop that counts down, by steps, or to a last number.
    fn rewrite_range(
        &self,
        stmt: &mut Stmt,
        vars: &mut [crate::tree::Variable],
        wanted: impl Fn(&trips::Counter<'_>) -> bool,
    ) -> Option<()> {
        let Stmt::For { counter, from, test, below, step, body } = stmt else { return None };
        let begins = from.literal() == Some(Literal::Int(0)) || matches!(from.kind, Kind::Zero);
        if !begins || step.literal() != Some(Literal::Int(1)) || vars[counter.0].ty != INDEX {
            return None;
        }
        let trip = *counter;
        let (at, var, range) = body.iter().enumerate().find_map(|(at, s)| {
            let Stmt::Declare(var, Some(value)) = s else { return None };
            let is_word = value.ty == INT || value.ty == UINT;
            let counts = trips::Counter::of(value, trip).filter(|_| is_word && self.constant.contains(var))?;
            wanted(&counts).then_some(())?;
            Some((at, *var, trips::range(self, below, &counts, &value.ty)?))
        })?;
        let ty = range.from.ty.clone();
        let declared = body.remove(at);
        if mentions(body, trip) {
            body.insert(at, declared);
            return None;
        }
        vars[var.0].ty = ty.clone();
        (*counter, *from, *test, *below) = (var, range.from, range.test, range.bound);
        *step = Expr::new(ty, Kind::Literal(Literal::Int(range.step)));
        Some(())
    }

    /// The number that trips are counted from, and the one that they end below.
    fn range(&self, trips: &Expr) -> Option<(Word, Word)> {
        let trips = no_less_than_zero(trips);
        if let Some(below) = self.word(trips) {
            return Some((Word::literal(0)?, below));
        }
        if let Some([below, from]) = trips.operands(arith::SubI::DEF) {
            return Some((self.word(from)?, self.word(below)?));
        }
        let [a, b] = trips.operands(arith::AddI::DEF)?;
        let (below, less) = (self.word(a)?, self.word(b)?);
        Some((Word::literal(less.value()?.checked_neg()?)?, below))
    }

    /// A loop that counts up one by one; with `trips` the counter may be the number of the trip.
    fn rewrite(&self, stmt: &mut Stmt, vars: &mut [crate::tree::Variable], trips: bool) -> Option<()> {
        let Stmt::For { counter, from, below, step, body, .. } = stmt else { return None };
        let begins = from.literal() == Some(Literal::Int(0)) || matches!(from.kind, Kind::Zero);
        if !begins || step.literal() != Some(Literal::Int(1)) || vars[counter.0].ty != INDEX {
            return None;
        }
        let trip = *counter;
        let counted = below.variable().and_then(|var| Some((var, self.trips.get(&var)?)));
        let (start, end) = self.range(counted.map_or(&*below, |(_, wide)| wide))?;
        let named = body.iter().position(|s| match s {
            Stmt::Declare(var, Some(value)) => {
                self.constant.contains(var) && self.begins_with(value, trip, &start) && end.of(&value.ty).is_some()
            }
            _ => false,
        });
        let (var, ty) = match named {
            Some(at) => {
                let Stmt::Declare(var, Some(value)) = &body[at] else { return None };
                (*var, value.ty.clone())
            }
            // A count of trips is a word, too.
            None if trips && start.value() == Some(0) => (trip, end.ty.clone().unwrap_or(INT)),
            None => return None,
        };
        let (first, last) = (start.of(&ty)?, end.of(&ty)?);
        if let Some(at) = named {
            body.remove(at);
        }
        if start.value() != Some(0) && mentions(body, trip) {
            let from_start = named.map(|at| (at, first.clone()));
            let (at, start) = from_start?;
            // The trip is asked for besides: the loop stays as it is.
            let sum = sum_of_trip(&start, trip, &ty);
            body.insert(at, Stmt::Declare(var, Some(sum?)));
            return None;
        }
        vars[var.0].ty = ty.clone();
        each_expr(body, &mut |e| {
            let Some((trips, wide)) = counted else { return };
            let sum = e.variable().and_then(|var| self.sums.get(&var)).filter(|(of, _)| *of == trips);
            if e.variable() == Some(trips) {
                *e = wide.clone();
            } else if let Some((_, sum)) = sum {
                *e = sum.clone();
                each_operand(e, trips, wide);
            }
        });
        each_expr(body, &mut |e| {
            if e.variable() == Some(trip) && e.ty == INDEX {
                *e = Expr::new(INDEX, Kind::Convert(Box::new(Expr::var(var, ty.clone()))));
            }
        });
        if start.value() == Some(0) {
            each_expr(body, &mut |e| self.count_down(e, var, &last));
        }
        (*counter, *from, *below) = (var, first, last);
        *step = Expr::new(ty, Kind::Literal(Literal::Int(1)));
        Some(())
    }

    /// What a counter that starts at zero leaves of its bound, as a word: the number of a trip in
    /// the order of a reverse sweep. In the loop the bound is no less than one, so that taking one
    /// from it does not wrap.
    fn count_down(&self, e: &mut Expr, counter: Var, bound: &Expr) {
        let Some([left, trip]) = e.operands(arith::SubI::DEF) else { return };
        let Some([whole, less]) = left.operands(arith::AddI::DEF) else { return };
        let is_trip = matches!(&trip.kind, Kind::Convert(inner) if inner.variable() == Some(counter));
        let is_bound = self.word(whole).and_then(|word| word.of(&bound.ty)).is_some_and(|word| is_same(&word, bound));
        if e.ty != INDEX || less.literal() != Some(Literal::Int(-1)) || !is_trip || !is_bound {
            return;
        }
        let ty = &bound.ty;
        let less = |a: Expr, b: Expr| {
            Some(Expr::new(ty.clone(), Kind::Op { row: crate::ops::row(arith::SubI::DEF, ty)?, args: vec![a, b] }))
        };
        let one = Expr::new(ty.clone(), Kind::Literal(Literal::Int(1)));
        let down = less(bound.clone(), one).and_then(|last| less(last, Expr::var(counter, ty.clone())));
        if let Some(down) = down {
            *e = Expr::new(INDEX, Kind::Convert(Box::new(down)));
        }
    }

    /// Whether a word is the trip added to where the loop starts.
    fn begins_with(&self, value: &Expr, trip: Var, start: &Word) -> bool {
        let is_trip = |e: &Expr| matches!(&e.kind, Kind::Convert(inner) if inner.variable() == Some(trip));
        if value.ty != INT && value.ty != UINT {
            return false;
        }
        if is_trip(value) {
            return start.value() == Some(0);
        }
        let Some([a, b]) = value.operands(arith::AddI::DEF) else { return false };
        let other = match (is_trip(a), is_trip(b)) {
            (true, false) => b,
            (false, true) => a,
            _ => return false,
        };
        match (other.literal(), start.value()) {
            (Some(Literal::Int(other)), Some(start)) => other == start,
            (None, None) => start.word.ty == other.ty && is_same(&start.word, other),
            _ => false,
        }
    }
}

/// A start and the trip, as it was.
fn sum_of_trip(start: &Expr, trip: Var, ty: &Ty) -> Option<Expr> {
    let cut = Expr::new(ty.clone(), Kind::Convert(Box::new(Expr::var(trip, INDEX))));
    Some(Expr::new(
        ty.clone(),
        Kind::Op { row: crate::ops::row(arith::AddI::DEF, ty)?, args: vec![start.clone(), cut] },
    ))
}

/// Puts an expression in the place of a variable.
fn each_operand(e: &mut Expr, var: Var, value: &Expr) {
    if let Kind::Op { args, .. } = &mut e.kind {
        args.iter_mut().filter(|a| a.variable() == Some(var)).for_each(|a| *a = value.clone());
    }
}

/// A loop of no more than zero trips is not run, however few they are.
pub fn no_less_than_zero(e: &Expr) -> &Expr {
    match e.operands(arith::MaxSI::DEF) {
        Some([a, b]) if is_zero(b) => a,
        Some([a, b]) if is_zero(a) => b,
        _ => e,
    }
}

fn is_wide(ty: &Ty) -> bool {
    ty.is_scalar() && ty.scalar().is_some_and(|s| s.size() == 8)
}

fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, Kind::Zero) || e.literal() == Some(Literal::Int(0))
}

/// Whether two stable expressions are the same.
pub fn is_same(a: &Expr, b: &Expr) -> bool {
    let part = |step: &Step| if let Step::Part(k) = step { Some(*k) } else { None };
    match (&a.kind, &b.kind) {
        (Kind::Id(a, of), Kind::Id(b, other)) => a == b && of == other,
        (Kind::Read(a), Kind::Read(b)) => {
            let roots = match (&a.root, &b.root) {
                (Root::Var(a), Root::Var(b)) => a == b,
                (Root::Uniform(a, None), Root::Uniform(b, None)) => a == b,
                _ => false,
            };
            let steps = |place: &Place| place.steps.iter().map(part).collect::<Option<Vec<usize>>>();
            roots && steps(a).is_some() && steps(a) == steps(b)
        }
        _ => false,
    }
}
