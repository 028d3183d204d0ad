//! Rules of functions that float.rs has no scheme for: powers.

use super::pieces::{Gathered, Piece, ends, is_finite, pieces};
use caustic_ir::fact::{Fact, FactArgs};
use smallvec::SmallVec;

/// A base to an exponent. Of a negative base it is that of the magnitude, or its negative, or NaN,
/// as the exponent is even, odd or no whole number.
pub fn power(x: &FactArgs<'_>, ulps: u32) -> Fact {
    let (base, exponent) = (x.float(0), x.float(1));
    let mut out = Gathered::new(x.format());
    for by in pieces(exponent) {
        for piece in pieces(base) {
            if by.0 == 0.0 || piece.0.is_nan() || by.0.is_nan() {
                // Whatever to the power of zero is one, and one to whatever.
                match by.0.is_nan() {
                    true => out.nan(),
                    false => out.value(x.eval_floats([piece.0, by.0])),
                }
                if by.0.is_nan() && piece.0 <= 1.0 && 1.0 <= piece.1 {
                    out.value(1.0);
                }
                continue;
            }
            let magnitude = (piece.0.abs().min(piece.1.abs()), piece.0.abs().max(piece.1.abs()));
            let signs = if piece.0.is_sign_negative() { Signs::of_negative(piece, by) } else { Signs::POSITIVE };
            let mut values: SmallVec<[f64; 5]> = SmallVec::new();
            for &b in &ends(magnitude) {
                values.extend(ends(by).iter().map(|&e| x.eval_floats([b, e])));
            }
            // An infinite exponent jumps at one.
            if by.0.is_infinite() && magnitude.0 <= 1.0 && 1.0 <= magnitude.1 {
                values.push(1.0);
            }
            let ulps = if is_finite(piece) && is_finite(by) { ulps } else { 0 };
            if signs.positive {
                out.corners(&values, ulps);
            }
            if signs.negative {
                values.iter_mut().for_each(|v| *v = -*v);
                out.corners(&values, ulps);
            }
            if signs.nan {
                out.nan();
            }
        }
    }
    out.finish()
}

/// What a power may be, beside that of the magnitude of its base.
struct Signs {
    positive: bool,
    negative: bool,
    nan: bool,
}

impl Signs {
    const POSITIVE: Signs = Signs { positive: true, negative: false, nan: false };

    /// Of a negative base. A zero or an infinity has a power for fractions, too, as for even
    /// numbers.
    fn of_negative(base: Piece, exponents: Piece) -> Signs {
        if exponents.0 < exponents.1 {
            return Signs { positive: true, negative: true, nan: is_finite(base) };
        }
        let e = exponents.0;
        let odd = (e % 2.0).abs() == 1.0;
        let nan = is_finite(base) && e.is_finite() && e.fract() != 0.0;
        Signs { positive: !odd && !nan, negative: odd, nan }
    }
}
