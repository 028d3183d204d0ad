//! Rules of ops on floats: monotone ones from the op's own evaluation at corners, the others one by
//! one.

use super::pieces::{Gathered, Piece, ends, is_finite, pieces};
use caustic_ir::fact::{Fact, FactArgs, FloatFact, Kinds, next_down};
use smallvec::SmallVec;
use std::f64::consts::FRAC_PI_2;

/// Ops of one or two floats that are rounded correctly on all targets and are monotone in each
/// operand while the signs of both stay as they are.
pub fn monotone(x: &FactArgs<'_>) -> Fact {
    if x.facts.len() == 2 { monotone2(x, 0) } else { function(x, 0, ALL) }
}

/// [`monotone`] of two operands, on some target wrong by that many units in the last place.
pub fn monotone2(x: &FactArgs<'_>, ulps: u32) -> Fact {
    let (a, b) = (x.float(0), x.float(1));
    let mut out = Gathered::new(x.format());
    if x.are_same(0, 1) {
        for piece in pieces(a) {
            let values: SmallVec<[f64; 2]> = ends(piece).iter().map(|&v| x.eval_floats([v, v])).collect();
            out.corners(&values, ulps);
        }
        return out.finish();
    }
    if a.is_top() && b.is_top() {
        return Fact::None;
    }
    let right = pieces(b);
    for left in pieces(a) {
        for &right in &right {
            out.corners(&at_corners(left, right, |a, b| x.eval_floats([a, b])), ulps);
        }
    }
    out.finish()
}

fn at_corners(a: Piece, b: Piece, f: impl Fn(f64, f64) -> f64) -> SmallVec<[f64; 4]> {
    let right = ends(b);
    ends(a).iter().flat_map(|&a| right.iter().map(move |&b| (a, b))).map(|(a, b)| f(a, b)).collect()
}

/// Everywhere.
pub const ALL: Piece = (f64::NEG_INFINITY, f64::INFINITY);

/// A function of one float that is monotone on each side of zero within its domain and gives NaN
/// outside. Targets may be wrong by so many units in the last place, but zeros, and infinities of
/// arguments that are no finite numbers, are exact.
pub fn function(x: &FactArgs<'_>, ulps: u32, domain: Piece) -> Fact {
    let mut out = Gathered::new(x.format());
    for piece in pieces(x.float(0)) {
        if !is_finite(piece) {
            at_point(&mut out, x.eval_floats([piece.0]), ulps);
            continue;
        }
        let inside = (piece.0.max(domain.0), piece.1.min(domain.1));
        if inside != piece {
            out.nan();
        }
        if inside.0 <= inside.1 {
            let values: SmallVec<[f64; 2]> = ends(inside).iter().map(|&v| x.eval_floats([v])).collect();
            out.corners(&values, ulps);
        }
    }
    out.finish()
}

/// What is known of an op of which no result is subnormal: one that gives whole numbers, or that is
/// zero at one number and far from it at the next.
pub fn normal(found: Fact) -> Fact {
    let Some(f) = found.float() else { return found };
    let kinds = f.kinds.and(Kinds::SUBNORMAL.complement());
    FloatFact::new(f.format(), kinds, f.lo, f.hi).map_or(Fact::None, Fact::Float)
}

/// What a function gives for a zero, an infinity or NaN.
fn at_point(out: &mut Gathered, value: f64, ulps: u32) {
    out.corners(&[value], if value.is_infinite() { 0 } else { ulps });
}

/// Functions that swing between -1 and 1, and on each side of zero go one way up to the magnitude
/// `turn` and the other way up to half a turn more.
pub fn swinging(x: &FactArgs<'_>, ulps: u32, turn: f64) -> Fact {
    let mut out = Gathered::new(x.format());
    for piece in pieces(x.float(0)) {
        if !is_finite(piece) {
            at_point(&mut out, x.eval_floats([piece.0]), ulps);
            continue;
        }
        let mut values: SmallVec<[f64; 3]> = ends(piece).iter().map(|&v| x.eval_floats([v])).collect();
        let greatest = piece.0.abs().max(piece.1.abs());
        if greatest > turn {
            // The nearest float to what is a little less than one.
            values.push(x.eval_floats([turn.copysign(piece.0)]));
        }
        if greatest < turn + 3.0 {
            out.corners(&values, ulps);
        } else {
            // What is near one and not beyond is off by what the target is, not by what the
            // reference is, too.
            out.corners(&[-1.0, 1.0], ulps.saturating_sub(1));
            out.span(-0.0, 0.0);
        }
    }
    out.finish()
}

/// The tangent: any number, or an infinity, beyond a quarter turn.
pub fn tangent(x: &FactArgs<'_>, ulps: u32) -> Fact {
    let mut out = Gathered::new(x.format());
    for piece in pieces(x.float(0)) {
        let finite = is_finite(piece);
        if finite && piece.0.abs().max(piece.1.abs()) > FRAC_PI_2 {
            out.corners(&[f64::NEG_INFINITY, f64::INFINITY], 0);
            out.span(-0.0, 0.0);
            continue;
        }
        let values: SmallVec<[f64; 2]> = ends(piece).iter().map(|&v| x.eval_floats([v])).collect();
        out.corners(&values, if finite { ulps } else { 0 });
    }
    out.finish()
}

/// The magnitude of the first operand with the sign of the second. A NaN has a sign that nothing is
/// known of.
pub fn copysign(x: &FactArgs<'_>) -> Fact {
    if x.are_same(0, 1) {
        return x.fact(0);
    }
    let signs = x.float(1).kinds;
    let of_nan = signs.meets(Kinds::NAN);
    let either = [(1.0, Kinds::POSITIVE | Kinds::POS_ZERO), (-1.0, Kinds::NEGATIVE | Kinds::NEG_ZERO)];
    let mut out = Gathered::new(x.format());
    for piece in pieces(x.float(0)) {
        for (sign, _) in either.into_iter().filter(|(_, kinds)| of_nan || signs.meets(*kinds)) {
            {
                let values: SmallVec<[f64; 2]> = ends(piece).iter().map(|&v| x.eval_floats([v, sign])).collect();
                out.corners(&values, 0);
            }
        }
    }
    out.finish()
}

/// The remainder: smaller than the divisor, no larger than the dividend, and with its sign. Exact.
pub fn remainder(x: &FactArgs<'_>) -> Fact {
    if x.are_same(0, 1) {
        return monotone(x);
    }
    let (a, b) = (x.float(0), x.float(1));
    let mut out = Gathered::new(x.format());
    let divisors = pieces(b);
    for piece in pieces(a) {
        for &by in &divisors {
            let numbers = piece.0 == piece.1 && by.0 == by.1;
            if numbers || !is_finite(piece) || by.0 == 0.0 || by.0.is_nan() {
                // The same all over the divisor's piece: a number, NaN, or a zero that stays.
                out.value(x.eval_floats([piece.0, by.0]));
                continue;
            }
            let (least, most) = (by.0.abs().min(by.1.abs()), by.0.abs().max(by.1.abs()));
            let size = (piece.0.abs().min(piece.1.abs()), piece.0.abs().max(piece.1.abs()));
            let kept = size.1 < least;
            let lo = if kept { size.0 } else { 0.0 };
            let hi = if kept || most.is_infinite() { size.1 } else { size.1.min(next_down(most, b.format())) };
            let negative = piece.0 < 0.0;
            if negative { out.span(-hi, -lo) } else { out.span(lo, hi) }
        }
    }
    out.finish()
}

/// A product and a sum rounded once: the product as it is, between bounds that are rounded
/// outwards, then the sum.
pub fn fused(x: &FactArgs<'_>) -> Fact {
    let (a, b, c) = (x.float(0), x.float(1), x.float(2));
    if c.is_top() || !x.are_same(0, 1) && a.is_top() && b.is_top() {
        return Fact::None;
    }
    let mut out = Gathered::new(x.format());
    if let (Some(a), Some(b), Some(c)) = (a.as_constant(), b.as_constant(), c.as_constant()) {
        out.value(x.eval_floats([a, b, c]));
        return out.finish();
    }
    let product = Product::of(a, b, x.are_same(0, 1));
    for addend in pieces(c) {
        for &special in &product.special {
            let values: SmallVec<[f64; 2]> = ends(addend).iter().map(|&c| special + c).collect();
            out.corners(&values, 0);
        }
        for &piece in &product.finite {
            sum(&mut out, piece, addend);
        }
    }
    out.finish()
}

/// What an exact product may be.
struct Product {
    /// Zeros, infinities and NaN, of factors that are such.
    special: SmallVec<[f64; 5]>,
    /// Bounds of what numbers give: of one sign and, though no product is, perhaps up to zero or
    /// infinity.
    finite: SmallVec<[Piece; 2]>,
}

impl Product {
    fn of(a: FloatFact, b: FloatFact, same: bool) -> Product {
        let (left, right) = (pieces(a), pieces(b));
        let mut special = SmallVec::<[f64; 5]>::new();
        let mut signs: [Option<Piece>; 2] = [None, None];
        for (i, &l) in left.iter().enumerate() {
            for &r in right.iter().enumerate().filter(|(k, _)| !same || *k == i).map(|(_, r)| r) {
                if !(is_finite(l) && is_finite(r)) {
                    let value = l.0 * r.0;
                    if !special.iter().any(|v| v.to_bits() == value.to_bits()) {
                        special.push(value);
                    }
                    continue;
                }
                let all = at_corners(l, r, |a, b| a * b);
                // Beyond the greatest number bounds are infinite, but the product is not: it begins
                // at the greatest.
                let lo = all.iter().copied().fold(f64::INFINITY, f64::min).next_down();
                let hi = all.iter().copied().fold(f64::NEG_INFINITY, f64::max).next_up();
                let negative = (l.0 < 0.0) != (r.0 < 0.0);
                let (lo, hi) = if negative { (lo, hi.min(0.0)) } else { (lo.max(0.0), hi) };
                let known = &mut signs[usize::from(negative)];
                *known = Some(known.map_or((lo, hi), |k| (k.0.min(lo), k.1.max(hi))));
            }
        }
        Product { special, finite: signs.into_iter().flatten().collect() }
    }
}

/// A product of numbers and a number, rounded once.
fn sum(out: &mut Gathered, product: Piece, addend: Piece) {
    if addend.0.is_nan() || addend.0.is_infinite() {
        return out.value(addend.0);
    }
    // A sum in f64 is rounded itself: by a step outwards it holds what is rounded once.
    let (lo, hi) = ((product.0 + addend.0).next_down(), (product.1 + addend.1).next_up());
    let (lo, hi) = (out.rounded(lo), out.rounded(hi));
    match () {
        // What is too small for the format keeps its sign.
        _ if product.0 >= 0.0 && addend.0 >= 0.0 => out.span(if lo > 0.0 { lo } else { 0.0 }, hi),
        _ if product.1 <= 0.0 && addend.1 <= 0.0 => out.span(lo, if hi < 0.0 { hi } else { -0.0 }),
        _ => {
            out.span(lo, hi);
            if lo <= 0.0 && hi >= 0.0 {
                out.span(-0.0, 0.0);
            }
        }
    }
}
