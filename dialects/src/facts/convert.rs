//! Rules of conversions between scalar types, of comparisons and of selections.

use super::int::{Wide, signed, unsigned};
use super::pieces::{Gathered, pieces};
use crate::arith::num;
use crate::arith::{FloatPredicate, IntPredicate};
use caustic_ir::eval::Val;
use caustic_ir::fact::{Fact, FactArgs, FloatFact, IntFact, Kinds};
use caustic_ir::{FloatKind, Type};

/// The value read as signed, to any width.
pub fn signed_to_int(x: &FactArgs<'_>) -> Fact {
    let (a, bits) = (x.int(0), x.bits());
    // Bits above the sign are as the sign, which the range knows.
    Wide::new(bits).known(a.zeros, a.ones).signed(Some(signed(a))).finish()
}

/// The value read as unsigned, to any width.
pub fn unsigned_to_int(x: &FactArgs<'_>) -> Fact {
    let a = x.int(0);
    Wide::new(x.bits()).known(a.zeros | !a.mask(), a.ones).unsigned(Some(unsigned(a))).finish()
}

/// The low bits of the value.
pub fn truncate(x: &FactArgs<'_>) -> Fact {
    let a = x.int(0);
    Wide::new(x.bits()).known(a.zeros, a.ones).signed(Some(signed(a))).unsigned(Some(unsigned(a))).finish()
}

/// A whole number between the two as a float.
fn whole(x: &FactArgs<'_>, lo: f64, hi: f64, never_zero: bool) -> Fact {
    let zero = Kinds::NEG_ZERO | Kinds::POS_ZERO.only_if(never_zero);
    let kinds = (Kinds::NAN | Kinds::SUBNORMAL | zero).complement();
    FloatFact::new(x.format(), kinds, lo, hi).map_or(Fact::None, Fact::Float)
}

pub fn signed_to_float(x: &FactArgs<'_>) -> Fact {
    let (a, format) = (x.int(0), x.format());
    let to = |v: i64| caustic_ir::attr::round_to(num::signed_to_float(v, format), format);
    whole(x, to(a.signed.0), to(a.signed.1), a.never_zero())
}

pub fn unsigned_to_float(x: &FactArgs<'_>) -> Fact {
    let (a, format) = (x.int(0), x.format());
    let to = |v: u64| caustic_ir::attr::round_to(num::unsigned_to_float(v, format), format);
    whole(x, to(a.unsigned.0), to(a.unsigned.1), a.never_zero())
}

/// Towards zero, with ends that saturate; NaN gives 0.
pub fn float_to_int(x: &FactArgs<'_>) -> Fact {
    let mut found: Option<IntFact> = None;
    for (lo, hi) in pieces(x.float(0)) {
        let ends = [lo, hi].map(|v| x.eval(&[Val::Float(v)]).map_or(0, |v| v.as_int()));
        let ends = ends.map(|v| IntFact::constant(v, x.bits()));
        // Between the ends of a piece a conversion is monotone; read as signed or as unsigned, as its sign is.
        let between = match ends {
            [a, b] if a == b => Some(a),
            [a, b] if hi < 0.0 => IntFact::between(a.signed.0, b.signed.0, x.bits()),
            [a, b] => IntFact::between_unsigned(a.unsigned.0, b.unsigned.0, x.bits()),
        };
        let Some(between) = between else { return Fact::None };
        found = match found {
            None => Some(between),
            Some(f) => f.join(between),
        };
    }
    found.map_or(Fact::None, Fact::Int)
}

/// The same bits: of floats without a sign, and of integers without one, in the same order.
pub fn bits(x: &FactArgs<'_>) -> Fact {
    let (from, to) = (x.elem(0), x.result.elem());
    match (from.is_float(), to.is_float()) {
        (true, false) => bits_of_float(x.float(0), to),
        (false, true) => float_of_bits(x.int(0), x.format()),
        _ => x.fact(0),
    }
}

fn bits_of_float(f: FloatFact, to: Type) -> Fact {
    let width = num::width(to);
    if f.kinds.meets(Kinds::NAN) {
        return Fact::None;
    }
    let bits = |v: f64| num::float_bits(v, f.format()) as u64 & IntFact::top(width).mask();
    let mut found: Option<IntFact> = None;
    for (lo, hi) in pieces(f) {
        let (a, b) = (bits(lo), bits(hi));
        let Some(piece) = IntFact::between_unsigned(a.min(b), a.max(b), width) else { return Fact::None };
        found = match found {
            None => Some(piece),
            Some(f) => f.join(piece),
        };
    }
    found.map_or(Fact::None, Fact::Int)
}

fn float_of_bits(i: IntFact, format: FloatKind) -> Fact {
    let sign = i.sign();
    let float = |bits: u64| num::float_from_bits(bits as i64, format);
    let infinity = num::float_bits(f64::INFINITY, format) as u64 & i.mask();
    let mut out = Gathered::new(format);
    // With and without the sign's bit; magnitudes go up with the bits, to NaN behind infinity.
    for bit in [0, sign] {
        let half = IntFact::between_unsigned(bit, bit | (sign - 1), i.bits()).and_then(|h| h.meet(i));
        let Some(half) = half else { continue };
        let (lo, hi) = (half.unsigned.0 & !sign, half.unsigned.1 & !sign);
        if hi > infinity {
            out.nan();
        }
        if lo <= infinity {
            let (least, most) = (float(lo | bit), float(hi.min(infinity) | bit));
            out.span(least.min(most), least.max(most));
        }
    }
    out.finish()
}

/// How two values may compare.
#[derive(Clone, Copy, Default)]
struct Outcomes {
    less: bool,
    equal: bool,
    greater: bool,
    unordered: bool,
}

impl Outcomes {
    /// What a test gives that holds for these outcomes.
    fn test(self, less: bool, equal: bool, greater: bool, unordered: bool) -> Fact {
        let outcomes = [(self.less, less), (self.equal, equal), (self.greater, greater), (self.unordered, unordered)];
        let found = |holds: bool| outcomes.iter().any(|(possible, h)| *possible && *h == holds);
        match (found(true), found(false)) {
            (true, false) => Fact::Int(IntFact::constant(1, 1)),
            (false, true) => Fact::Int(IntFact::constant(0, 1)),
            _ => Fact::None,
        }
    }

    fn floats(a: FloatFact, b: FloatFact, same: bool) -> Outcomes {
        let numbers = a.lo <= a.hi && b.lo <= b.hi;
        // Zeros of both signs are equal.
        let merged = |k: Kinds| if k.meets(Kinds::ZERO) { k | Kinds::ZERO } else { k };
        let shared = merged(a.kinds).and(merged(b.kinds)).meets(Kinds::NUMBER);
        Outcomes {
            less: numbers && !same && a.lo < b.hi,
            equal: numbers && a.lo <= b.hi && b.lo <= a.hi && shared,
            greater: numbers && !same && a.hi > b.lo,
            unordered: (a.kinds | b.kinds).meets(Kinds::NAN),
        }
    }

    fn ints(a: IntFact, b: IntFact, same: bool, of_signed: bool) -> Outcomes {
        let (left, right) = if of_signed { (signed(a), signed(b)) } else { (unsigned(a), unsigned(b)) };
        Outcomes {
            less: !same && left.0 < right.1,
            equal: a.meet(b).is_some(),
            greater: !same && left.1 > right.0,
            unordered: false,
        }
    }
}

fn predicate(x: &FactArgs<'_>) -> i64 {
    x.attr("predicate").and_then(|a| a.as_int()).unwrap_or(-1)
}

pub fn compare_floats(x: &FactArgs<'_>) -> Fact {
    let Some(p) = FloatPredicate::from_number(predicate(x)) else { return Fact::None };
    let outcomes = Outcomes::floats(x.float(0), x.float(1), x.are_same(0, 1));
    outcomes.test(p.holds(0.0, 1.0), p.holds(0.0, 0.0), p.holds(1.0, 0.0), p.holds(f64::NAN, 0.0))
}

pub fn compare_ints(x: &FactArgs<'_>) -> Fact {
    let Some(p) = IntPredicate::from_number(predicate(x)) else { return Fact::None };
    let of_signed = !matches!(p, IntPredicate::Ult | IntPredicate::Ule | IntPredicate::Ugt | IntPredicate::Uge);
    let outcomes = Outcomes::ints(x.int(0), x.int(1), x.are_same(0, 1), of_signed);
    let holds = |a: i64, b: i64| p.holds(a, b, Type::i64());
    outcomes.test(holds(0, 1), holds(0, 0), holds(1, 0), false)
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
