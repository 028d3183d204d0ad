//! Facts: what is known of all values that an expression may have, as a set that holds every one of
//! them and perhaps more.
//!
//! A fact of a float is a mask of kinds and an interval, one of an integer are two intervals and
//! the bits that are known; a fact of a vector or matrix holds for each of its scalars. Facts are
//! kept *reduced*: what one part says, the others say as far as they can, so that equal sets are
//! equal facts and no fact is empty. An empty set is a contradiction, which is `None` of the
//! functions that could make one.
//!
//! A fact speaks of the value that exact arithmetic gives on any target: [`crate::eval`] but for
//! the error of functions, which whoever makes facts of ops adds. This module must not know: any
//! op.

mod float;
mod int;
mod rule;

pub use float::{FloatFact, Kinds, next_down, next_up};
pub use int::IntFact;
pub use rule::{FactArgs, FactFn};

use crate::attr::{Attr, AttrKind};
use crate::eval::Val;
use crate::types::{Type, TypeKind};

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// Nothing; all that is ever known of values that are no numbers.
    None,
    Float(FloatFact),
    Int(IntFact),
}

impl Fact {
    /// All values of the type, or of the scalars of a vector or matrix.
    pub fn top(ty: Type) -> Fact {
        match ty.elem().kind() {
            TypeKind::Float(format) => Fact::Float(FloatFact::top(*format)),
            TypeKind::Int(bits) => Fact::Int(IntFact::top(*bits)),
            TypeKind::Index => Fact::Int(IntFact::top(64)),
            _ => Fact::None,
        }
    }

    /// The value of a constant, or the least fact of all values of a constant vector.
    pub fn constant(attr: Attr) -> Fact {
        match attr.kind() {
            AttrKind::Int(v, ty) => ty.scalar_bits().map_or(Fact::None, |bits| Fact::Int(IntFact::constant(*v, bits))),
            AttrKind::Float(bits, ty) => {
                ty.float_kind().map_or(Fact::None, |f| Fact::Float(FloatFact::constant(f64::from_bits(*bits), f)))
            }
            AttrKind::Dense(items, _) => {
                items.iter().map(|a| Fact::constant(*a)).reduce(Fact::join).unwrap_or(Fact::None)
            }
            _ => Fact::None,
        }
    }

    /// Both hold. `None` where no value is in both; facts of types that differ have nothing to do
    /// with each other, and the first stays.
    pub fn meet(self, other: Fact) -> Option<Fact> {
        match (self, other) {
            (Fact::Float(a), Fact::Float(b)) => a.meet(b).map(Fact::Float),
            (Fact::Int(a), Fact::Int(b)) => a.meet(b).map(Fact::Int),
            (Fact::None, known) | (known, _) => Some(known),
        }
    }

    /// One of both holds.
    pub fn join(self, other: Fact) -> Fact {
        match (self, other) {
            (Fact::Float(a), Fact::Float(b)) => a.join(b).map_or(Fact::None, Fact::Float),
            (Fact::Int(a), Fact::Int(b)) => a.join(b).map_or(Fact::None, Fact::Int),
            _ => Fact::None,
        }
    }

    /// Whether the value, of type `ty`, or each scalar of it, is one of those that the fact allows.
    pub fn contains(self, value: &Val, ty: Type) -> bool {
        match (self, value) {
            (Fact::None, _) => true,
            (_, Val::Agg(parts)) => parts.iter().all(|p| self.contains(p, ty.elem())),
            (Fact::Float(f), Val::Float(v)) => ty.float_kind() == Some(f.format()) && f.contains(*v),
            (Fact::Int(f), Val::Int(v)) => ty.scalar_bits() == Some(f.bits()) && f.contains(*v),
            _ => false,
        }
    }

    /// The constant of type `ty` that the value must be: never a NaN, whose payload no fact knows,
    /// and a zero only of a known sign.
    pub fn as_constant(self, ty: Type) -> Option<Attr> {
        let elem = ty.elem();
        let scalar = match self {
            Fact::None => return None,
            Fact::Float(f) => Attr::float(f.as_constant().filter(|_| elem.float_kind() == Some(f.format()))?, elem),
            Fact::Int(f) => Attr::int(f.as_constant().filter(|_| elem.scalar_bits() == Some(f.bits()))?, elem),
        };
        Some(if ty.is_vector() { Attr::dense(vec![scalar; ty.num_elements()], ty) } else { scalar })
    }

    pub fn float(self) -> Option<FloatFact> {
        match self {
            Fact::Float(f) => Some(f),
            _ => None,
        }
    }

    pub fn int(self) -> Option<IntFact> {
        match self {
            Fact::Int(f) => Some(f),
            _ => None,
        }
    }
}

/// Questions. Each is defined by the values: the answer is yes only if all that the fact allows are
/// so.
impl Fact {
    fn kinds_within(self, kinds: Kinds) -> bool {
        self.float().is_some_and(|f| kinds.holds(f.kinds))
    }

    /// No value is NaN.
    pub fn never_nan(self) -> bool {
        matches!(self, Fact::Int(_)) || self.kinds_within(Kinds::NAN.complement())
    }

    /// No value is an infinity.
    pub fn never_infinite(self) -> bool {
        matches!(self, Fact::Int(_)) || self.kinds_within(Kinds::INFINITE.complement())
    }

    /// Each value is a number and no infinity.
    pub fn finite(self) -> bool {
        self.never_nan() && self.never_infinite()
    }

    /// Each value is above zero, as a signed integer if it is one; no NaN.
    pub fn positive(self) -> bool {
        match self {
            Fact::None => false,
            Fact::Float(f) => Kinds::POSITIVE.holds(f.kinds),
            Fact::Int(f) => f.signed.0 > 0,
        }
    }

    /// Each value is below zero, as a signed integer if it is one; no NaN.
    pub fn negative(self) -> bool {
        match self {
            Fact::None => false,
            Fact::Float(f) => Kinds::NEGATIVE.holds(f.kinds),
            Fact::Int(f) => f.signed.1 < 0,
        }
    }

    /// No value is below zero, as a signed integer if it is one. NaN and -0 are not.
    pub fn never_negative(self) -> bool {
        match self {
            Fact::None => false,
            Fact::Float(_) => self.kinds_within(Kinds::NEGATIVE.complement()),
            Fact::Int(f) => f.signed.0 >= 0,
        }
    }

    /// No value is above zero, as a signed integer if it is one. NaN is not.
    pub fn never_positive(self) -> bool {
        match self {
            Fact::None => false,
            Fact::Float(_) => self.kinds_within(Kinds::POSITIVE.complement()),
            Fact::Int(f) => f.signed.1 <= 0,
        }
    }

    /// No value is a zero of either sign.
    pub fn never_zero(self) -> bool {
        match self {
            Fact::None => false,
            Fact::Float(_) => self.kinds_within(Kinds::ZERO.complement()),
            Fact::Int(f) => f.never_zero(),
        }
    }

    /// No value is -0.
    pub fn never_negative_zero(self) -> bool {
        matches!(self, Fact::Int(_)) || self.kinds_within(Kinds::NEG_ZERO.complement())
    }

    /// No value is +0 of floats.
    pub fn never_positive_zero(self) -> bool {
        self.kinds_within(Kinds::POS_ZERO.complement())
    }

    /// No value is a subnormal float. Zeros are not.
    pub fn never_subnormal(self) -> bool {
        matches!(self, Fact::Int(_)) || self.kinds_within(Kinds::SUBNORMAL.complement())
    }

    /// No integer has one of these bits set.
    pub fn never_set(self, bits: u64) -> bool {
        self.int().is_some_and(|f| f.zeros & bits == bits)
    }

    /// Each value of `self` is less than each of `other`, as signed integers or as floats, where
    /// neither is NaN.
    pub fn below(self, other: Fact) -> bool {
        match (self, other) {
            (Fact::Float(a), Fact::Float(b)) => a.hi < b.lo,
            (Fact::Int(a), Fact::Int(b)) => a.bits() == b.bits() && a.signed.1 < b.signed.0,
            _ => false,
        }
    }

    /// Each value of `self` is at most each of `other`, as signed integers or as floats, where
    /// neither is NaN. Zeros are equal.
    pub fn at_most(self, other: Fact) -> bool {
        match (self, other) {
            (Fact::Float(a), Fact::Float(b)) => a.hi <= b.lo,
            (Fact::Int(a), Fact::Int(b)) => a.bits() == b.bits() && a.signed.1 <= b.signed.0,
            _ => false,
        }
    }

    /// [`Fact::below`] as unsigned integers.
    pub fn below_unsigned(self, other: Fact) -> bool {
        match (self, other) {
            (Fact::Int(a), Fact::Int(b)) => a.bits() == b.bits() && a.unsigned.1 < b.unsigned.0,
            _ => false,
        }
    }

    /// [`Fact::at_most`] as unsigned integers.
    pub fn at_most_unsigned(self, other: Fact) -> bool {
        match (self, other) {
            (Fact::Int(a), Fact::Int(b)) => a.bits() == b.bits() && a.unsigned.1 <= b.unsigned.0,
            _ => false,
        }
    }
}
