//! What a comparison that is known to hold says of its operands.

use caustic_dialects::arith::{CmpF, FloatPredicate, IntPredicate};
use caustic_ir::fact::{Fact, FloatFact, IntFact, Kinds, next_down, next_up};
use caustic_ir::{Attr, Name, OpDef};

/// The operands' facts where a comparison gives `holds`.
pub fn refine(def: &'static OpDef, attrs: &[(Name, Attr)], holds: bool, a: Fact, b: Fact) -> (Fact, Fact) {
    let number = attrs.iter().find(|(n, _)| *n == "predicate").and_then(|(_, p)| p.as_int());
    let Some(number) = number else { return (a, b) };
    match (a, b) {
        (Fact::Float(x), Fact::Float(y)) if std::ptr::eq(def, CmpF::DEF) => {
            let Some(p) = FloatPredicate::from_number(number) else { return (a, b) };
            let p = if holds { p } else { p.inverse() };
            (floats(p, x, y).map_or(a, Fact::Float), floats(p.swapped(), y, x).map_or(b, Fact::Float))
        }
        (Fact::Int(x), Fact::Int(y)) if !std::ptr::eq(def, CmpF::DEF) => {
            let Some(p) = IntPredicate::from_number(number) else { return (a, b) };
            let p = if holds { p } else { p.inverse() };
            (ints(p, x, y).map_or(a, Fact::Int), ints(p.swapped(), y, x).map_or(b, Fact::Int))
        }
        _ => (a, b),
    }
}

/// The fact of `x` where `x p y`.
fn floats(p: FloatPredicate, x: FloatFact, y: FloatFact) -> Option<FloatFact> {
    use FloatPredicate as P;
    let format = x.format();
    let nan_of_y = y.kinds.meets(Kinds::NAN);
    let unordered = matches!(p, P::Ueq | P::Ugt | P::Uge | P::Ult | P::Ule | P::Une | P::Uno | P::True);
    // Where either may be NaN and the predicate allows that, nothing else is said.
    if unordered && (nan_of_y || x.kinds.meets(Kinds::NAN)) {
        return None;
    }
    let kinds = x.kinds.and(Kinds::NAN.complement());
    let (lo, hi) = match p {
        P::Oeq | P::Ueq => (y.lo, y.hi),
        P::Ogt | P::Ugt => (next_up(y.lo, format), f64::INFINITY),
        P::Oge | P::Uge => (y.lo, f64::INFINITY),
        P::Olt | P::Ult => (f64::NEG_INFINITY, next_down(y.hi, format)),
        P::Ole | P::Ule => (f64::NEG_INFINITY, y.hi),
        P::One | P::Une => {
            let zero = y.lo == 0.0 && y.hi == 0.0;
            let kinds = if zero { kinds.and(Kinds::ZERO.complement()) } else { kinds };
            return FloatFact::new(format, kinds, x.lo, x.hi);
        }
        P::Ord => (f64::NEG_INFINITY, f64::INFINITY),
        P::False | P::True | P::Uno => return None,
    };
    FloatFact::new(format, kinds, x.lo.max(lo), x.hi.min(hi))
}

/// The fact of `x` where `x p y`.
fn ints(p: IntPredicate, x: IntFact, y: IntFact) -> Option<IntFact> {
    use IntPredicate as P;
    let bits = x.bits();
    let (signed, unsigned) = (x.signed, x.unsigned);
    let said = match p {
        P::Eq => return x.meet(y),
        P::Ne => return None,
        P::Slt => IntFact::between(signed.0, signed.1.min(y.signed.1.checked_sub(1)?), bits),
        P::Sle => IntFact::between(signed.0, signed.1.min(y.signed.1), bits),
        P::Sgt => IntFact::between(signed.0.max(y.signed.0.checked_add(1)?), signed.1, bits),
        P::Sge => IntFact::between(signed.0.max(y.signed.0), signed.1, bits),
        P::Ult => IntFact::between_unsigned(unsigned.0, unsigned.1.min(y.unsigned.1.checked_sub(1)?), bits),
        P::Ule => IntFact::between_unsigned(unsigned.0, unsigned.1.min(y.unsigned.1), bits),
        P::Ugt => IntFact::between_unsigned(unsigned.0.max(y.unsigned.0.checked_add(1)?), unsigned.1, bits),
        P::Uge => IntFact::between_unsigned(unsigned.0.max(y.unsigned.0), unsigned.1, bits),
    };
    said.and_then(|s| x.meet(s))
}
