//! Rules of comparisons and selections, and the other way round: what is known of values whose
//! comparison is known.

use super::int::{signed, unsigned};
use crate::arith::{FloatPredicate, IntPredicate};
use caustic_ir::Type;
use caustic_ir::fact::{Fact, FactArgs, FloatFact, IntFact, Kinds, next_down, next_up};

/// Ways in which two values can lie to each other: those in which a predicate holds, or those that
/// are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    /// One of two floats is NaN.
    pub unordered: bool,
    /// Whether integers are read as signed.
    pub signed: bool,
}

impl Order {
    pub fn of_floats(p: FloatPredicate) -> Order {
        Order {
            less: p.holds(0.0, 1.0),
            equal: p.holds(0.0, 0.0),
            greater: p.holds(1.0, 0.0),
            unordered: p.holds(f64::NAN, 0.0),
            signed: true,
        }
    }

    pub fn of_ints(p: IntPredicate) -> Order {
        let holds = |a: i64, b: i64| p.holds(a, b, Type::i64());
        let signed = !matches!(p, IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Ugt | IntPredicate::Uge);
        Order { less: holds(0, 1), equal: holds(0, 0), greater: holds(1, 0), unordered: false, signed }
    }

    /// That of the values in the other order.
    pub fn swapped(self) -> Order {
        Order { less: self.greater, greater: self.less, ..self }
    }

    /// Where this one does not hold.
    pub fn inverse(self) -> Order {
        Order {
            less: !self.less,
            equal: !self.equal,
            greater: !self.greater,
            unordered: !self.unordered,
            signed: self.signed,
        }
    }

    fn ways(self) -> [bool; 4] {
        [self.less, self.equal, self.greater, self.unordered]
    }

    /// Whether this predicate holds, if the possible ways decide it.
    fn decided(self, possible: Order) -> Fact {
        let found = |holds: bool| self.ways().into_iter().zip(possible.ways()).any(|(h, p)| p && h == holds);
        match (found(true), found(false)) {
            (true, false) => Fact::Int(IntFact::constant(1, 1)),
            (false, true) => Fact::Int(IntFact::constant(0, 1)),
            _ => Fact::None,
        }
    }
}

fn possible_floats(a: FloatFact, b: FloatFact, same: bool) -> Order {
    let numbers = a.lo <= a.hi && b.lo <= b.hi;
    // Zeros of both signs are equal.
    let merged = |k: Kinds| if k.meets(Kinds::ZERO) { k | Kinds::ZERO } else { k };
    let shared = merged(a.kinds).and(merged(b.kinds)).meets(Kinds::NUMBER);
    Order {
        less: numbers && !same && a.lo < b.hi,
        equal: numbers && a.lo <= b.hi && b.lo <= a.hi && shared,
        greater: numbers && !same && a.hi > b.lo,
        unordered: (a.kinds | b.kinds).meets(Kinds::NAN),
        signed: true,
    }
}

fn possible_ints(a: IntFact, b: IntFact, same: bool, of_signed: bool) -> Order {
    let (left, right) = if of_signed { (signed(a), signed(b)) } else { (unsigned(a), unsigned(b)) };
    Order {
        less: !same && left.0 < right.1,
        equal: a.meet(b).is_some(),
        greater: !same && left.1 > right.0,
        unordered: false,
        signed: of_signed,
    }
}

fn predicate(x: &FactArgs<'_>) -> i64 {
    x.attr("predicate").and_then(|a| a.as_int()).unwrap_or(-1)
}

pub fn floats(x: &FactArgs<'_>) -> Fact {
    let Some(p) = FloatPredicate::from_number(predicate(x)) else { return Fact::None };
    Order::of_floats(p).decided(possible_floats(x.float(0), x.float(1), x.are_same(0, 1)))
}

pub fn ints(x: &FactArgs<'_>) -> Fact {
    let Some(p) = IntPredicate::from_number(predicate(x)) else { return Fact::None };
    let order = Order::of_ints(p);
    order.decided(possible_ints(x.int(0), x.int(1), x.are_same(0, 1), order.signed))
}

/// One of the two, or that which the condition says.
pub fn select(x: &FactArgs<'_>) -> Fact {
    match x.int(0).as_constant() {
        _ if x.are_same(1, 2) => x.fact(1),
        Some(0) => x.fact(2),
        Some(_) => x.fact(1),
        None => x.fact(1).join(x.fact(2)),
    }
}

/// What is left of a value that lies in this order to `other`; `None` if nothing is, which is code
/// that never runs.
pub fn ordered(value: Fact, order: Order, other: Fact) -> Option<Fact> {
    match (value, other) {
        (Fact::Float(v), Fact::Float(o)) => ordered_float(v, order, o).map(Fact::Float),
        (Fact::Int(v), Fact::Int(o)) => ordered_int(v, order, o).map(Fact::Int),
        _ => Some(value),
    }
}

/// [`ordered`] of a value to itself: only whether it is NaN can tell.
pub fn ordered_to_itself(value: Fact, order: Order) -> Option<Fact> {
    let Fact::Float(v) = value else { return Some(value).filter(|_| order.equal) };
    let kinds = Kinds::NUMBER.only_if(order.equal) | Kinds::NAN.only_if(order.unordered);
    FloatFact::new(v.format(), v.kinds.and(kinds), v.lo, v.hi).map(Fact::Float)
}

fn ordered_float(v: FloatFact, order: Order, other: FloatFact) -> Option<FloatFact> {
    let format = v.format();
    if other.kinds.meets(Kinds::NAN) && order.unordered {
        return Some(v);
    }
    let mut kinds = v.kinds.and(Kinds::NUMBER | Kinds::NAN.only_if(order.unordered));
    // Only one of two that are apart can be left out of what a fact says.
    if !order.equal {
        let apart = if other.lo == 0.0 && other.hi == 0.0 {
            Kinds::ZERO
        } else {
            let infinite = other.as_constant().is_some_and(f64::is_infinite);
            other.kinds.and(Kinds::INFINITE).only_if(infinite)
        };
        kinds = kinds.and(apart.complement());
    }
    let (mut lo, mut hi) = (v.lo, v.hi);
    let mut numbers = order.less || order.equal || order.greater;
    if !order.greater {
        hi = hi.min(if order.equal { other.hi } else { next_down(other.hi, format) });
        // Nothing is below the least.
        numbers &= order.equal || other.hi > f64::NEG_INFINITY;
    }
    if !order.less {
        lo = lo.max(if order.equal { other.lo } else { next_up(other.lo, format) });
        numbers &= order.equal || other.lo < f64::INFINITY;
    }
    FloatFact::new(format, if numbers { kinds } else { kinds.and(Kinds::NAN) }, lo, hi)
}

fn ordered_int(v: IntFact, order: Order, other: IntFact) -> Option<IntFact> {
    let bits = v.bits();
    if bits != other.bits() {
        return Some(v);
    }
    match (order.less, order.equal, order.greater) {
        (true, true, true) => Some(v),
        (false, true, false) => v.meet(other),
        (true, false, true) => apart(v, other),
        (false, false, false) => None,
        (less, equal, _) if order.signed => {
            let by = i64::from(!equal);
            let range = if less {
                IntFact::between(i64::MIN, other.signed.1.checked_sub(by)?, bits)
            } else {
                IntFact::between(other.signed.0.checked_add(by)?, i64::MAX, bits)
            };
            range.and_then(|r| r.meet(v))
        }
        (less, equal, _) => {
            let by = u64::from(!equal);
            let range = if less {
                IntFact::between_unsigned(0, other.unsigned.1.checked_sub(by)?, bits)
            } else {
                IntFact::between_unsigned(other.unsigned.0.checked_add(by)?, u64::MAX, bits)
            };
            range.and_then(|r| r.meet(v))
        }
    }
}

/// Without a constant at one of its ends.
fn apart(v: IntFact, other: IntFact) -> Option<IntFact> {
    let bits = v.bits();
    if other.as_constant().is_none() {
        return Some(v);
    }
    let (s, u) = (other.signed.0, other.unsigned.0);
    let signed = (v.signed.0.checked_add((v.signed.0 == s).into())?, v.signed.1.checked_sub((v.signed.1 == s).into())?);
    let unsigned =
        (v.unsigned.0.checked_add((v.unsigned.0 == u).into())?, v.unsigned.1.checked_sub((v.unsigned.1 == u).into())?);
    let without =
        IntFact::between(signed.0, signed.1, bits)?.meet(IntFact::between_unsigned(unsigned.0, unsigned.1, bits)?)?;
    v.meet(without)
}
