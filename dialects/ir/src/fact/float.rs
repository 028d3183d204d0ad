//! What is known of a float: of which kinds it may be, and between which bounds.

use crate::attr::round_to;
use crate::types::FloatKind;
use std::fmt;
use std::ops::BitOr;

/// A set of kinds of floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kinds(u16);

/// The kinds in the order of the numbers, NaN last; the number is the place of its bit.
const NAMES: [&str; 9] = ["-inf", "-normal", "-subnormal", "-0", "+0", "+subnormal", "+normal", "+inf", "nan"];

impl Kinds {
    pub const NONE: Kinds = Kinds(0);
    pub const NEG_INF: Kinds = Kinds(1);
    pub const NEG_NORMAL: Kinds = Kinds(1 << 1);
    pub const NEG_SUBNORMAL: Kinds = Kinds(1 << 2);
    pub const NEG_ZERO: Kinds = Kinds(1 << 3);
    pub const POS_ZERO: Kinds = Kinds(1 << 4);
    pub const POS_SUBNORMAL: Kinds = Kinds(1 << 5);
    pub const POS_NORMAL: Kinds = Kinds(1 << 6);
    pub const POS_INF: Kinds = Kinds(1 << 7);
    pub const NAN: Kinds = Kinds(1 << 8);
    pub const ALL: Kinds = Kinds(0x1ff);
    /// All but NaN.
    pub const NUMBER: Kinds = Kinds(0xff);
    pub const ZERO: Kinds = Kinds(0b11000);
    pub const INFINITE: Kinds = Kinds(0x81);
    pub const SUBNORMAL: Kinds = Kinds(0b100100);
    /// Below zero.
    pub const NEGATIVE: Kinds = Kinds(0b111);
    /// Above zero.
    pub const POSITIVE: Kinds = Kinds(0b1110_0000);

    pub fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }
    pub fn complement(self) -> Kinds {
        Kinds(!self.0 & Kinds::ALL.0)
    }
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Whether a kind is in both.
    pub fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }
    /// Whether all kinds of `other` are in this set.
    pub fn holds(self, other: Kinds) -> bool {
        other.0 & !self.0 == 0
    }
    /// The kinds of the values with their signs changed.
    pub fn negated(self) -> Kinds {
        let mirrored = (self.0 as u8).reverse_bits();
        Kinds(u16::from(mirrored) | self.0 & Kinds::NAN.0)
    }
    /// The set if the condition holds, else none.
    pub fn only_if(self, condition: bool) -> Kinds {
        if condition { self } else { Kinds::NONE }
    }

    /// The kind of a value of this format.
    pub fn of(value: f64, format: FloatKind) -> Kinds {
        let limits = Limits::of(format);
        let magnitude = value.abs();
        let positive = match () {
            _ if value.is_nan() => return Kinds::NAN,
            _ if magnitude == 0.0 => Kinds::POS_ZERO,
            _ if magnitude < limits.normal => Kinds::POS_SUBNORMAL,
            _ if magnitude.is_infinite() => Kinds::POS_INF,
            _ => Kinds::POS_NORMAL,
        };
        if value.is_sign_negative() { positive.negated() } else { positive }
    }

    /// The kinds that values between these bounds may have.
    pub fn between(lo: f64, hi: f64, format: FloatKind) -> Kinds {
        let bounds = bounds(format);
        let first = bounds.iter().position(|b| lo <= b.2);
        let last = bounds.iter().rposition(|b| b.1 <= hi);
        match (first, last) {
            (Some(first), Some(last)) if first <= last => Kinds((1 << (last + 1)) - (1 << first)),
            _ => Kinds::NONE,
        }
    }

    /// The places of the first and the last kind of numbers in their order.
    fn ends(self) -> Option<(usize, usize)> {
        let numbers = self.and(Kinds::NUMBER).0;
        (numbers != 0).then(|| (numbers.trailing_zeros() as usize, numbers.ilog2() as usize))
    }
}

impl BitOr for Kinds {
    type Output = Kinds;
    fn bitor(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.iter().enumerate().filter(|(i, _)| self.0 >> i & 1 != 0).map(|(_, name)| *name);
        write!(f, "{{{}}}", names.collect::<Vec<_>>().join(" "))
    }
}

/// The borders of the kinds of a format.
struct Limits {
    /// The least number above zero.
    least: f64,
    /// The least normal number above zero, and the number before it.
    normal: f64,
    below_normal: f64,
    /// The greatest number that is not infinite.
    greatest: f64,
}

impl Limits {
    fn of(format: FloatKind) -> Limits {
        let (least, normal, greatest) = match format {
            FloatKind::F16 => {
                (f64::from(half::f16::from_bits(1)), half::f16::MIN_POSITIVE.into(), half::f16::MAX.into())
            }
            FloatKind::F32 => (f64::from(f32::from_bits(1)), f32::MIN_POSITIVE.into(), f32::MAX.into()),
            FloatKind::F64 => (f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX),
        };
        Limits { least, normal, below_normal: normal - least, greatest }
    }
}

/// Each kind of numbers in their order, with its least and greatest value.
fn bounds(format: FloatKind) -> [(Kinds, f64, f64); 8] {
    let Limits { least, normal, below_normal, greatest } = Limits::of(format);
    let inf = f64::INFINITY;
    [
        (Kinds::NEG_INF, -inf, -inf),
        (Kinds::NEG_NORMAL, -greatest, -normal),
        (Kinds::NEG_SUBNORMAL, -below_normal, -least),
        (Kinds::NEG_ZERO, 0.0, 0.0),
        (Kinds::POS_ZERO, 0.0, 0.0),
        (Kinds::POS_SUBNORMAL, least, below_normal),
        (Kinds::POS_NORMAL, normal, greatest),
        (Kinds::POS_INF, inf, inf),
    ]
}

/// The least value of the format above `value`; `value` itself if there is none.
pub fn next_up(value: f64, format: FloatKind) -> f64 {
    match format {
        _ if value.is_nan() || value == f64::INFINITY => value,
        FloatKind::F16 => {
            let bits = half::f16::from_f64(value).to_bits();
            let next = match () {
                _ if value == 0.0 => 1,
                _ if value > 0.0 => bits + 1,
                _ => bits - 1,
            };
            half::f16::from_bits(next).to_f64()
        }
        FloatKind::F32 => (value as f32).next_up().into(),
        FloatKind::F64 => value.next_up(),
    }
}

/// The greatest value of the format below `value`; `value` itself if there is none.
pub fn next_down(value: f64, format: FloatKind) -> f64 {
    -next_up(-value, format)
}

/// What is known of a float of one format: it is of one of these kinds and, unless it is NaN,
/// between these bounds.
///
/// Reduced: bounds are values of the format that the kinds allow, zeros without a sign; each kind
/// has a value between the bounds; where only NaN is possible the bounds are those of no number,
/// from infinity to -infinity.
#[derive(Clone, Copy, PartialEq)]
pub struct FloatFact {
    pub kinds: Kinds,
    pub lo: f64,
    pub hi: f64,
    format: FloatKind,
}

// No bound is NaN.
impl Eq for FloatFact {}

impl FloatFact {
    /// The values of these kinds between these bounds (the kinds decide on NaN); `None` if there
    /// are none. A bound that is NaN is none.
    pub fn new(format: FloatKind, kinds: Kinds, lo: f64, hi: f64) -> Option<FloatFact> {
        let bound = |v: f64| if v.is_nan() { f64::NEG_INFINITY } else { v };
        let (lo, hi) = (rounded_up(bound(lo), format), -rounded_up(bound(-hi), format));
        let numbers = kinds.and(if lo <= hi { Kinds::between(lo, hi, format) } else { Kinds::NONE });
        let kinds = numbers | kinds.and(Kinds::NAN);
        let mut fact = FloatFact { kinds, lo: f64::INFINITY, hi: f64::NEG_INFINITY, format };
        if let Some((first, last)) = numbers.ends() {
            let bounds = bounds(format);
            (fact.lo, fact.hi) = (bounds[first].1.max(lo), bounds[last].2.min(hi));
        }
        // Bounds have no sign of zero.
        (fact.lo, fact.hi) = (fact.lo + 0.0, fact.hi + 0.0);
        (!kinds.is_empty()).then_some(fact)
    }

    /// All values.
    pub fn top(format: FloatKind) -> FloatFact {
        FloatFact { kinds: Kinds::ALL, lo: f64::NEG_INFINITY, hi: f64::INFINITY, format }
    }

    /// Whether all values of the format are possible.
    pub fn is_top(self) -> bool {
        self.kinds == Kinds::ALL && self.lo == f64::NEG_INFINITY && self.hi == f64::INFINITY
    }

    /// The value, which is one of the format.
    pub fn constant(value: f64, format: FloatKind) -> FloatFact {
        let value = round_to(value, format);
        let (lo, hi) = if value.is_nan() { (f64::INFINITY, f64::NEG_INFINITY) } else { (value + 0.0, value + 0.0) };
        FloatFact { kinds: Kinds::of(value, format), lo, hi, format }
    }

    pub fn format(self) -> FloatKind {
        self.format
    }

    pub fn meet(self, other: FloatFact) -> Option<FloatFact> {
        // Most values are those of which nothing is known.
        if self.format != other.format || other.is_top() {
            return Some(self);
        }
        if self.is_top() {
            return Some(other);
        }
        FloatFact::new(self.format, self.kinds.and(other.kinds), self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// `None` for floats of two formats.
    pub fn join(self, other: FloatFact) -> Option<FloatFact> {
        let (lo, hi) = (self.lo.min(other.lo), self.hi.max(other.hi));
        FloatFact::new(self.format, self.kinds | other.kinds, lo, hi).filter(|_| self.format == other.format)
    }

    pub fn contains(self, value: f64) -> bool {
        self.kinds.meets(Kinds::of(value, self.format)) && (value.is_nan() || self.lo <= value && value <= self.hi)
    }

    /// The value, if there is one that is no NaN.
    pub fn as_constant(self) -> Option<f64> {
        match self.kinds {
            Kinds::NEG_ZERO => Some(-0.0),
            Kinds::POS_ZERO => Some(0.0),
            kinds => (self.lo == self.hi && self.lo != 0.0 && !kinds.meets(Kinds::NAN)).then_some(self.lo),
        }
    }
}

/// The least value of the format that is not below `value`; as the greatest one counts what
/// infinity is beyond.
fn rounded_up(value: f64, format: FloatKind) -> f64 {
    let near = round_to(value, format);
    if near < value { next_up(near, format) } else { near }
}

impl fmt::Debug for FloatFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} [{:e}, {:e}]", self.kinds, self.lo, self.hi)
    }
}
