//! A fact of floats cut into pieces, and a fact put together of what a function gives for them.
//!
//! Within a piece all numbers have one sign, and zeros, infinities and NaN are pieces by
//! themselves. So arithmetic is monotone on pieces, and whether it gives NaN, or a zero of which
//! sign, is the same all over one: its corners say everything.

use caustic_ir::FloatKind;
use caustic_ir::attr::round_to;
use caustic_ir::fact::{Fact, FloatFact, Kinds, next_down, next_up};
use smallvec::SmallVec;

/// The least and the greatest value; both are NaN where it is that.
pub type Piece = (f64, f64);
type Pieces = SmallVec<[Piece; 7]>;

/// The pieces of a fact.
pub fn pieces(fact: FloatFact) -> Pieces {
    let mut out = Pieces::new();
    let finite = |kinds: Kinds| {
        let part = FloatFact::new(fact.format(), fact.kinds.and(kinds), fact.lo, fact.hi);
        part.map(|p| (p.lo, p.hi))
    };
    let single = |kind: Kinds, value: f64| fact.kinds.meets(kind).then_some((value, value));
    out.extend(single(Kinds::NAN, f64::NAN));
    out.extend(single(Kinds::NEG_INF, f64::NEG_INFINITY));
    out.extend(finite(Kinds::NEG_NORMAL | Kinds::NEG_SUBNORMAL));
    out.extend(single(Kinds::NEG_ZERO, -0.0));
    out.extend(single(Kinds::POS_ZERO, 0.0));
    out.extend(finite(Kinds::POS_NORMAL | Kinds::POS_SUBNORMAL));
    out.extend(single(Kinds::POS_INF, f64::INFINITY));
    out
}

/// Whether a piece is of numbers that are neither zero nor infinite.
pub fn is_finite(piece: Piece) -> bool {
    piece.0.is_finite() && piece.0 != 0.0
}

/// The corners of a piece: one or two.
pub fn ends(piece: Piece) -> SmallVec<[f64; 2]> {
    let mut out = SmallVec::new();
    out.push(piece.0);
    if piece.0 < piece.1 {
        out.push(piece.1);
    }
    out
}

/// Puts a fact of floats together.
pub struct Gathered {
    format: FloatKind,
    kinds: Kinds,
    lo: f64,
    hi: f64,
}

impl Gathered {
    pub fn new(format: FloatKind) -> Gathered {
        Gathered { format, kinds: Kinds::NONE, lo: f64::INFINITY, hi: f64::NEG_INFINITY }
    }

    /// NaN is possible.
    pub fn nan(&mut self) {
        self.kinds = self.kinds | Kinds::NAN;
    }

    /// This value is possible, and no other one because of it.
    pub fn value(&mut self, value: f64) {
        self.span(value, value);
    }

    /// All values from `lo` to `hi` are possible, zeros at the ends only of the sign that is said.
    /// A zero between them comes of numbers that cancel or of a function that goes through zero,
    /// and has no sign.
    pub fn span(&mut self, lo: f64, hi: f64) {
        if lo.is_nan() || hi.is_nan() {
            return self.nan();
        }
        let zeros = [lo, hi].into_iter().fold(Kinds::NONE, |k, v| k | Kinds::of(v, self.format)).and(Kinds::ZERO);
        let inner = Kinds::between(lo, hi, self.format).and(Kinds::ZERO.complement());
        self.kinds = self.kinds | zeros | inner | Kinds::POS_ZERO.only_if(lo < 0.0 && hi > 0.0);
        (self.lo, self.hi) = (self.lo.min(lo), self.hi.max(hi));
    }

    /// What lies between values that a function gives at the corners of a piece.
    pub fn corners(&mut self, values: &[f64], ulps: u32) {
        let mut ends: Option<(f64, f64)> = None;
        for &v in values {
            if v.is_nan() {
                self.nan();
                continue;
            }
            let (lo, hi) = ends.unwrap_or((v, v));
            // In the order of the numbers, -0 before +0.
            let less = |a: f64, b: f64| a < b || a == b && a.is_sign_negative();
            ends = Some((if less(v, lo) { v } else { lo }, if less(hi, v) { v } else { hi }));
        }
        if let Some((lo, hi)) = ends {
            self.span(lowered(lo, ulps, self.format), -lowered(-hi, ulps, self.format));
        }
    }

    /// The value in the format of the result.
    pub fn rounded(&self, value: f64) -> f64 {
        round_to(value, self.format)
    }

    pub fn finish(self) -> Fact {
        FloatFact::new(self.format, self.kinds, self.lo, self.hi).map_or(Fact::None, Fact::Float)
    }
}

/// The least value that is `ulps` units in the last place of `value` away from it. Errors do not
/// change the sign, nor make a number of an exact zero.
fn lowered(value: f64, ulps: u32, format: FloatKind) -> f64 {
    if value == 0.0 || ulps == 0 {
        return value;
    }
    if value < 0.0 {
        return (0..ulps).fold(value, |v, _| next_down(v, format));
    }
    // Infinity counts as the number behind the greatest. Below a power of two numbers are closer,
    // so that steps would not do.
    let (start, steps) = if value.is_finite() { (value, ulps) } else { (next_down(value, format), ulps - 1) };
    let unit = match next_up(start, format) - start {
        unit if unit.is_finite() => unit,
        _ => start - next_down(start, format),
    };
    (start - f64::from(steps) * unit).max(0.0)
}
