//! How often a loop runs, read back: which counter counts from where, by what step, up or down to
//! which bound.
//!
//! For `for (i = a; i <= b; i += s)` the IR has `max(b - a + s, 0) / s` trips in 64 bits, or no end
//! where the counter could wrap before its test fails, and the counter is `a + trip * s`. The trips
//! give the bound that is left once the start and the step are known.
//!
//! Invariant: the bound is a word or a literal that the program has, so that the test needs no
//! arithmetic.
//!
//! This module must not know: any language.

use super::counters::{Known, Word, is_same, no_less_than_zero};
use crate::tree::{Compare, Expr, Kind, Literal, Var};
use crate::types::{INDEX, Ty, UINT};
use caustic_dialects::arith;
use std::borrow::Cow;

/// No loop of the text is nested so deep in variables.
const FUEL: u32 = 12;

/// A sum of words and a number.
#[derive(Clone, Default)]
struct Sum {
    terms: Vec<(Word, i64)>,
    number: i64,
}

impl Sum {
    fn number(number: i64) -> Sum {
        Sum { terms: Vec::new(), number }
    }

    fn of_word(word: Word) -> Sum {
        match word.value() {
            Some(number) => Sum::number(number),
            None => Sum { terms: vec![(word, 1)], number: 0 },
        }
    }

    fn plus(mut self, other: &Sum, times: i64) -> Option<Sum> {
        for (word, factor) in &other.terms {
            let factor = factor.checked_mul(times)?;
            match self.terms.iter_mut().find(|(w, _)| w.is_same(word)) {
                Some((_, own)) => *own += factor,
                None => self.terms.push((word.clone(), factor)),
            }
        }
        self.terms.retain(|(_, factor)| *factor != 0);
        self.number = self.number.checked_add(other.number.checked_mul(times)?)?;
        Some(self)
    }
}

/// A counter of the program: what it starts from and what each trip adds.
pub struct Counter<'e> {
    /// Zero if there is none.
    from: Option<Cow<'e, Expr>>,
    pub step: i64,
}

impl<'e> Counter<'e> {
    /// What a variable in a loop counts, by the trips of that loop.
    pub fn of(value: &'e Expr, trip: Var) -> Option<Counter<'e>> {
        // The order of a reverse sweep, which is taken from a number of 64 bits.
        if let Kind::Convert(inner) = &value.kind
            && let Some([from, counts]) = inner.operands(arith::SubI::DEF)
            && counts.variable() == Some(trip)
            && number(from).is_some()
        {
            return Some(Counter { from: Some(Cow::Borrowed(from)), step: -1 });
        }
        if let Some(step) = steps(value, trip) {
            return Some(Counter { from: None, step });
        }
        // A number less than zero is taken away.
        if let Some([counts, less]) = value.operands(arith::SubI::DEF)
            && let (Some(step), Some(less)) = (steps(counts, trip), number(less))
            && let Some(from) = less.checked_neg().and_then(|from| literal(&value.ty, from))
        {
            return Some(Counter { from: Some(Cow::Owned(from)), step });
        }
        if let Some([from, counts]) = value.operands(arith::SubI::DEF) {
            let step = steps(counts, trip)?.checked_neg()?;
            return (!from.reads(trip)).then_some(Counter { from: Some(Cow::Borrowed(from)), step });
        }
        let [a, b] = value.operands(arith::AddI::DEF)?;
        let (from, step) = match (steps(a, trip), steps(b, trip)) {
            (None, Some(step)) => (a, step),
            (Some(step), None) => (b, step),
            _ => return None,
        };
        (!from.reads(trip)).then_some(Counter { from: Some(Cow::Borrowed(from)), step })
    }
}

/// The number of the trip times a number.
fn steps(e: &Expr, trip: Var) -> Option<i64> {
    let is_trip = |e: &Expr| matches!(&e.kind, Kind::Convert(inner) if inner.variable() == Some(trip));
    if is_trip(e) {
        return Some(1);
    }
    if let Some([a, b]) = e.operands(arith::ShLI::DEF) {
        let by = number(b).filter(|by| (0..31).contains(by))?;
        return is_trip(a).then_some(1 << by);
    }
    let [a, b] = e.operands(arith::MulI::DEF)?;
    let factor = match (is_trip(a), is_trip(b)) {
        (true, false) => number(b)?,
        (false, true) => number(a)?,
        _ => return None,
    };
    // Of an unsigned type, -1 is the greatest number.
    let wrapped = if e.ty == UINT { i64::from(factor as u32 as i32) } else { factor };
    Some(wrapped).filter(|f| *f != 0 && f.abs() < 1 << 30)
}

fn number(e: &Expr) -> Option<i64> {
    match e.literal() {
        Some(Literal::Int(value)) => Some(value),
        _ if matches!(e.kind, Kind::Zero) => Some(0),
        _ => None,
    }
}

/// A loop as the program has it.
pub struct Range {
    pub from: Expr,
    pub test: Compare,
    pub bound: Expr,
    pub step: i64,
}

/// The loop of so many trips in which this counter, of this type, counts.
pub fn range(known: &Known, trips: &Expr, counter: &Counter<'_>, ty: &Ty) -> Option<Range> {
    let trips = Trips::of(known, trips)?;
    let from = match counter.from.as_deref() {
        Some(from) if known.is_stable(from) && from.ty == *ty => from.clone(),
        Some(from) => Expr::new(ty.clone(), Kind::Literal(Literal::Int(number(from)?))),
        None => Expr::new(ty.clone(), Kind::Literal(Literal::Int(0))),
    };
    let start = match number(&from) {
        Some(number) => Sum::number(number),
        None => Sum::of_word(Word { word: known.original(&from), ty: Some(ty.clone()) }),
    };
    let size = counter.step.abs();
    // Of so many steps as are known the last one is.
    if let (Some(first), [], 1) = (number(&from), &trips.distance.terms[..], trips.divisor)
        && size > 1
    {
        let up = counter.step > 0;
        let end = first.checked_add(trips.distance.number.checked_mul(counter.step)?)?;
        let (test, bound) = if up { (Compare::Less, end) } else { (Compare::Greater, end) };
        let bound = literal(ty, bound)?;
        return Some(Range { from, test, bound, step: counter.step });
    }
    if trips.divisor != size {
        return None;
    }
    // The first number for which the test fails.
    let up = counter.step > 0;
    let end = match up {
        true => trips.distance.plus(&start, 1)?.plus(&Sum::number(1 - size), 1)?,
        false => start.plus(&trips.distance, -1)?.plus(&Sum::number(size - 1), 1)?,
    };
    let (test, bound) = match (&end.terms[..], end.number, up) {
        ([], number, true) => (Compare::Less, literal(ty, number)?),
        // Down to zero, mostly.
        ([], number, false) if *ty != UINT || number >= 0 => (Compare::GreaterEqual, literal(ty, number + 1)?),
        ([(word, 1)], 0, true) => (Compare::Less, word.of(ty)?),
        ([(word, 1)], 1, true) => (Compare::LessEqual, word.of(ty)?),
        ([(word, 1)], 0, false) => (Compare::Greater, word.of(ty)?),
        ([(word, 1)], -1, false) => (Compare::GreaterEqual, word.of(ty)?),
        _ => return None,
    };
    // Where the counter could wrap the trips must have been told so: the loop then never ends, and
    // neither does this one.
    let fits = match (test, number(&bound)) {
        (_, Some(bound)) => literal(ty, bound + counter.step).is_some() && literal(ty, bound - 1).is_some(),
        (Compare::Less | Compare::Greater, None) => size == 1,
        _ => false,
    };
    (fits || trips.endless).then_some(Range { from, test, bound, step: counter.step })
}

/// A number, if the type has it.
fn literal(ty: &Ty, number: i64) -> Option<Expr> {
    let fits = if *ty == UINT { u32::try_from(number).is_ok() } else { i32::try_from(number).is_ok() };
    fits.then(|| Expr::new(ty.clone(), Kind::Literal(Literal::Int(number))))
}

/// The trips of a loop: a distance, but no less than zero, by a step.
struct Trips {
    distance: Sum,
    divisor: i64,
    /// Whether there is no end where the counter would wrap.
    endless: bool,
}

impl Trips {
    fn of(known: &Known, e: &Expr) -> Option<Trips> {
        let (mut e, mut endless) = (known.defined(e), false);
        if let Kind::Choose(_, never, trips) = &e.kind
            && number(never) == Some(i64::MAX)
        {
            (e, endless) = (known.defined(trips), true);
        }
        let mut divisor = 1;
        e = same_bits(known, e);
        if let Some([distance, by]) = e.operands(arith::DivUI::DEF) {
            (e, divisor) = (same_bits(known, distance), number(by)?);
        } else if let Some([distance, by]) = e.operands(arith::ShRUI::DEF) {
            (e, divisor) = (same_bits(known, distance), 1 << number(by).filter(|by| (0..31).contains(by))?);
        }
        let distance = sum(known, no_less_than_zero(e), FUEL)?;
        Some(Trips { distance, divisor, endless })
    }
}

/// What is read with another sign.
fn same_bits<'e>(known: &'e Known, mut e: &'e Expr) -> &'e Expr {
    while let Kind::Convert(inner) = &e.kind
        && inner.ty.scalar().is_some_and(|s| s.size() == 8)
    {
        e = known.defined(inner);
    }
    e
}

/// A sum of 64 bits.
fn sum(known: &Known, e: &Expr, fuel: u32) -> Option<Sum> {
    let fuel = fuel.checked_sub(1)?;
    if let Some(number) = number(e) {
        return Some(Sum::number(number));
    }
    if let Some(mut word) = known.word(e) {
        word.word = known.original(&word.word);
        return Some(Sum::of_word(word));
    }
    let e = known.defined(e);
    if e.ty != INDEX {
        return None;
    }
    if let Some([a, b]) = e.operands(arith::AddI::DEF) {
        return sum(known, a, fuel)?.plus(&sum(known, b, fuel)?, 1);
    }
    if let Some([a, b]) = e.operands(arith::SubI::DEF) {
        return sum(known, a, fuel)?.plus(&sum(known, b, fuel)?, -1);
    }
    if let Some([a, b]) = e.operands(arith::MulI::DEF) {
        return Sum::default().plus(&sum(known, a, fuel)?, number(b)?);
    }
    let mut word = known.word(e)?;
    word.word = known.original(&word.word);
    Some(Sum::of_word(word))
}

impl Word {
    fn is_same(&self, other: &Word) -> bool {
        self.ty == other.ty && is_same(&self.word, &other.word)
    }
}
