//! Derivatives by differences, and how far they can be trusted.

use super::DIFFERENCE_TOLERANCE;
use caustic_ir::eval::Trap;

/// Small, so that a function with many jumps in a row does not look smooth.
const STEP: f64 = 2e-5;
/// Kinks that one-sided differences tell, in parts of the slopes.
const KINK: f64 = 1e-4;
/// What differences at two steps may be apart.
const JUMP: f64 = 1e-3;
/// How far from smooth a function's values are that may only be rounded.
const ROUNDING: f64 = 1e-5;

/// What differences at few steps tell.
pub enum Differences {
    Smooth(Vec<f64>),
    /// It has a kink or a jump there, or its values are rounded coarsely.
    Rough,
    /// There is a kink or a jump, and no derivative.
    None,
    /// A value there, or close beside it, is not finite.
    NotFinite,
}

/// Derivatives along a step by differences.
pub fn differences(center: &[f64], at: impl Fn(f64) -> Result<Vec<f64>, Trap>) -> Result<Differences, Trap> {
    if center.iter().any(|y| !y.is_finite()) {
        return Ok(Differences::NotFinite);
    }
    // Central differences at two steps, extrapolated; one-sided ones tell kinks.
    let (p1, m1, p2, m2) = (at(STEP)?, at(-STEP)?, at(STEP / 2.0)?, at(-STEP / 2.0)?);
    let (mut numeric, mut is_rough) = (Vec::new(), false);
    for i in 0..center.len() {
        let d1 = (p1[i] - m1[i]) / (2.0 * STEP);
        let d2 = (p2[i] - m2[i]) / STEP;
        let richardson = (4.0 * d2 - d1) / 3.0;
        // Where it is smooth the sides differ by f'' · step: half of it with half the step.
        let bends = [p1[i] - 2.0 * center[i] + m1[i], p2[i] - 2.0 * center[i] + m2[i]];
        let [side1, side2] = [bends[0] / STEP, bends[1] / (STEP / 2.0)];
        let scale = 1.0 + d1.abs() + d2.abs();
        let kinked = (side1 - 2.0 * side2).abs() > KINK * scale || (d1 - d2).abs() > JUMP * scale;
        let is_large = |x: f64| x.abs() > ROUNDING * scale;
        if !richardson.is_finite() {
            return Ok(Differences::NotFinite);
        }
        if kinked && bends.into_iter().any(is_large) {
            return Ok(Differences::None);
        }
        is_rough |= kinked;
        numeric.push(richardson);
    }
    Ok(if is_rough { Differences::Rough } else { Differences::Smooth(numeric) })
}

/// How far two derivatives are apart, in parts of their size.
pub fn apart(a: f64, b: f64) -> f64 {
    (a - b).abs() / size(a, b)
}

/// What differences between these are in parts of.
fn size(a: f64, b: f64) -> f64 {
    1.0 + a.abs().max(b.abs())
}

/// Derivatives by differences, and for each how far off it may be: in parts of its size, as
/// [`apart`] tells.
#[derive(Clone, Debug, Default)]
pub struct Numeric {
    pub values: Vec<f64>,
    errors: Vec<f64>,
}

/// How many times its error a derivative may be off: the error is that of a few rounded values.
pub const DOUBT: f64 = 8.0;

impl Numeric {
    pub fn exact(values: Vec<f64>) -> Numeric {
        let errors = vec![0.0; values.len()];
        Numeric { values, errors }
    }

    /// How far the derivative with this number may be from the right one.
    pub fn tolerance(&self, i: usize) -> f64 {
        DIFFERENCE_TOLERANCE.max(DOUBT * self.errors.get(i).copied().unwrap_or(0.0))
    }

    /// The same for the sum by weights, where sums are compared in parts of `scale`.
    pub fn tolerance_of_sum(&self, weights: &[f64], scale: f64) -> f64 {
        let each = self.values.iter().zip(&self.errors).zip(weights);
        let sum: f64 = each.map(|((v, e), w)| w.abs() * e * size(*v, *v)).sum();
        DIFFERENCE_TOLERANCE.max(DOUBT * sum / scale)
    }

    pub fn worst_error(&self) -> f64 {
        self.errors.iter().fold(0.0, |m: f64, e| m.max(*e))
    }
}

/// Steps that are tried, each so many times the one before. It is no simple ratio: where it is,
/// what rounding adds grows with the step for a while, and looks like a derivative.
const STEPS: usize = 16;
const RATIO: f64 = 1.9371;
/// The first of them.
const FIRST: f64 = STEP / 4.0;
/// What steps in narrow windows are of these.
const NARROW: f64 = 1.0 / 64.0;
/// Steps before the first one that is judged: the spread of fewer could be small by chance.
const BEFORE: usize = 6;

/// Differences at many steps: each scalar's are taken at the step that is best for it. Rounding
/// makes those of small steps inexact, and curvature those of large ones. Nothing where none can be
/// told.
pub fn at_many_steps(center: &[f64], at: impl Fn(f64) -> Result<Vec<f64>, Trap>) -> Result<Option<Numeric>, Trap> {
    at_steps(center, at, 1.0)
}

/// The same within a narrow window. What does not change at such small steps may be lost.
pub fn at_narrow_steps(center: &[f64], at: impl Fn(f64) -> Result<Vec<f64>, Trap>) -> Result<Option<Numeric>, Trap> {
    let found = at_steps(center, at, NARROW)?;
    Ok(found.filter(|found| found.values.iter().all(|value| *value != 0.0)))
}

fn at_steps(center: &[f64], at: impl Fn(f64) -> Result<Vec<f64>, Trap>, scale: f64) -> Result<Option<Numeric>, Trap> {
    let step = |k: usize| scale * step(k);
    let mut sides: Vec<[Vec<f64>; 2]> = Vec::new();
    for k in 0..STEPS {
        let step = step(k);
        let both = at(step).and_then(|plus| Ok([plus, at(-step)?]));
        // Far from the point a function may end.
        let both = if k > BEFORE { both.ok() } else { Some(both?) };
        match both.filter(|sides| sides.iter().flatten().all(|y| y.is_finite())) {
            Some(both) => sides.push(both),
            None => break,
        }
    }
    let mut numeric = Numeric::default();
    for (i, center) in center.iter().enumerate() {
        let Some((value, error)) = best(*center, &step, &sides.iter().map(|s| [s[0][i], s[1][i]]).collect::<Vec<_>>())
        else {
            return Ok(None);
        };
        numeric.values.push(value);
        numeric.errors.push(error);
    }
    Ok(Some(numeric))
}

fn step(k: usize) -> f64 {
    FIRST * RATIO.powi(k as i32)
}

/// The derivative of one scalar from its values on both sides at each step, and its error.
fn best(center: f64, step: &dyn Fn(usize) -> f64, sides: &[[f64; 2]]) -> Option<(f64, f64)> {
    let central: Vec<f64> = sides.iter().enumerate().map(|(k, [p, m])| (p - m) / (2.0 * step(k))).collect();
    // Extrapolated twice.
    let without = |order: i32, fine: f64, coarse: f64| {
        let factor = RATIO.powi(order);
        (factor * fine - coarse) / (factor - 1.0)
    };
    let once = |k: usize| without(2, central[k - 1], central[k]);
    let twice = |k: usize| without(4, once(k - 1), once(k));
    let bend = |k: usize| (sides[k][0] - 2.0 * center + sides[k][1]) / step(k);
    let mut found: Option<(f64, f64)> = None;
    // What is rounded makes differences wrong by as much as the step is small. The largest such
    // error so far counts: that of one step may be small by chance.
    let spread = |k: usize| (once(k) - once(k - 1)).abs() * step(k);
    let spreads = if sides.len() > 3 { spread(2).max(spread(3)) } else { 0.0 };
    // A large value does not change at all where its derivative is small.
    let mut rounding = spreads.max(f64::EPSILON * center.abs());
    for (k, &plain) in central.iter().enumerate().skip(3) {
        let value = twice(k);
        rounding = rounding.max((value - twice(k - 1)).abs() * step(k));
        let error = rounding / step(k) / size(value, value);
        let kink = (bend(k) - RATIO * bend(k - 1)).abs() / size(value, plain);
        let is_smooth = kink <= KINK + DOUBT * error;
        if k >= BEFORE && is_smooth && found.is_none_or(|(_, least)| error < least) {
            found = Some((value, error));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(f: impl Fn(f64) -> f64) -> Option<(f64, f64)> {
        let numeric = at_many_steps(&[f(0.0)], |step| Ok(vec![f(step)])).unwrap()?;
        Some((numeric.values[0], numeric.errors[0]))
    }

    #[test]
    fn rounded_values_have_derivatives() {
        for (large, most) in [(6378137.0, 1e-6), (1e8, 1e-6), (1e9, 1e-5)] {
            for k in 0..2000 {
                let x = 0.37 + 0.001 * f64::from(k);
                let (value, error) = of(|h| (large + (x + h)) - large + (x + h) * (x + h)).unwrap();
                let off = apart(value, 1.0 + 2.0 * x);
                assert!(error < most && off < 1e-6f64.max(DOUBT * error), "{large} {x}: {off} {error}");
            }
        }
    }

    #[test]
    fn exact_values_have_exact_derivatives() {
        let (value, error) = of(|h| (1.0 + h).sin() * (3.0 * h).exp()).unwrap();
        assert!(apart(value, 1f64.cos() + 3.0 * 1f64.sin()) < 1e-9 && error < 1e-9, "{value} {error}");
        // It ends at a step of 0.01.
        let (value, _) = of(|h| (0.01 + h).ln()).unwrap();
        assert!(apart(value, 100.0) < 1e-7, "{value}");
    }

    #[test]
    fn kinks_and_jumps_have_none() {
        for at in [0.0, 1e-6, 1e-5] {
            let kink = of(|h| (h - at).abs());
            assert!(kink.is_none_or(|(_, error)| error > 1e-3), "{at}: {kink:?}");
        }
        let jumps = of(|h| ((h + 0.3) * 1e4).floor() / 1e4);
        assert!(jumps.is_none_or(|(_, error)| error > 1e-4), "{jumps:?}");
    }
}
